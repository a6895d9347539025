/** What a tool sees of the run, and what stays private. */
import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import { tool } from '../../tools/tool.ts'
import type { ToolContext } from '../../tools/tool-context.ts'
import { promptOf, toolCall, type ManagerCase } from './manager-trial.ts'
import { PARIS, recording } from './trial-tools.ts'

const SECRET = 'tenant-secret-4711'
const LOOK = [toolCall('a', 'look', PARIS)]

export const CONTEXT_CASES: readonly ManagerCase[] = [
  {
    name: "a tool sees the request's context and its own call",
    async check(trial) {
      const contexts: ToolContext[] = []
      const look = recording('look', (_input, context) => void contexts.push(context))
      const batch = { tools: [look], calls: LOOK, options: { toolContext: { tenant: 'acme' } } }
      await trial.execute(trial.manager(), batch, { runId: 'run_1' })
      const context = contexts[0]!
      assert.equal(context.get('tenant'), 'acme')
      assert.equal(context.get('toString'), undefined, 'An inherited name is taken for a value.')
      assert.deepEqual({ ...context.values }, { tenant: 'acme' })
      assert.deepEqual([context.callId, context.toolName, context.attempt], ['a', 'look', 1])
      assert.ok(context.idempotencyKey.includes('a'), 'The idempotency key is not of this call.')
      assert.ok(context.signal instanceof AbortSignal, 'There is no signal.')
    },
  },
  {
    name: 'the context is frozen: no tool can change what another sees',
    async check(trial) {
      const toolContext = { tenant: 'acme' }
      const spoiling = recording('look', (_input, context) => {
        assert.ok(Object.isFrozen(context), 'The context is not frozen.')
        try {
          ;(context.values as { tenant: string }).tenant = 'evil'
        } catch {
          // Refusing the write is as good as keeping it private.
        }
      })
      let seen: unknown
      const reading = recording('read', (_input, context) => void (seen = context.get('tenant')))
      const manager = trial.manager({ limits: { parallel: 1 } })
      const calls = [...LOOK, toolCall('b', 'read', PARIS)]
      const batch = { tools: [spoiling, reading], calls, options: { toolContext } }
      const result = await trial.execute(manager, batch)
      const failed = result.responses.find((response) => response.isError)
      assert.equal(failed, undefined, inspect(failed))
      assert.equal(seen, 'acme', 'One tool changed the context of another.')
      assert.equal(toolContext.tenant, 'acme', "A tool changed the caller's own object.")
    },
  },
  {
    name: 'the context reaches no response, event or pending call',
    async check(trial) {
      const pay = recording('pay', undefined, { approval: true })
      const look = recording('look')
      const options = { toolContext: { token: SECRET } }
      const calls = [...LOOK, toolCall('b', 'pay', PARIS), toolCall('c', 'nobody')]
      const batch = { tools: [look, pay], calls, options }
      const { result, state } = await trial.suspend(trial.manager(), batch)
      const shown = JSON.stringify([result, state, trial.events])
      assert.ok(!shown.includes(SECRET), 'The context is shown.')
    },
  },
  {
    name: 'a tool that declares its context gets just that, checked',
    async check(trial) {
      const seen: unknown[] = []
      const look = tool({
        name: 'look',
        input: { type: 'object', properties: { city: { type: 'string' } } },
        context: {
          type: 'object',
          properties: { tenant: { type: 'string' } },
          required: ['tenant'],
        },
        execute: (_input, context) => void seen.push({ ...context.values }),
      })
      const given = { tools: [look], calls: LOOK }
      const toolContext = { tenant: 'acme', token: SECRET }
      await trial.execute(trial.manager(), { ...given, options: { toolContext } })
      assert.deepEqual(seen, [{ tenant: 'acme' }], 'The tool sees other keys than it declares.')
      const wrong = trial.start(trial.manager(), { ...given, options: { toolContext: {} } })
      assert.equal(await trial.code(wrong), 'invalid-tool-context')
    },
  },
  {
    name: 'only a tool that needs the history sees it',
    async check(trial) {
      const seen: unknown[] = []
      const look = recording('look', (_input, context) => void seen.push(context.history))
      const read = recording('read', (_input, context) => void seen.push(context.history), {
        needs: ['history'],
      })
      const batch = { tools: [look, read], calls: [...LOOK, toolCall('b', 'read', PARIS)] }
      await trial.execute(trial.manager({ limits: { parallel: 1 } }), batch)
      assert.deepEqual(seen, [undefined, promptOf(batch).messages])
    },
  },
]
