/** Pauses between tries, a little longer each time and never the same for two programs, until the time is up. */
export class Patience {
  readonly #end: number
  #tries = 0

  constructor(waitMs: number) {
    this.#end = performance.now() + waitMs
  }

  /** False, without a pause, when the time is up. */
  async pause(longestMs: number): Promise<boolean> {
    const left = this.#end - performance.now()
    if (left <= 0) return false
    const pauseMs = Math.min(longestMs, 2 ** this.#tries++) * (0.5 + Math.random())
    await new Promise((resolve) => setTimeout(resolve, Math.min(pauseMs, left)))
    return true
  }
}
