/** Asking a model: again while nothing has come, and never longer than its caller waits. */
import { ProviderError, withRetries, type Clock, type Random, type RetryPolicy } from 'toolwright'
import { toError } from './to-error.ts'

/** As the adapters of toolwright do it. The AI SDK tries again in `generateText`, which is not used here. */
export const THREE_TRIES: RetryPolicy = {
  attempts: 3,
  delayMs: 500,
  jitter: 'full',
  retryAfter: { maxMs: 30_000, spreadMs: 1_000 },
}
export const ONE_TRY: RetryPolicy = { attempts: 1, delayMs: 0 }

export interface Asking {
  readonly provider: string
  readonly policy: RetryPolicy
  readonly clock?: Clock | undefined
  readonly random?: Random | undefined
}

/** Resolves with what `ask` gives, or rejects with an error of the catalogue or the signal's reason. */
export function asked<T>(
  { provider, policy, clock, random }: Asking,
  signal: AbortSignal,
  ask: () => PromiseLike<T>,
): Promise<T> {
  const mayRetry = (thrown: unknown): boolean =>
    !signal.aborted && thrown instanceof ProviderError && thrown.retryable
  return withRetries(policy, { clock, random, signal, mayRetry }, async () => {
    try {
      return await untilAborted(signal, ask)
    } catch (thrown) {
      signal.throwIfAborted()
      throw toError(provider, thrown)
    }
  })
}

/** Rejects at once on abort, whether or not the model listens. */
export function untilAborted<T>(signal: AbortSignal, work: () => PromiseLike<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const abort = (): void => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    const settled = Promise.resolve(work())
    void settled.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

/** A signal of our own, for as long as an exchange takes: a model may leave its listeners on what it is given. */
export class Exchange {
  readonly #controller = new AbortController()
  readonly #caller: AbortSignal | undefined
  readonly #follow = (): void => this.#controller.abort(this.#caller!.reason)
  hasLeft = false

  constructor(caller: AbortSignal | undefined) {
    this.#caller = caller
    caller?.throwIfAborted()
    caller?.addEventListener('abort', this.#follow, { once: true })
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** The reader left, also while it waits. */
  leave(): void {
    this.hasLeft = true
    this.#controller.abort(new DOMException('The reader left.', 'AbortError'))
  }

  end(): void {
    this.#caller?.removeEventListener('abort', this.#follow)
  }
}
