/** Reads the JSON that a page posted, and not more of it than it may send. */
import { PageError } from '../../errors/errors.ts'
import { checkNumber, checkOptions } from '../../internal/check-options.ts'
import { parseJson } from '../../internal/parse-json.ts'

export interface PageBodyOptions {
  /** A larger body is refused before the rest of it is read. Default 8,388,608: room for a few photos. */
  readonly maxBytes?: number
}

const EIGHT_MEGABYTES = 8 * 1024 * 1024
/** Levels of arrays and objects. */
const DEEPEST = 200

/**
 * The body of a web `Request`, or of a request of `node:http`, as JSON. Rejects with a `PageError` that says what is
 * wrong with it, for `toErrorResponse`.
 *
 * @example
 * const { messages } = fromUiMessages(await readPageBody(request))
 */
export async function readPageBody(
  request: Request | AsyncIterable<Uint8Array | string>,
  options: PageBodyOptions = {},
): Promise<unknown> {
  checkOptions('readPageBody()', options, ['maxBytes'])
  const { maxBytes = EIGHT_MEGABYTES } = options
  checkNumber('maxBytes', maxBytes, { least: 1, isWhole: true })
  const text = await textWithin(piecesOf(request), maxBytes)
  const parsed = parseJson(text, { maxBytes, maxDepth: DEEPEST })
  if (!parsed.ok) throw new PageError('page-body', parsed.problem)
  return parsed.value
}

/** A stream of the web can be iterated on servers, which this runs on. */
function piecesOf(
  request: Request | AsyncIterable<Uint8Array | string>,
): AsyncIterable<Uint8Array | string> {
  if (!('headers' in request && 'body' in request)) return request as AsyncIterable<Uint8Array>
  return (request.body ?? []) as unknown as AsyncIterable<Uint8Array>
}

async function textWithin(
  pieces: AsyncIterable<Uint8Array | string>,
  maxBytes: number,
): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const piece of pieces) {
    const part = typeof piece === 'string' ? encoder.encode(piece) : piece
    bytes += part.byteLength
    // Leaving the loop ends the reading.
    if (bytes > maxBytes)
      throw new PageError('page-too-large', `The request is larger than ${maxBytes} bytes.`)
    text += decoder.decode(part, { stream: true })
  }
  return text + decoder.decode()
}

const encoder = new TextEncoder()
