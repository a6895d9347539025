/** Work on one thing, one after another, in the order of asking. */
export class InTurn {
  readonly #last = new Map<string, Promise<unknown>>()

  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key) ?? Promise.resolve()
    const done = before.then(work, work)
    this.#last.set(key, done)
    const forget = (): void => {
      if (this.#last.get(key) === done) this.#last.delete(key)
    }
    done.then(forget, forget)
    return done
  }
}
