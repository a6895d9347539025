/**
 * The adapter kit: a chat model made of settings and a dialect. Merges options, resolves tools, asks with
 * retries, reads whole answers and streams. Everything that differs between providers is in the dialect.
 */
import { ProviderError } from '../../errors/errors.ts'
import { notice } from '../../errors/notices.ts'
import type { ChatEvent } from '../../messages/chat-event.ts'
import type { ChatResponse } from '../../messages/chat-response.ts'
import type { ChatModel, ChatOptions, ModelCapabilities, Prompt } from '../../model/chat-model.ts'
import { mergeOptions, offeredTools } from '../../model/merge-options.ts'
import { promptedOutput } from '../../model/prompted-output.ts'
import type { TransportResponse } from '../../ports/transport.ts'
import type { ChatDialect, WireQuestion } from './chat-dialect.ts'
import { exchange, readJson } from './exchange.ts'
import { StreamedAnswer } from './streamed-answer.ts'
import type { WireSettings } from './wire-settings.ts'

export interface ChatAdapterParts {
  readonly settings: WireSettings
  readonly capabilities: ModelCapabilities
  readonly dialect: ChatDialect
}

export function chatAdapter({ settings, capabilities, dialect }: ChatAdapterParts): ChatModel {
  const ask = (question: WireQuestion, signal?: AbortSignal): Promise<TransportResponse> => {
    const answer = exchange(settings, {
      path: dialect.path(question),
      body: dialect.toWire(question),
      ...(signal && { signal }),
    })
    if (dialect.explained === undefined) return answer
    return answer.catch((thrown: unknown) => {
      throw thrown instanceof ProviderError ? dialect.explained!(thrown, question) : thrown
    })
  }
  const asked = (prompt: Prompt, stream: boolean): Promise<WireQuestion> =>
    toQuestion({ settings, capabilities, dialect }, prompt, stream)
  return {
    provider: settings.provider,
    model: settings.model,
    capabilities,
    options: settings.options,
    resolver: settings.resolver,
    async call(prompt, run) {
      const question = await asked(prompt, false)
      for (const notice of choiceNotices(capabilities, question.options)) run?.emit?.(notice)
      const answer = await readJson(await ask(question, run?.signal), settings, dialect.inputField)
      return raised(dialect, dialect.fromWire(answer), question)
    },
    stream: (prompt, run) =>
      new StreamedAnswer({
        settings,
        dialect,
        ask: async (signal) => ask(await asked(prompt, true), signal),
        signal: run?.signal,
        notices: choiceNotices(capabilities, mergeOptions(settings.options, prompt.options)),
      }),
  }
}

async function toQuestion(
  { settings, capabilities, dialect }: ChatAdapterParts,
  prompt: Prompt,
  stream: boolean,
): Promise<WireQuestion> {
  const merged = mergeOptions(settings.options, prompt.options)
  const inWords =
    merged.outputSchema !== undefined &&
    !(capabilities.structuredOutput && takesSchema(dialect, merged.outputSchema))
  const whole = { messages: prompt.messages, options: merged }
  const { messages, options = {} } = inWords ? promptedOutput(whole) : whole
  return {
    model: options.model ?? settings.model,
    messages,
    options,
    tools: await offeredTools(options, settings.resolver),
    stream,
  }
}

/** A choice that the model cannot be forced to is a wish, and whoever made it should know. */
function choiceNotices(
  { toolChoice: canForce }: ModelCapabilities,
  { toolChoice }: ChatOptions,
): readonly ChatEvent[] {
  const isForced = toolChoice === 'required' || typeof toolChoice === 'object'
  if (canForce || !isForced) return []
  const wish = typeof toolChoice === 'object' ? `tool "${toolChoice.tool}"` : 'a tool'
  return [notice('tool-choice-not-supported', `The model cannot be forced to call ${wish}.`)]
}

function takesSchema({ output }: ChatDialect, schema: OutputSchema): boolean {
  if (output === undefined) return false
  return output.unlowered === 'as it is' || output.schemas.lower(schema) !== undefined
}

type OutputSchema = NonNullable<WireQuestion['options']['outputSchema']>

/** A stream shows its text as it came; a whole answer is turned back into what the schema means. */
function raised(
  { output }: ChatDialect,
  response: ChatResponse,
  { options: { outputSchema } }: WireQuestion,
): ChatResponse {
  if (outputSchema === undefined || output === undefined) return response
  return output.schemas.raise(response, outputSchema)
}
