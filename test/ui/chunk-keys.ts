/** The keys that each chunk may and must have: stricter than the AI SDK's own schema, which lets any key pass. */

/** A `?` marks a key that may be missing. */
const CHUNK_KEYS: { readonly [type: string]: readonly string[] } = {
  start: ['messageId'],
  'start-step': [],
  'finish-step': [],
  'text-start': ['id'],
  'text-delta': ['id', 'delta'],
  'text-end': ['id'],
  'reasoning-start': ['id'],
  'reasoning-delta': ['id', 'delta'],
  'reasoning-end': ['id'],
  'tool-input-start': ['toolCallId', 'toolName', 'dynamic'],
  'tool-input-delta': ['toolCallId', 'inputTextDelta'],
  'tool-input-available': ['toolCallId', 'toolName', 'input', 'dynamic'],
  'tool-approval-request': ['approvalId', 'toolCallId', 'reason?', 'approvalDescriptor?'],
  'tool-output-available': ['toolCallId', 'output', 'dynamic', 'preliminary?'],
  'tool-output-error': ['toolCallId', 'errorText', 'dynamic'],
  'tool-output-denied': ['toolCallId'],
  file: ['url', 'mediaType'],
  custom: ['kind', 'providerMetadata'],
  'data-question': ['id', 'data'],
  'data-notice': ['data', 'transient'],
  finish: ['finishReason', 'messageMetadata'],
  error: ['errorText'],
  abort: [],
}

export type Chunk = { readonly type: string; readonly [key: string]: unknown }

/** The chunks of a stream, each held to the table and to the form of the stream. */
export function chunksIn(text: string): readonly Chunk[] {
  const frames = text.split('\n\n')
  if (frames.pop() !== '') throw new Error(`The stream does not end with a frame: ${text}`)
  if (frames.pop() !== 'data: [DONE]') throw new Error('The stream does not end with [DONE].')
  return frames.map((frame) => {
    if (!frame.startsWith('data: ')) throw new Error(`No frame: ${frame}`)
    const chunk = JSON.parse(frame.slice('data: '.length)) as Chunk
    const fault = faultOf(chunk, CHUNK_KEYS[chunk.type])
    if (fault) throw new Error(`${fault}: ${frame}`)
    return chunk
  })
}

/** What is wrong with the keys of an object, if anything is. */
export function faultOf(
  { type, ...fields }: Chunk,
  keys: readonly string[] | undefined,
): string | undefined {
  if (!keys) return `There is no "${type}"`
  const missing = keys.find((key) => !key.endsWith('?') && !Object.hasOwn(fields, key))
  if (missing !== undefined) return `"${missing}" is missing`
  const names = keys.map((key) => key.replace('?', ''))
  const extra = Object.keys(fields).find((key) => !names.includes(key))
  return extra === undefined ? undefined : `"${extra}" is too much`
}
