/**
 * Tools for a model that has none: their definitions go into the system message, calls and results of the
 * conversation become text, and the calls that the model writes are read from its text. To the loop it is a model
 * like any other.
 */
import { ConfigurationError } from '../../errors/errors.ts'
import type { ToolCallback } from '../../tools/tool-callback.ts'
import type { ChatModel, ChatOptions, ModelCapabilities, Prompt } from '../chat-model.ts'
import { mergeOptions, offeredTools } from '../merge-options.ts'
import { promptedOutput } from '../prompted-output.ts'
import { promptedResponse, type CallReading } from './prompted-response.ts'
import { PromptedStream } from './prompted-stream.ts'
import { withInstructions } from './tool-instructions.ts'
import { writtenCalls } from './written-calls.ts'

/**
 * A call is read where the model writes `<tool_call>{"name": …, "arguments": {…}}</tool_call>` or one of the
 * spellings that models have learned instead. Arguments are strict JSON: what is not, or was cut, is told to the model
 * and not run. Text streams as it comes; only what may be the beginning of a call is held back.
 *
 * @example
 * const model = promptedTools(openaiCompatible('gemma-2', { baseUrl }))
 * const answer = await ChatClient.create(model).prompt('What time is it?').tools(clock).call().content()
 */
export function promptedTools(model: ChatModel): ChatModel {
  if (typeof model?.call !== 'function' || typeof model.stream !== 'function')
    throw new ConfigurationError(
      'invalid-option',
      'promptedTools() got something else than a model.',
    )
  return {
    provider: model.provider,
    model: model.model,
    ...(model.server && { server: model.server }),
    capabilities: { ...model.capabilities, ...PROMPTED },
    ...(model.capabilitiesOf && {
      capabilitiesOf: (name) => ({ ...model.capabilitiesOf!(name), ...PROMPTED }),
    }),
    options: model.options ?? {},
    resolver: model.resolver,
    async call(prompt, run) {
      const question = await toQuestion(model, prompt)
      const response = await model.call(question.prompt, run)
      return question.reading ? promptedResponse(response, question.reading) : response
    },
    stream: (prompt, run) =>
      new PromptedStream(async () => {
        run?.signal?.throwIfAborted()
        const question = await toQuestion(model, prompt)
        return { events: model.stream(question.prompt, run), reading: question.reading }
      }),
  }
}

/** A model that is held to a schema could not write a call, so structured output is asked for by words too. */
const PROMPTED: ModelCapabilities = {
  tools: true,
  toolChoice: true,
  parallelOff: true,
  strictTools: false,
  structuredOutput: false,
  nativeToolSearch: false,
}

interface Question {
  readonly prompt: Prompt
  /** Absent where no tools are offered: then text is only text. */
  readonly reading?: CallReading
}

async function toQuestion(model: ChatModel, prompt: Prompt): Promise<Question> {
  const options = mergeOptions(model.options ?? {}, prompt.options)
  const tools = await offeredTools(options, model.resolver)
  const messages = writtenCalls(prompt.messages)
  if (tools.length === 0) return { prompt: { messages, options: withoutTools(options) } }
  return {
    prompt: inWords({
      messages: withInstructions(messages, tools, options),
      options: withoutTools(options),
    }),
    reading: { onlyFirst: options.parallelToolCalls === false },
  }
}

const inWords = (prompt: Prompt): Prompt =>
  prompt.options?.outputSchema === undefined ? prompt : promptedOutput(prompt)

const NO_TOOLS: readonly ToolCallback[] = []

/** An empty list and not none, which would let the model offer tools of its own. */
function withoutTools(options: ChatOptions): ChatOptions {
  const {
    toolNames: _names,
    toolChoice: _choice,
    parallelToolCalls: _parallel,
    deferredTools: _deferred,
    toolContext: _context,
    ...rest
  } = options
  return { ...rest, tools: NO_TOOLS }
}
