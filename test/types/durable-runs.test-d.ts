/** Names of clients and the input of a durable run, checked by the compiler. */
import { durableRuns, type DurableInput, type DurableRuns } from '@toolwright/dbos'
import type { ChatClient } from 'toolwright'
import { describe, expectTypeOf, it } from 'vitest'

declare const client: ChatClient
declare const named: DurableRuns<'support' | 'sales'>
const input = { prompt: 'Refund order 7' }

interface User {
  readonly name: string
}
declare const user: User

describe('durable runs', () => {
  it('know the names of their clients', () => {
    const open = () =>
      durableRuns({ url: 'postgres://x', clients: { support: client, sales: client } })
    expectTypeOf(open).returns.resolves.toEqualTypeOf<typeof named>()
    expectTypeOf(named.start).parameter(0).toEqualTypeOf<'support' | 'sales'>()
    // @ts-expect-error: there is no such client
    const misspelt = () => named.start('suport', input)
    expectTypeOf(misspelt).toBeFunction()
  })

  it('take any name where the clients are not known by name', () => {
    const clients: { readonly [name: string]: ChatClient } = {}
    const open = () => durableRuns({ url: 'postgres://x', clients })
    expectTypeOf(open).returns.resolves.toEqualTypeOf<DurableRuns>()
    expectTypeOf(named).toExtend<DurableRuns>()
  })

  it('take a toolContext of an interface', () => {
    expectTypeOf({ prompt: 'x', toolContext: user, params: user }).toExtend<DurableInput>()
    // @ts-expect-error: tools are those of the client
    const tools: DurableInput = { prompt: 'x', options: { tools: [] } }
    expectTypeOf(tools).toEqualTypeOf<DurableInput>()
  })
})
