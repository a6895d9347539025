/** An amount in the smallest unit of its currency. */
export class Money {
  /** Cents, pence, yen */
  readonly amount: bigint
  /**
   * ISO 4217 code
   * @pattern ^[A-Z]{3}$
   */
  readonly currency: string

  constructor(amount: bigint, currency: string) {
    this.amount = amount
    this.currency = currency
  }

  times(count: number): Money {
    return new Money(this.amount * BigInt(count), this.currency)
  }

  toString(): string {
    const digits = this.amount.toString().padStart(3, '0')
    return `${digits.slice(0, -2)}.${digits.slice(-2)} ${this.currency}`
  }
}
