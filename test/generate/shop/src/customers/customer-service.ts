import type { Address } from '../shared/address.ts'

export interface Customer {
  id: string
  name: string
  /** @format email */
  email: string
  birthday: Date | null
  addresses: Record<'billing' | 'shipping', Address>
  createdAt: Date
  /** @deprecated Customers have no rank any more. */
  rank?: number
}

type Changes = Partial<Pick<Customer, 'name' | 'email' | 'birthday'>>

export class CustomerService {
  readonly #customers = new Map<string, Customer>()

  /**
   * Register a customer.
   * @tool
   * @name register_customer
   */
  register(customer: Omit<Customer, 'id' | 'createdAt' | 'rank'>): string {
    const id = `c${this.#customers.size + 1}`
    this.#customers.set(id, { ...customer, id, createdAt: new Date(0) })
    return id
  }

  /**
   * Change what is known of a customer.
   * @tool
   * @param id As registering gave it
   * @param changes Only what changes; null for an unknown birthday
   */
  update(id: string, changes: Changes): Customer {
    const customer = this.#customers.get(id)
    if (!customer) throw new Error(`There is no customer ${id}`)
    const changed = { ...customer, ...changes }
    this.#customers.set(id, changed)
    return changed
  }

  /**
   * The year a customer was born in.
   * @tool
   * @param id As registering gave it
   */
  birthYear(id: string): number | null {
    return this.#customers.get(id)?.birthday?.getUTCFullYear() ?? null
  }
}
