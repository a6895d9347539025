/**
 * Reads a body that is not streamed. It ends where HTTP says so. A server that sends its JSON and then
 * neither ends the body nor closes the connection is not waited for: what is complete JSON is the answer.
 */
import { isJson } from '../../internal/is-json.ts'
import type { Clock } from '../../ports/clock.ts'
import type { TransportResponse } from '../../ports/transport.ts'
import { settlesWithin } from './settles-within.ts'

/** How long after what may be the last byte the end of the body is awaited. */
const LINGER_MS = 100
const UTF8 = new TextDecoder()

export interface WholeBody {
  /** Decoded when it is asked for: what is too large is not. */
  text(): string
  readonly isTooLarge: boolean
  /** What ended it too early. */
  readonly broken?: { readonly thrown: unknown }
}

export async function wholeBody(
  response: TransportResponse,
  { clock, maxBytes }: { readonly clock: Clock; readonly maxBytes: number },
): Promise<WholeBody> {
  const chunks: Uint8Array[] = []
  const body = response.body[Symbol.asyncIterator]()
  const isSized = response.header('content-length') !== undefined
  let bytes = 0
  const text = (): string => textOf(chunks, bytes)
  try {
    for (;;) {
      const next = body.next()
      const mayBeOver = !isSized && endsJson(chunks.at(-1))
      const isSilent = mayBeOver && !(await settlesWithin(clock, LINGER_MS, next))
      if (isSilent && isJson(text())) break
      const { done, value } = await next
      if (done) return { text, isTooLarge: false }
      chunks.push(value)
      bytes += value.length
      if (bytes > maxBytes) break
    }
  } catch (thrown) {
    return { text, isTooLarge: false, broken: { thrown } }
  }
  // Not awaited: a body that waits for its server would return only after it.
  void leave(body)
  return { text, isTooLarge: bytes > maxBytes }
}

async function leave(body: AsyncIterator<Uint8Array>): Promise<void> {
  try {
    await body.return?.()
  } catch {
    // Nothing more is wanted of it.
  }
}

/** Whether the last byte is a bracket that may close a value, or a blank behind one. */
function endsJson(chunk: Uint8Array | undefined): boolean {
  const last = chunk?.at(-1)
  return last === 0x7d || last === 0x5d || last === 0x0a || last === 0x0d || last === 0x20
}

/** In one go: most answers are one chunk, and a decoder that keeps state is slow to make. */
function textOf(chunks: readonly Uint8Array[], bytes: number): string {
  if (chunks.length === 1) return UTF8.decode(chunks[0])
  const whole = new Uint8Array(bytes)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return UTF8.decode(whole)
}
