/** What really happened, told by the tools themselves: nothing of the run is in here, so it can be held against what the run says. */
export interface Effect {
  readonly name: string
  readonly key: string
  readonly n: number
  readonly by?: string
}

/** What a run says of an effect. */
export interface SaidEffect extends Omit<Effect, 'key'> {
  readonly receipt: number
}

export class EffectBook {
  readonly effects: Effect[] = []
  /** Keys that came with another effect than before. */
  readonly faults: string[] = []

  /** As sending a letter does: every time counts. Gives the number of the effect, from 1. */
  once(effect: Effect): number {
    this.#look(effect)
    return this.effects.push(effect)
  }

  /** As a payment service does: the first with this key counts. */
  keyed(effect: Effect): number {
    return this.#look(effect) ?? this.effects.push(effect)
  }

  receiptOf(key: string): number | undefined {
    const index = this.effects.findIndex((effect) => effect.key === key)
    return index === -1 ? undefined : index + 1
  }

  /** Each effect is said once, as it was, and there are so many. */
  compare(said: readonly SaidEffect[], count: number): readonly string[] {
    const faults = said.flatMap(({ receipt, name, n, by }) => {
      const effect = this.effects[receipt - 1]
      const isSame = effect?.name === name && effect.n === n && effect.by === by
      return isSame ? [] : [`swapped: ${JSON.stringify({ receipt, name, n, by, effect })}`]
    })
    const receipts = said.map(({ receipt }) => receipt)
    const unsaid = this.effects.filter((_, index) => !receipts.includes(index + 1))
    for (const effect of unsaid) faults.push(`doubled: ${JSON.stringify(effect)}`)
    if (new Set(receipts).size !== count) faults.push(`lost: ${count} wanted, ${receipts.join()}`)
    return faults
  }

  #look(effect: Effect): number | undefined {
    const receipt = this.receiptOf(effect.key)
    const known = receipt === undefined ? undefined : this.effects[receipt - 1]!
    if (known && (known.name !== effect.name || known.n !== effect.n || known.by !== effect.by))
      this.faults.push(`one key, two effects: ${JSON.stringify([known, effect])}`)
    return receipt
  }
}
