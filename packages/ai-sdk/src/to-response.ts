/** One answer as a `ChatResponse`: the message, how it ended, and what it took. */
import {
  ModelResponseError,
  type AssistantPart,
  type ChatResponse,
  type FinishReason,
} from 'toolwright'
import { fromContent } from './from-content.ts'
import { incomplete } from './incomplete.ts'
import { metadataOf, received, type Received } from './received.ts'
import type { Ending, Specification } from './specification.ts'
import type { SpecVersion } from './sent-types.ts'
import { withOwnName, type OwnName } from './tool-names.ts'

/** Whose answers are read, and what its tools are called. */
export interface Answerer {
  readonly provider: string
  readonly spec: Specification<SpecVersion>
  readonly ownName: OwnName
}

/** A whole answer. */
export function fromResult(answerer: Answerer, result: unknown): ChatResponse {
  const fields = received(result)
  if (!Array.isArray(fields.content))
    throw new ModelResponseError(
      'invalid-response',
      `${answerer.provider} gave an answer without content.`,
    )
  const content = fields.content.map((part) => withOwnName(received(part), answerer.ownName))
  const parts = fromContent(answerer.spec.ordered(content))
  const ending = answerer.spec.ending(fields.finishReason)
  // A whole answer came whole, even if its provider did not say why it ended.
  const reason = ending.reason === 'unsaid' ? 'other' : ending.reason
  const about = received(fields.response)
  return toResponse(answerer, { parts, ending: { ...ending, reason }, fields, about })
}

export interface Answer {
  readonly parts: readonly AssistantPart[]
  readonly ending: Ending
  /** Has `usage` and `providerMetadata`. */
  readonly fields: Received
  /** Has `id` and `modelId`. */
  readonly about: Received
}

export function toResponse(
  { provider, spec }: Answerer,
  { parts, ending, fields, about }: Answer,
): ChatResponse {
  const [first] = parts
  const isPlain = parts.length === 1 && first!.type === 'text' && !first!.providerOptions
  const hasCalls = parts.some((part) => part.type === 'tool-call')
  const finishReason = reasonFor(ending, hasCalls)
  if (finishReason === undefined) throw incomplete({ provider, how: UNSAID, parts })
  const { raw } = ending
  const metadata = metadataOf(fields)
  const { structuredOutputText } = fields
  return {
    results: [
      {
        message: {
          role: 'assistant',
          content: parts.length === 0 ? '' : isPlain ? first!.text : parts,
        },
        finishReason,
        ...(raw !== undefined && raw !== finishReason && { rawFinishReason: raw }),
        metadata: {},
      },
    ],
    usage: spec.usage(fields.usage),
    ...(typeof about.modelId === 'string' && { model: about.modelId }),
    ...(typeof about.id === 'string' && { id: about.id }),
    metadata: {
      ...(metadata && { providerMetadata: metadata }),
      ...(typeof structuredOutputText === 'string' && { structuredOutputText }),
    },
  }
}

const UNSAID = 'without a reason why it ended'

/** Undefined: the calls may be cut, so that nothing of the answer may be used. */
function reasonFor({ reason }: Ending, hasCalls: boolean): FinishReason | undefined {
  if (reason === 'unsaid' || reason === 'interrupted') return undefined
  if (reason === 'error' && hasCalls) return undefined
  if (reason === 'stop' && hasCalls) return 'tool-calls'
  // The calls were the provider's own.
  return reason === 'tool-calls' && !hasCalls ? 'stop' : reason
}
