export enum Warehouse {
  North = 'north',
  South = 'south',
}

export interface Stock {
  /** How many, by article number */
  levels: Map<string, number>
  counted: Date
}

export class InventoryService {
  readonly #stock = new Map<Warehouse, Stock>()

  /**
   * Record what was counted.
   * @tool
   * @idempotent
   * @param warehouse Where
   * @param stock What was there
   */
  recordCount(warehouse: Warehouse, stock: Stock): number {
    this.#stock.set(warehouse, stock)
    return [...stock.levels.values()].reduce((sum, count) => sum + count, 0)
  }

  /**
   * What is in stock, everywhere.
   * @tool
   * @readOnly
   */
  stock(): Map<Warehouse, Stock> {
    return this.#stock
  }

  /**
   * Move goods between warehouses.
   * @tool
   * @param moves How many of which article
   * @param route From where to where
   */
  move(moves: Record<string, number>, route: [from: Warehouse, to: Warehouse]): string {
    const [from, to] = route
    const goods = Object.entries(moves).map(([sku, count]) => `${count} × ${sku}`)
    return `${goods.join(', ')} from ${from} to ${to}`
  }
}
