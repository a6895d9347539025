/** The port alone, in workflows of a program that launches DBOS itself. */
import { DBOS } from '@dbos-inc/dbos-sdk'
import { afterAll, beforeAll, describe, expect, it as test } from 'vitest'
import { ChatClient, tool } from 'toolwright'
import { durabilityContract } from 'toolwright/testing'
import {
  HAS_POSTGRES,
  NO_POSTGRES,
  startPostgres,
  type PostgresServer,
} from '../../../test/postgres/postgres-server.ts'
import { dbosDurability } from './index.ts'
import { silent } from './silent-logger.ts'
import { roundModel } from './testing/round-model.ts'
import { workflowHost } from './testing/workflow-host.ts'

const it = test.skipIf(NO_POSTGRES[0])
let server: PostgresServer | undefined

const durability = dbosDurability()
const host = workflowHost(durability)
const effects: string[] = []
const pay = tool({
  name: 'pay',
  description: 'Pay',
  effect: 'keyed',
  execute: (_input, { idempotencyKey }) => (effects.push(idempotencyKey), 'paid'),
})
const client = ChatClient.create(roundModel([[['pay', {}], ['pay', {}]], 'Done.']), { tools: [pay], durability }) // prettier-ignore
const ask = DBOS.registerWorkflow((text: string) => client.prompt(text).call().content(), {
  name: 'ask',
})

beforeAll(async () => {
  if (!HAS_POSTGRES) return
  server = await startPostgres()
  DBOS.setConfig({
    name: 'own',
    systemDatabaseUrl: server.url,
    executorID: 'own-1',
    applicationVersion: '1',
    logger: silent,
  })
  await DBOS.launch()
})
afterAll(async () => {
  if (DBOS.isInitialized()) await DBOS.shutdown()
  await server?.[Symbol.asyncDispose]()
})

describe('dbosDurability() keeps the contract', () => {
  for (const { name, run } of durabilityContract({
    create: () => host.create(),
    reopen: (life) => host.reopen(life),
    cutOff: (life, key, tool) => host.cutOff(life, key, tool),
    records: true,
    patienceMs: 60_000,
  }))
    it(name, run)
})

describe('in a workflow of the program', () => {
  it('every step of a run is a step of the workflow, under its own key', async () => {
    const handle = await DBOS.startWorkflow(ask, { workflowID: 'mine' })('Pay twice.')
    expect(await handle.getResult()).toBe('Done.')
    const steps = (await DBOS.listWorkflowSteps('mine'))!.map(({ name }) => name)
    expect(steps.some((name) => /round-1\/.*model|round-1\/model/.test(name))).toBe(true)
    expect(steps.filter((name) => /\/tool\/call_1_/.test(name))).toHaveLength(2)
    expect(effects).toHaveLength(2)
  })

  it('outside a workflow the client just runs', async () => {
    expect(await client.prompt('Pay twice.').call().content()).toBe('Done.')
  })
})
