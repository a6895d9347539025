/**
 * What differs between the versions of the AI SDK's specification of language models, and nothing else. The rest
 * of the bridge knows no version.
 */
import type { FinishReason, MediaPart, Usage } from 'toolwright'
import { received, type Received } from './received.ts'
import type {
  SentApproval,
  SentExtraPart,
  SentFileData,
  SentProviderOptions,
  SentResultFile,
  SentTool,
  SpecVersion,
} from './sent-types.ts'

/**
 * How an answer ended. `unsaid`: the provider gave no reason, which is how a stream ends that was cut.
 * `interrupted`: it was cut.
 */
export interface Ending {
  readonly reason: FinishReason | 'unsaid' | 'interrupted'
  readonly raw?: string
}

export interface Specification<V extends SpecVersion> {
  /** Base64 text, or an address. */
  fileData(content: string | URL): SentFileData<V>
  /** A file in the result of a tool; undefined if there is no place for it. */
  resultFile(part: MediaPart): SentResultFile<V> | undefined
  /** A part of an earlier answer that only this version knows; undefined for any other. */
  extraPart(
    part: Received,
    options: { providerOptions?: SentProviderOptions },
  ): SentExtraPart<V> | undefined
  /** A decision about a call that the provider would run; undefined if the version has none. */
  approval(decision: Received): SentApproval<V> | undefined
  readonly providerTool: Extract<SentTool<V>, { args: object }>['type']
  readonly takesInputExamples: boolean
  /** The content of a whole answer, in the order in which a stream has it. */
  ordered(content: readonly unknown[]): readonly unknown[]
  usage(given: unknown): Usage
  ending(given: unknown): Ending
}

const V2: Specification<'v2'> = {
  fileData: (content) => content,
  resultFile: ({ data, mediaType }) =>
    data === undefined ? undefined : { type: 'media', data, mediaType },
  extraPart: () => undefined,
  approval: () => undefined,
  providerTool: 'provider-defined',
  takesInputExamples: false,
  ordered: thoughtsFirst,
  usage(given) {
    const usage = received(given)
    return counted({
      inputTokens: usage.inputTokens,
      outputTokens: usage.outputTokens,
      totalTokens: usage.totalTokens,
      cacheReadTokens: usage.cachedInputTokens,
      reasoningTokens: usage.reasoningTokens,
    })
  },
  // A reason that the provider does not know and one that never came are both `unknown` here.
  ending: (given) => ({
    reason: given === 'unknown' || given === undefined ? 'unsaid' : reasonOf(given),
    ...(typeof given === 'string' && { raw: given }),
  }),
}

const V3: Specification<'v3'> = {
  fileData: (content) => content,
  resultFile({ type, data, url, mediaType, name }) {
    const isImage = type === 'image'
    if (data === undefined)
      return url === undefined ? undefined : { type: isImage ? 'image-url' : 'file-url', url }
    if (isImage) return { type: 'image-data', data, mediaType }
    return { type: 'file-data', data, mediaType, ...(name !== undefined && { filename: name }) }
  },
  extraPart: () => undefined,
  approval,
  providerTool: 'provider',
  takesInputExamples: true,
  ordered: (content) => content,
  usage(given) {
    const { inputTokens, outputTokens } = received(given)
    const input = received(inputTokens)
    const output = received(outputTokens)
    return counted({
      inputTokens: input.total,
      outputTokens: output.total,
      totalTokens: sum(input.total, output.total),
      cacheReadTokens: input.cacheRead,
      cacheWriteTokens: input.cacheWrite,
      reasoningTokens: output.reasoning,
    })
  },
  ending(given) {
    const { unified, raw } = received(given)
    if (typeof raw !== 'string')
      return { reason: unified === 'other' || unified === undefined ? 'unsaid' : reasonOf(unified) }
    return { reason: reasonOf(unified), raw }
  },
}

const V4: Specification<'v4'> = {
  ...V3,
  fileData,
  resultFile({ data, url, mediaType, name }) {
    const content = inlineOrAddress({ data, url })
    if (content === undefined) return undefined
    const filename = name === undefined ? {} : { filename: name }
    return { type: 'file', data: fileData(content), mediaType, ...filename }
  },
  extraPart(part, options) {
    const { type, kind, mediaType, data } = part
    if (type === 'custom') return { type, kind: kind as `${string}.${string}`, ...options }
    if (type !== 'reasoning-file') return undefined
    const content = inlineOrAddress(received(data))
    if (content === undefined) return undefined
    return { type, mediaType: String(mediaType), data: fileData(content), ...options }
  },
  ending: (given) =>
    received(given).unified === 'interrupted' ? { reason: 'interrupted' } : V3.ending(given),
}

export const SPECIFICATIONS: { readonly [V in SpecVersion]: Specification<V> } = {
  v2: V2,
  v3: V3,
  v4: V4,
}

/**
 * Packages of v2 list what the model thought after the text of a whole answer, though it came before. Signed
 * reasoning stays in its place.
 */
function thoughtsFirst(content: readonly unknown[]): readonly unknown[] {
  const [first, second] = content.map(received)
  const isSwapped =
    first?.type === 'text' && second?.type === 'reasoning' && !second.providerMetadata
  return isSwapped ? [second, first, ...content.slice(2)] : content
}

function inlineOrAddress({ data, url }: Received): string | URL | undefined {
  if (typeof data === 'string') return data
  return typeof url === 'string' && URL.canParse(url) ? new URL(url) : undefined
}

function fileData(content: string | URL): SentFileData<'v4'> {
  return typeof content === 'string'
    ? { type: 'data', data: content }
    : { type: 'url', url: content }
}

function approval({ approvalId, approved, reason }: Received): SentApproval<'v3'> {
  return {
    type: 'tool-approval-response',
    approvalId: String(approvalId),
    approved: approved === true,
    ...(typeof reason === 'string' && { reason }),
  }
}

const REASONS: ReadonlySet<unknown> = new Set<FinishReason>([
  'stop',
  'length',
  'content-filter',
  'tool-calls',
  'error',
])

const reasonOf = (reason: unknown): FinishReason =>
  REASONS.has(reason) ? (reason as FinishReason) : 'other'

/** The fields that are counts. */
function counted(usage: { readonly [field in keyof Usage]: unknown }): Usage {
  const counts = Object.entries(usage).filter(
    ([, count]) => Number.isInteger(count) && Number(count) >= 0,
  )
  return Object.fromEntries(counts)
}

const sum = (a: unknown, b: unknown): number | undefined =>
  typeof a === 'number' && typeof b === 'number' ? a + b : undefined
