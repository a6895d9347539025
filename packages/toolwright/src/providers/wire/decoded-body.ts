/**
 * Unpacks a body that came compressed although we asked for plain. Works piece by piece, so that a
 * small body that unpacks to gigabytes meets the reader's size limit and not the machine's memory.
 */
import { ProviderError } from '../../errors/errors.ts'
import type { TransportRequest } from '../../ports/transport.ts'
import { leavableBody } from './leavable-body.ts'
import { providerOf } from './transport-errors.ts'

type Unpacking = TransformStream<Uint8Array, Uint8Array>

/** What unpacks a body that begins with this byte. */
const FORMATS: { readonly [encoding: string]: ((first: number) => Unpacking) | undefined } = {
  gzip: () => decompression('gzip'),
  'x-gzip': () => decompression('gzip'),
  deflate: inflation,
  'x-deflate': inflation,
  br: brotli,
}

const decompression = (format: 'gzip' | 'deflate' | 'deflate-raw'): Unpacking =>
  new DecompressionStream(format) as Unpacking

/** HTTP means a zlib stream by "deflate"; some servers send the bare one. Only the former begins so. */
function inflation(first: number): Unpacking {
  return decompression((first & 0x8f) === 0x08 ? 'deflate' : 'deflate-raw')
}

/** Not among the formats of `DecompressionStream`; Node, where this runs, has it in zlib. */
function brotli(): Unpacking {
  const { Duplex } = process.getBuiltinModule('node:stream')
  const { createBrotliDecompress } = process.getBuiltinModule('node:zlib')
  return Duplex.toWeb(createBrotliDecompress()) as Unpacking
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
  const pieces = packed[Symbol.asyncIterator]()
  const start = await pieces.next()
  if (start.done) return
  const unpacking = FORMATS[encoding]!(start.value[0] ?? 0)
  let broken: unknown
  const all = startingWith(start.value, pieces)
  const feeding = feed(all, unpacking.writable).catch((thrown: unknown) => (broken = thrown))
  const reader = unpacking.readable.getReader()
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
    await pieces.return?.()
    await feeding
  }
}

async function* startingWith(
  first: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  yield first
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
}

async function feed(packed: AsyncIterable<Uint8Array>, writable: WritableStream): Promise<void> {
  const writer = writable.getWriter()
  // Failures reach us through `write`; `closed` rejects with them too, and is not awaited.
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
