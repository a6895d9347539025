/**
 * Unpacks a body that came compressed although we asked for plain. Works piece by piece, so that a
 * small body that unpacks to gigabytes meets the reader's size limit and not the machine's memory.
 */
import { ProviderError } from '../../errors/errors.ts'
import type { TransportRequest } from '../../ports/transport.ts'
import { leavableBody } from './leavable-body.ts'
import { providerOf } from './transport-errors.ts'

const FORMATS: { readonly [encoding: string]: 'gzip' | 'deflate' | undefined } = {
  gzip: 'gzip',
  'x-gzip': 'gzip',
  deflate: 'deflate',
}

/** More than one is already odd; each more costs memory. */
const MOST_ENCODINGS = 3

/** @param encodings the header as sent: any case, a list of those applied, in order */
export function decodedBody(
  request: TransportRequest,
  encodings: string,
  packed: AsyncIterable<Uint8Array>,
): AsyncIterable<Uint8Array> {
  const applied = encodings
    .toLowerCase()
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '' && each !== 'identity')
  if (applied.length === 0) return packed
  const close = (): unknown => packed[Symbol.asyncIterator]().return?.()
  const isKnown = applied.every((each) => Object.hasOwn(FORMATS, each))
  if (!isKnown || applied.length > MOST_ENCODINGS)
    return leavableBody(refused(request, encodings, close), close)
  return applied.reduceRight<AsyncIterable<Uint8Array>>(
    (body, encoding) => leavableBody(unpacked(request, encoding, body), close),
    packed,
  )
}

async function* refused(
  request: TransportRequest,
  encodings: string,
  close: () => unknown,
): AsyncGenerator<Uint8Array, void> {
  await close()
  throw unreadable(request, `the encoding "${encodings.slice(0, 40)}"`)
}

async function* unpacked(
  request: TransportRequest,
  encoding: string,
  packed: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  const unpacking = new DecompressionStream(FORMATS[encoding]!)
  let broken: unknown
  const feeding = feed(packed, unpacking.writable).catch((thrown: unknown) => (broken = thrown))
  const reader = (unpacking.readable as ReadableStream<Uint8Array>).getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } catch (thrown) {
    await feeding
    if (request.signal?.aborted) throw request.signal.reason
    if (broken instanceof ProviderError) throw broken
    throw unreadable(request, `a body that is not ${encoding}`, thrown)
  } finally {
    await reader.cancel().catch(() => {})
    await packed[Symbol.asyncIterator]().return?.()
    await feeding
  }
}

async function feed(packed: AsyncIterable<Uint8Array>, writable: WritableStream): Promise<void> {
  const writer = writable.getWriter()
  // Its failures reach us through `write`; the promise of their own would be nobody's.
  writer.closed.catch(() => {})
  try {
    for await (const chunk of packed) await writer.write(chunk)
    await writer.close()
  } catch (thrown) {
    await writer.abort(thrown).catch(() => {})
    throw thrown
  }
}

function unreadable(request: TransportRequest, what: string, cause?: unknown): ProviderError {
  const message = `The answer of ${providerOf(request)} has ${what}, which cannot be read.`
  return new ProviderError('provider-unreachable', message, {
    provider: providerOf(request),
    cause,
  })
}
