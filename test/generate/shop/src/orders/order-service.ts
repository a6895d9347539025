import { Money } from '../shared/money.ts'
import { OrderStatus, type NewOrder, type Order } from './order.ts'

export class OrderService {
  readonly #orders: Order[] = []

  /**
   * Place an order for a customer.
   *
   * The stock is reserved at once.
   * @tool
   * @param order What is ordered, and where it goes
   */
  placeOrder(order: NewOrder): Order {
    const placed = { ...order, id: this.#orders.length + 1, status: OrderStatus.Open }
    this.#orders.push(placed)
    return placed
  }

  /**
   * The total of an order, in words.
   * @tool
   * @readOnly
   * @param id Number of the order
   */
  async orderTotal(id: number): Promise<string> {
    const lines = this.#order(id).lines.map((line) => line.price.times(line.quantity))
    return lines.reduce((sum, one) => new Money(sum.amount + one.amount, one.currency)).toString()
  }

  /**
   * Give an order another status.
   * @tool
   * @idempotent
   * @param id Number of the order
   * @param status The new one
   */
  setStatus(id: number, status: OrderStatus): void {
    this.#order(id).status = status
  }

  /**
   * List the orders of a status, newest first.
   * @tool
   * @readOnly
   * @param status Left out: all
   */
  ordersWith(status?: OrderStatus): readonly number[] {
    const chosen = this.#orders.filter((order) => status === undefined || order.status === status)
    return chosen.map((order) => order.id).reverse()
  }

  /**
   * Cancel an order for good.
   * @tool
   * @destructive
   * @param id Number of the order
   * @param reason Told to the customer
   */
  cancelOrder(id: number, reason = 'no reason given'): string {
    this.#orders.splice(this.#orders.indexOf(this.#order(id)), 1)
    return `Order ${id} cancelled: ${reason}`
  }

  #order(id: number): Order {
    const order = this.#orders.find((one) => one.id === id)
    if (!order) throw new Error(`There is no order ${id}`)
    return order
  }
}
