/** The `CustomerTools` of the seeds. */
import { Tool } from 'toolwright'
import { z } from 'zod'
import { customerRepository, type Customer } from './customers.ts'

export class CustomerTools {
  @Tool({
    description: 'Retrieve customer information',
    input: z.object({ id: z.number().int() }),
  })
  getCustomerInfo({ id }: { id: number }): Customer {
    return customerRepository.findById(id)
  }
}

/** What a model asks when it wants to know about customer 42. */
export const askForCustomer = {
  toolCalls: [{ name: 'getCustomerInfo', arguments: { id: 42 } }],
}
