/** Counts the calls that each caller has running, so that one cannot take the whole server. */
export class CallGate {
  readonly #most: number
  readonly #running = new Map<string, number>()

  constructor(most: number) {
    this.#most = most
  }

  /** What a caller is told that has as many as it may. */
  get tooMany(): string {
    return `Nothing ran. This server runs at most ${this.#most} calls at once for one caller. Try again when one of them has ended.`
  }

  /** Undefined when the caller has as many as it may; otherwise what to call when the call has ended. */
  enter(caller: string): (() => void) | undefined {
    const running = this.#running.get(caller) ?? 0
    if (running >= this.#most) return undefined
    this.#running.set(caller, running + 1)
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      this.#leave(caller)
    }
  }

  #leave(caller: string): void {
    const left = (this.#running.get(caller) ?? 1) - 1
    if (left > 0) this.#running.set(caller, left)
    else this.#running.delete(caller)
  }
}
