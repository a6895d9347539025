/**
 * Unpacks a body that came compressed although we asked for plain. Works piece by piece, so that a
 * small body that unpacks to gigabytes meets the reader's size limit and not the machine's memory.
 */
import { ProviderError } from '../../errors/errors.ts'
import type { TransportRequest } from '../../ports/transport.ts'
import { providerOf } from './transport-errors.ts'

const FORMATS: { readonly [encoding: string]: 'gzip' | 'deflate' | undefined } = {
  gzip: 'gzip',
  'x-gzip': 'gzip',
  deflate: 'deflate',
}

export async function* decodedBody(
  request: TransportRequest,
  encoding: string,
  packed: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const format = Object.hasOwn(FORMATS, encoding) ? FORMATS[encoding] : undefined
  if (format === undefined) {
    await packed[Symbol.asyncIterator]().return?.()
    throw unreadable(request, `the encoding "${encoding.slice(0, 40)}"`)
  }
  const unpacking = new DecompressionStream(format)
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
