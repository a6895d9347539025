/** What is inside something of which nobody wants to hear more: it takes the same way as without watching. */
import type { JsonObject } from '../messages/json.ts'
import type { Watched } from './watcher.ts'

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

  tool(): Watched {
    return this
  }

  advice(): Watched {
    return this
  }

  run<T>(work: () => T | Promise<T>): T | Promise<T> {
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
  called(): void {}
  failed(): void {}
}
