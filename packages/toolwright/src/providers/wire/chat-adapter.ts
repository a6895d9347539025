/**
 * The adapter kit: a chat model made of settings and a dialect. Merges options, resolves tools, asks with
 * retries, reads whole answers and streams. Everything that differs between providers is in the dialect.
 */
import { ProviderError } from '../../errors/errors.ts'
import type { Notice } from '../../errors/notices.ts'
import type { ChatModel, ModelCapabilities, Prompt } from '../../model/chat-model.ts'
import { checkChosenTool } from '../../model/check-chat-options.ts'
import { mergeOptions, offeredTools } from '../../model/merge-options.ts'
import { promptedOutput } from '../../model/prompted-output.ts'
import type { TransportResponse } from '../../ports/transport.ts'
import type { ChatDialect, WireQuestion } from './chat-dialect.ts'
import { exchange } from './exchange.ts'
import { capabilitiesOf, type ModelTable } from './model-families.ts'
import { RaisedAnswer } from './raised-answer.ts'
import { StreamedAnswer } from './streamed-answer.ts'
import { toolNamesOf } from './tool-names.ts'
import { wholeAnswer } from './whole-answer.ts'
import type { WireSettings } from './wire-settings.ts'
import { withinCapabilities, type QuestionWithin } from './within-capabilities.ts'

export interface ChatAdapterParts {
  readonly settings: WireSettings
  /** What the provider's models can do. A prompt may ask another one than the adapter's own. */
  readonly models: ModelTable
  readonly dialect: ChatDialect
}

export function chatAdapter(parts: ChatAdapterParts): ChatModel {
  const { settings, dialect, models } = parts
  const capabilities = capabilitiesOf(models, settings.model, settings.capabilities)
  const names = toolNamesOf(dialect.toolNames)
  const ask = (question: WireQuestion, listening: Listening): Promise<TransportResponse> =>
    explained(
      dialect,
      question,
      exchange(settings, {
        path: dialect.path(question),
        body: dialect.toWire(names.toWire(question)),
        ...listening,
      }),
    )
  const asked = async (prompt: Prompt, stream: boolean, tell: Tell): Promise<WireQuestion> => {
    const { question, notices } = await toQuestion(parts, { prompt, stream, capabilities })
    for (const each of notices) tell(each)
    return question
  }
  return {
    provider: settings.provider,
    model: settings.model,
    server: settings.server,
    capabilities,
    capabilitiesOf: (name) => capabilitiesOf(models, name, settings.capabilities),
    options: settings.options,
    resolver: settings.resolver,
    async call(prompt, run) {
      const tell: Tell = (event) => run?.emit?.(event)
      const question = await asked(prompt, false, tell)
      const response = await ask(question, { signal: run?.signal, tell })
      const answer = await wholeAnswer(response, settings, dialect)
      const own = names.response(answer, question)
      return new RaisedAnswer(dialect, question).response(own)
    },
    stream(prompt, run) {
      let question: WireQuestion | undefined
      return new StreamedAnswer({
        settings,
        dialect,
        ask: async (signal, { tell, onQuestion }) => {
          question = await asked(prompt, true, tell)
          onQuestion(question)
          return ask(question, { signal, tell })
        },
        ownName: (name) => (question === undefined ? name : names.fromWire(name, question)),
        ownNames: (response) =>
          question === undefined ? response : names.response(response, question),
        signal: run?.signal,
      })
    },
  }
}

type Tell = (event: Notice) => void
interface Listening {
  readonly signal: AbortSignal | undefined
  readonly tell: Tell
}

interface Asked {
  readonly prompt: Prompt
  readonly stream: boolean
  /** Of the adapter's own model. */
  readonly capabilities: ModelCapabilities
}

async function toQuestion(
  { settings, dialect, models }: ChatAdapterParts,
  { prompt, stream, capabilities: own }: Asked,
): Promise<QuestionWithin> {
  const merged = mergeOptions(settings.options, prompt.options)
  const model = merged.model ?? settings.model
  const capabilities =
    model === settings.model ? own : capabilitiesOf(models, model, settings.capabilities)
  const inWords =
    merged.outputSchema !== undefined &&
    !(capabilities.structuredOutput && takesSchema(dialect, merged.outputSchema))
  const whole = { messages: prompt.messages, options: merged }
  const { messages, options = {} } = inWords ? promptedOutput(whole) : whole
  const tools = await offeredTools(options, settings.resolver)
  if (typeof options.toolChoice === 'object' && tools.length > 0)
    checkChosenTool({ ...options, tools })
  return withinCapabilities({ model, messages, options, tools, stream, capabilities })
}

/** What the provider's users can do about a failure is known to its dialect. */
function explained<T>(
  dialect: ChatDialect,
  question: WireQuestion,
  answer: Promise<T>,
): Promise<T> {
  if (dialect.explained === undefined) return answer
  return answer.catch((thrown: unknown) => {
    throw thrown instanceof ProviderError ? dialect.explained!(thrown, question) : thrown
  })
}

function takesSchema({ output }: ChatDialect, schema: OutputSchema): boolean {
  if (output === undefined) return false
  return output.unlowered === 'as it is' || output.schemas.lower(schema) !== undefined
}

type OutputSchema = NonNullable<WireQuestion['options']['outputSchema']>
