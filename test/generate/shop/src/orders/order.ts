import type { Address } from '../shared/address.ts'
import type { Money } from '../shared/money.ts'

export enum OrderStatus {
  Open = 'open',
  Paid = 'paid',
  Shipped = 'shipped',
}

export interface OrderLine {
  /** Article number */
  sku: string
  /**
   * How many
   * @minimum 1
   */
  quantity: number
  price: Money
}

export interface NewOrder {
  customer: string
  lines: OrderLine[]
  shipTo: Address
  /** When it has to arrive, if it matters */
  due?: Date
}

export interface Order extends NewOrder {
  id: number
  status: OrderStatus
}
