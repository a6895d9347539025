/** Lets works of one name run one after another, in the order they were asked for. */
export class InTurn {
  readonly #last = new Map<string, Promise<unknown>>()

  async run<Value>(name: string, work: () => Promise<Value>): Promise<Value> {
    const before = this.#last.get(name)
    const own = before ? before.then(work, work) : work()
    this.#last.set(name, own)
    try {
      return await own
    } finally {
      if (this.#last.get(name) === own) this.#last.delete(name)
    }
  }
}
