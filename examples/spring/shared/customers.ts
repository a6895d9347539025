/** The customer repository of the seeds, by tenant. */
export interface Customer {
  readonly id: number
  readonly name: string
  readonly email?: string
}

const CUSTOMERS: { readonly [tenant: string]: readonly Customer[] } = {
  acme: [{ id: 42, name: 'Ada', email: 'ada@acme.test' }],
  globex: [{ id: 42, name: 'Grace' }],
}

export const customerRepository = {
  findById(id: number, tenant = 'acme'): Customer {
    const found = CUSTOMERS[tenant]?.find((customer) => customer.id === id)
    if (!found) throw new Error(`There is no customer ${id}`)
    return found
  },
}
