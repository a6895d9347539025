/**
 * Tools of a small shop, to be tried out on the page: `npx toolwright playground examples/playground/shop-tools.ts`.
 * One of each kind: one that reads, one with a large form, one that tells how far it is, one that asks first, and one
 * whose result a person supplies.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { tool } from 'toolwright'
import { z } from 'zod'

const orders = new Map([
  ['A-7', { id: 'A-7', item: 'Desk lamp', price: 49.9, status: 'delivered' }],
  ['A-8', { id: 'A-8', item: 'Office chair', price: 310, status: 'on its way' }],
])

export const findOrder = tool({
  name: 'findOrder',
  description: 'Look an order up by its number',
  input: z.object({ order: z.string().describe('The number of the order, e.g. A-7') }),
  inputExamples: [{ order: 'A-7' }],
  hints: { readOnly: true },
  execute: ({ order }) => orders.get(order) ?? `There is no order ${order}`,
})

const Address = z.object({
  street: z.string().describe('Street and number'),
  city: z.string(),
  country: z.enum(['AT', 'CH', 'DE', 'FR', 'IT']).describe('Where it goes'),
  note: z.string().nullable().describe('For the courier; null: nothing to say'),
})

export const planDelivery = tool({
  name: 'planDelivery',
  description: 'Plan the delivery of an order on a day',
  input: z.object({
    order: z.string().describe('The number of the order'),
    day: z.iso.date().describe('The day of the delivery'),
    address: Address.describe('Where the parcel goes'),
    parcels: z
      .array(z.object({ weight: z.number().min(0.1).max(30).describe('In kilograms') }))
      .min(1)
      .describe('One entry for each parcel'),
    handover: z
      .discriminatedUnion('kind', [
        z.object({ kind: z.literal('person'), name: z.string().describe('Who signs for it') }),
        z.object({ kind: z.literal('locker'), code: z.int().describe('Four digits') }),
      ])
      .describe('Who takes it'),
    express: z.boolean().optional().describe('Costs twice as much'),
  }),
  effect: 'idempotent',
  execute: ({ order, day, parcels, express }) => ({
    order,
    day,
    price: parcels.reduce((sum, { weight }) => sum + weight, 4) * (express ? 2 : 1),
  }),
})

export const countStock = tool({
  name: 'countStock',
  description: 'Count what is in stock, shelf by shelf',
  input: z.object({ shelves: z.int().min(1).max(20).describe('How many shelves to count') }),
  hints: { readOnly: true },
  async *execute({ shelves }) {
    let pieces = 0
    for (let shelf = 1; shelf <= shelves; shelf++) {
      await pause(50)
      pieces += shelf * 3
      yield { shelf, pieces }
    }
    return { shelves, pieces }
  },
})

export const refundOrder = tool({
  name: 'refundOrder',
  description: 'Pay the price of an order back',
  input: z.object({
    order: z.string().describe('The number of the order'),
    amount: z.number().positive().describe('How much, in euros'),
  }),
  hints: { destructive: true },
  preview: ({ order, amount }) => ({ says: `Pays ${amount} € back for ${order}` }),
  execute: ({ order, amount }) => ({ refunded: amount, order }),
})

export const askCustomer = tool({
  name: 'askCustomer',
  description: 'Ask the customer something; a person writes the answer',
  input: z.object({ question: z.string().describe('What to ask') }),
})
