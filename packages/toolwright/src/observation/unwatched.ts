/** What is inside something of which nobody wants to hear more: it takes the same way as without watching. */
import type { JsonObject } from '../messages/json.ts'
import type {
  Watched,
  WatchedAnswer,
  WatchedCall,
  WatchedCallOutcome,
  WatchedRequest,
} from './watcher.ts'

export class Unwatched implements Watched {
  readonly #around: Watched

  constructor(around: Watched) {
    this.#around = around
  }

  client(): Watched {
    return this
  }

  round(): Watched {
    return this
  }

  tool<Outcome extends WatchedCallOutcome>(
    _call: WatchedCall,
    settle: (watched: Watched) => Outcome | Promise<Outcome>,
  ): Outcome | Promise<Outcome> {
    return settle(this)
  }

  advice<Answer extends WatchedAnswer>(
    _of: { readonly name: string; readonly order: number } | undefined,
    _request: WatchedRequest,
    run: (watched: Watched) => Promise<Answer>,
  ): Promise<Answer> {
    return run(this)
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    return work()
  }

  /** A run that is suspended deep inside still asks its observers what they want to have back. */
  kept(): JsonObject | undefined {
    return this.#around.kept()
  }

  chunk(): boolean {
    return false
  }

  event(): void {}
  emitted(): void {}
  sent(): void {}
  facts(): void {}
  waited(): void {}
  retried(): void {}
  answered(): void {}
  failed(): void {}
}
