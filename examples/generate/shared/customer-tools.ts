/** The `CustomerTools` of the seeds: an optional parameter, and data the model never sees. */
import type { ToolContext } from 'toolwright'

export interface Customer {
  id: number
  name: string
  /** @format email */
  email?: string
}

export class CustomerTools {
  readonly #customers = new Map<string, Customer>([
    ['acme/42', { id: 42, name: 'Ada', email: 'ada@acme.test' }],
    ['globex/42', { id: 42, name: 'Grace' }],
  ])

  /**
   * Retrieve customer information.
   * @tool
   * @readOnly
   */
  getCustomerInfo(id: number, context: ToolContext<{ tenantId: string }>): Customer | null {
    return this.#customers.get(`${context.values.tenantId}/${id}`) ?? null
  }

  /**
   * Update customer information.
   * @tool
   * @param email Left as it is when not given
   */
  updateCustomerInfo(id: number, name: string, email?: string): string {
    return `Updated customer ${id}: ${[name, email].filter(Boolean).join(', ')}`
  }
}
