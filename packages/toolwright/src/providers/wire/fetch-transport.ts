/**
 * One POST over fetch: the transport of every runtime but Node. Redirects are not followed, so that no other
 * host gets the key. What fetch does before it answers, connecting too, is one wait: for the first byte.
 */
import { ProviderError } from '../../errors/errors.ts'
import { systemClock } from '../../ports/clock.ts'
import type { Transport, TransportRequest, TransportResponse } from '../../ports/transport.ts'
import { onAbort } from '../../internal/on-abort.ts'
import { leavableBody } from './leavable-body.ts'
import { firstByteMs, type Phase, providerOf, timedOut, unreachable } from './transport-errors.ts'

/** @param fetchFunction Default: the global one, looked up at each request. */
export function fetchTransport(fetchFunction?: typeof fetch): Transport {
  return async (request) => {
    const { signal } = request
    if (signal?.aborted) throw signal.reason
    const watch = new Watch(request)
    try {
      const response = await watch.during(
        'before the answer',
        (fetchFunction ?? globalThis.fetch)(request.url, {
          method: 'POST',
          headers: request.headers,
          body: request.body,
          redirect: 'manual',
          signal: watch.signal,
        }),
      )
      return answer(request, response, watch)
    } catch (thrown) {
      watch.end()
      throw thrown
    }
  }
}

function answer(request: TransportRequest, response: Response, watch: Watch): TransportResponse {
  if (response.type === 'opaqueredirect') {
    const message = `${providerOf(request)} answered with a redirect, which is not followed.`
    throw new ProviderError('provider-rejected', message, { provider: providerOf(request) })
  }
  return {
    status: response.status,
    header: (name) => response.headers.get(name) ?? undefined,
    body: bodyOf(response, watch),
  }
}

function bodyOf(response: Response, watch: Watch): AsyncIterable<Uint8Array> {
  const reader = response.body?.getReader()
  const close = (): void => {
    watch.end()
    reader?.cancel().catch(() => {})
  }
  return leavableBody(read(reader, watch, close), close)
}

async function* read(
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
  watch: Watch,
  close: () => void,
): AsyncGenerator<Uint8Array, void> {
  try {
    while (reader !== undefined) {
      const { done, value } = await watch.during('inside the answer', reader.read())
      if (done) return
      yield value
    }
  } finally {
    close()
  }
}

/** Ends a fetch that is aborted or silent: its own controller, so that nothing stays on the caller's signal. */
class Watch {
  readonly #request: TransportRequest
  readonly #controller = new AbortController()
  readonly #release: (() => void) | undefined
  #reject: ((thrown: unknown) => void) | undefined

  constructor(request: TransportRequest) {
    this.#request = request
    const { signal } = request
    this.#release = signal && onAbort(signal, () => this.#stop(signal.reason))
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Settles at once on abort or silence, whether or not `work` listens. */
  async during<T>(phase: Phase, work: Promise<T>): Promise<T> {
    const stopped = new Promise<never>((_resolve, reject) => (this.#reject = reject))
    if (this.signal.aborted) this.#reject?.(this.signal.reason)
    const request = this.#request
    const ms = phase === 'before the answer' ? firstByteMs(request) : request.idleTimeoutMs
    const cancel = systemClock.timer(ms, () => this.#stop(timedOut(request, phase)))
    try {
      return await Promise.race([stopped, work])
    } catch (thrown) {
      if (this.signal.aborted) throw this.signal.reason
      throw unreachable(this.#request, thrown, phase)
    } finally {
      cancel()
      this.#reject = undefined
      work.catch(() => {})
    }
  }

  end(): void {
    this.#release?.()
  }

  #stop(reason: unknown): void {
    this.#reject?.(reason)
    this.#controller.abort(reason)
  }
}
