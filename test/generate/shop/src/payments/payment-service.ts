import type { ToolContext } from 'toolwright'
import { Money } from '../shared/money.ts'

export type PaymentMethod =
  | { type: 'card'; last4: string; expires: Date }
  | { type: 'transfer'; iban: string }
  | { type: 'voucher'; codes: Set<string> }

export class PaymentService {
  /**
   * Charge a customer.
   * @tool
   * @approval
   * @param amount How much
   * @param method How it is paid
   */
  charge(
    amount: Money,
    context: ToolContext<{ tenant: string }>,
    method: PaymentMethod,
  ): { receipt: string; charged: Money } {
    if (!(amount instanceof Money)) throw new TypeError('That is no money')
    const how =
      method.type === 'card'
        ? `card ${method.last4} until ${method.expires.getUTCFullYear()}`
        : method.type === 'voucher'
          ? `${method.codes.size} vouchers`
          : method.iban
    return { receipt: `${context.values.tenant}: ${amount} by ${how}`, charged: amount.times(1) }
  }

  /**
   * The largest of some amounts.
   * @tool
   * @readOnly
   * @param amounts In cents; may be larger than a number can hold
   */
  largest(amounts: bigint[]): bigint {
    return amounts.reduce((most, one) => (one > most ? one : most))
  }
}
