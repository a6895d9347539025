/** What a page asks for twice, because it did not hear the answer, is done once. */
export class OnceByRequest<Answer> {
  readonly #answers = new Map<string, Promise<Answer>>()
  readonly #keep: number

  /** How many of the newest requests are known again. */
  constructor(keep: number) {
    this.#keep = keep
  }

  /** A request that was refused has done nothing, and may be made again. */
  run(requestId: string, work: () => Promise<Answer>): Promise<Answer> {
    const before = this.#answers.get(requestId)
    if (before) return before
    const answer = work()
    this.#answers.set(requestId, answer)
    answer.catch(() => this.#answers.delete(requestId))
    const [oldest] = this.#answers.keys()
    if (this.#answers.size > this.#keep) this.#answers.delete(oldest!)
    return answer
  }
}
