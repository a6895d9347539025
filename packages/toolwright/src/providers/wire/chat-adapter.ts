/**
 * The adapter kit: a chat model made of settings and a dialect. Merges options, resolves tools, asks with
 * retries, reads whole answers and streams. Everything that differs between providers is in the dialect.
 */
import type { ChatModel, ModelCapabilities, Prompt } from '../../model/chat-model.ts'
import { mergeOptions, offeredTools } from '../../model/merge-options.ts'
import { promptedOutput } from '../../model/prompted-output.ts'
import type { TransportResponse } from '../../ports/transport.ts'
import type { ChatDialect, WireQuestion } from './chat-dialect.ts'
import { exchange, readJson } from './exchange.ts'
import { RaisedAnswer } from './raised-answer.ts'
import { StreamedAnswer } from './streamed-answer.ts'
import type { WireSettings } from './wire-settings.ts'

export interface ChatAdapterParts {
  readonly settings: WireSettings
  readonly capabilities: ModelCapabilities
  readonly dialect: ChatDialect
}

export function chatAdapter({ settings, capabilities, dialect }: ChatAdapterParts): ChatModel {
  const ask = (question: WireQuestion, signal?: AbortSignal): Promise<TransportResponse> =>
    exchange(settings, {
      path: dialect.path(question),
      body: dialect.toWire(question),
      ...(signal && { signal }),
    })
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
      const answer = await readJson(await ask(question, run?.signal), settings, dialect.inputField)
      return new RaisedAnswer(dialect, question).response(dialect.fromWire(answer))
    },
    stream: (prompt, run) =>
      new StreamedAnswer({
        settings,
        dialect,
        ask: async (signal, onQuestion) => {
          const question = await asked(prompt, true)
          onQuestion(question)
          return ask(question, signal)
        },
        signal: run?.signal,
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

function takesSchema({ output }: ChatDialect, schema: OutputSchema): boolean {
  if (output === undefined) return false
  return output.unlowered === 'as it is' || output.schemas.lower(schema) !== undefined
}

type OutputSchema = NonNullable<WireQuestion['options']['outputSchema']>
