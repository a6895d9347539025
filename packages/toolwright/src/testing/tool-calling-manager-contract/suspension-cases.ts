/** Which calls wait for somebody, and what a policy can do. The other calls of the batch run. */
import assert from 'node:assert/strict'
import type { PendingCall } from '../../messages/run-state.ts'
import type { PolicyCall, ToolPolicy } from '../../tool-calling/policy.ts'
import type { ToolExecutionResult } from '../../tool-calling/tool-calling-manager.ts'
import { tool } from '../../tools/tool.ts'
import {
  errorText,
  promptOf,
  responseOf,
  resultText,
  toolCall,
  type ManagerCase,
  type ManagerTrial,
} from './manager-trial.ts'
import { PARIS, recording, ROME, type RecordingTool } from './trial-tools.ts'

const PAY = [toolCall('a', 'pay', PARIS)]

/** What waits after one call of `pay`. */
async function waiting(
  trial: ManagerTrial,
  pay: RecordingTool,
  policy?: ToolPolicy,
): Promise<readonly PendingCall[] | undefined> {
  const manager = trial.manager(policy ? { policy } : {})
  return (await trial.execute(manager, { tools: [pay], calls: PAY })).pending
}

function checkWaits(pay: RecordingTool, pending: readonly PendingCall[] | undefined): void {
  assert.equal(pay.ran.length, 0, 'The tool ran without consent.')
  assert.deepEqual(
    pending?.map(({ callId, toolName, input, kind }) => ({ callId, toolName, input, kind })),
    [{ callId: 'a', toolName: 'pay', input: PARIS, kind: 'approval' }],
    'The call does not wait for approval.',
  )
}

export const SUSPENSION_CASES: readonly ManagerCase[] = [
  {
    name: 'a tool with approval waits, the other calls of the batch run',
    async check(trial) {
      const pay = recording('pay', undefined, { approval: true })
      const look = recording('look')
      const calls = [...PAY, toolCall('b', 'look', ROME)]
      const batch = { tools: [pay, look], calls }
      const result = await trial.execute(trial.manager(), batch)
      checkWaits(pay, result.pending)
      assert.equal(look.ran.length, 1, 'The other call of the batch did not run.')
      assert.equal(result.responses.length, 1, 'There are other responses than that of the call.')
      resultText(result, 'b')
      const history = [...promptOf(batch).messages, responseOf(batch).results[0]!.message]
      assert.deepEqual(result.conversationHistory, history, 'An open batch has a tool message.')
      assert.equal(result.returnDirect, false)
    },
  },
  {
    name: 'an approval rule is asked with the input, and one that throws asks',
    async check(trial) {
      const approval = ({ city }: { readonly city: string }): boolean => city === 'Paris'
      const pay = recording('pay', undefined, { approval })
      checkWaits(pay, await waiting(trial, pay))
      const calls = [toolCall('b', 'pay', ROME)]
      resultText(await trial.execute(trial.manager(), { tools: [pay], calls }), 'b')
      const broken = recording('pay', undefined, {
        approval() {
          throw new Error('The rule is broken.')
        },
      })
      checkWaits(broken, await waiting(trial, broken))
    },
  },
  {
    name: 'a destructive tool waits',
    async check(trial) {
      const pay = recording('pay', undefined, { hints: { destructive: true } })
      checkWaits(pay, await waiting(trial, pay))
    },
  },
  {
    name: 'a call the policy asks about waits',
    async check(trial) {
      const pay = recording('pay')
      checkWaits(pay, await waiting(trial, pay, () => 'ask'))
    },
  },
  {
    name: 'a call of a tool without execute waits for its result',
    async check(trial) {
      const tools = [
        tool({ name: 'pay', input: { type: 'object', properties: { city: { type: 'string' } } } }),
      ]
      const { pending } = await trial.execute(trial.manager(), { tools, calls: PAY })
      assert.deepEqual(
        pending?.map(({ callId, kind, input }) => ({ callId, kind, input })),
        [{ callId: 'a', kind: 'result', input: PARIS }],
      )
    },
  },
  {
    name: 'a tool that asks a question waits for the answer, even if it catches the signal',
    async check(trial) {
      const asking = recording('pay', (_input, context) => context.suspend({ which: 'account' }))
      const stubborn = recording('pay', (_input, context) => {
        try {
          return context.suspend({ which: 'account' })
        } catch {
          return 'went on without an answer'
        }
      })
      for (const pay of [asking, stubborn]) {
        const pending = await waiting(trial, pay)
        assert.deepEqual(
          pending?.map(({ kind, question }) => ({ kind, question })),
          [{ kind: 'question', question: { which: 'account' } }],
        )
      }
    },
  },
  {
    name: 'what would happen is shown by the preview',
    async check(trial) {
      const pay = recording('pay', undefined, {
        approval: true,
        preview: ({ city }) => ({ pays: city }),
      })
      const pending = await waiting(trial, pay)
      assert.deepEqual(pending?.[0]?.preview, { pays: 'Paris' })
    },
  },
  {
    name: 'a call the policy denies is an error response with the reason',
    async check(trial) {
      const pay = recording('pay')
      const outcome = async (policy: ToolPolicy): Promise<ToolExecutionResult> =>
        trial.execute(trial.manager({ policy }), { tools: [pay], calls: PAY })
      const told = errorText(await outcome(() => ({ deny: 'Not on Sundays.' })), 'a')
      assert.ok(told.includes('Not on Sundays.'), `The model is told: ${told}`)
      errorText(await outcome(() => 'deny'), 'a')
      errorText(await outcome(() => 'whatever' as never), 'a')
      assert.equal(pay.ran.length, 0, 'A denied call ran.')
    },
  },
  {
    name: 'a policy that throws denies',
    async check(trial) {
      const pay = recording('pay')
      const policy = (): never => {
        throw new Error('The policy is broken.')
      }
      const manager = trial.manager({ policy })
      errorText(await trial.execute(manager, { tools: [pay], calls: PAY }), 'a')
      const rejecting = trial.manager({ policy: () => Promise.reject(new Error('Broken.')) })
      errorText(await trial.execute(rejecting, { tools: [pay], calls: PAY }), 'a')
      assert.equal(pay.ran.length, 0, 'A call ran that the policy did not allow.')
    },
  },
  {
    name: 'a policy sees the checked input, the definition and the context',
    async check(trial) {
      const seen: unknown[] = []
      const policy: ToolPolicy = (call, context) => {
        seen.push(essence(call), context.get('tenant'))
        return 'allow'
      }
      const pay = recording('pay')
      const calls = [toolCall('a', 'pay', { city: 'Paris', days: '2' })]
      const batch = { tools: [pay], calls, options: { toolContext: { tenant: 'acme' } } }
      await trial.execute(trial.manager({ policy }), batch)
      const input = { city: 'Paris', days: 2 }
      const { definition } = pay
      assert.deepEqual(seen, [{ callId: 'a', toolName: 'pay', input, definition }, 'acme'])
      assert.equal(pay.ran.length, 1, 'An allowed call did not run.')
    },
  },
  {
    name: 'wrong arguments are refused before anybody is asked',
    async check(trial) {
      const pay = recording('pay', undefined, { approval: true })
      const calls = [toolCall('a', 'pay', { town: 'Paris' })]
      const result = await trial.execute(trial.manager(), { tools: [pay], calls })
      errorText(result, 'a')
      assert.equal(result.pending, undefined, 'Somebody is asked about a call that cannot run.')
    },
  },
]

const essence = ({ callId, toolName, input, definition }: PolicyCall): object => ({
  callId,
  toolName,
  input,
  definition,
})
