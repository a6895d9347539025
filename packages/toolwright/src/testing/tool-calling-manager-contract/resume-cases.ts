/** How a suspended batch goes on: each decision, and what happens to the state. */
import assert from 'node:assert/strict'
import { tool } from '../../tools/tool.ts'
import type { ToolPolicy } from '../../tool-calling/policy.ts'
import {
  errorText,
  resultText,
  toolCall,
  type ManagerCase,
  type ManagerTrial,
  type Suspended,
} from './manager-trial.ts'
import { OSLO, PARIS, recording, ROME, type RecordingTool } from './trial-tools.ts'

const PAY = [toolCall('a', 'pay', PARIS)]

interface Waiting extends Suspended {
  readonly pay: RecordingTool
}

/** One call of `pay` that waits for approval. */
async function waiting(trial: ManagerTrial, policy?: ToolPolicy): Promise<Waiting> {
  const pay = recording('pay', undefined, { approval: true })
  const manager = trial.manager(policy ? { policy } : {})
  return { pay, ...(await trial.suspend(manager, { tools: [pay], calls: PAY })) }
}

export const RESUME_CASES: readonly ManagerCase[] = [
  {
    name: 'approve runs the call with its input',
    async check(trial) {
      const { pay, resume } = await waiting(trial)
      const result = await trial.settles(resume({ a: 'approve' }))
      assert.deepEqual(pay.ran, [PARIS])
      assert.equal(resultText(result, 'a'), 'Paris is fine')
      assert.equal(result.pending, undefined)
      assert.equal(result.conversationHistory.at(-1)?.role, 'tool', 'The batch is not closed.')
    },
  },
  {
    name: 'deny answers with the reason and runs nothing',
    async check(trial) {
      const { pay, resume } = await waiting(trial)
      const told = errorText(await trial.settles(resume({ a: { deny: 'Too expensive.' } })), 'a')
      assert.ok(told.includes('Too expensive.'), `The model is told: ${told}`)
      assert.equal(pay.ran.length, 0, 'A denied call ran.')
    },
  },
  {
    name: 'edit runs the call with the edited input, checked and coerced',
    async check(trial) {
      const { pay, resume } = await waiting(trial)
      const edit = { city: 'Rome', days: '2' }
      resultText(await trial.settles(resume({ a: { edit } })), 'a')
      assert.deepEqual(pay.ran, [{ city: 'Rome', days: 2 }])
    },
  },
  {
    name: 'an edit that does not fit is refused and does not use the state up',
    async check(trial) {
      const { pay, resume } = await waiting(trial)
      const code = await trial.code(resume({ a: { edit: { town: 'Rome' } } }))
      assert.equal(code, 'decision-invalid-edit')
      assert.equal(pay.ran.length, 0, 'A call ran with an edit that does not fit.')
      resultText(await trial.settles(resume({ a: 'approve' })), 'a')
    },
  },
  {
    name: 'an edit is put to the policy again, and a refusal does not use the state up',
    async check(trial) {
      const policy: ToolPolicy = ({ input }) =>
        (input as { city: string }).city === 'Rome' ? { deny: 'Not to Rome.' } : 'allow'
      const { pay, resume } = await waiting(trial, policy)
      assert.equal(await trial.code(resume({ a: { edit: ROME } })), 'decision-invalid-edit')
      resultText(await trial.settles(resume({ a: { edit: OSLO } })), 'a')
      assert.deepEqual(pay.ran, [OSLO])
    },
  },
  {
    name: 'result answers a call the application ran',
    async check(trial) {
      const input = { type: 'object', properties: { city: { type: 'string' } } } as const
      const tools = [tool({ name: 'pay', input })]
      const { resume } = await trial.suspend(trial.manager(), { tools, calls: PAY })
      const result = await trial.settles(resume({ a: { result: { paid: 12 } } }))
      assert.equal(resultText(result, 'a'), '{"paid":12}')
    },
  },
  {
    name: 'answer runs the tool again from the start, and its question returns the answer',
    async check(trial) {
      const pay = recording('pay', (_input, context) => `from ${String(context.suspend('Which?'))}`)
      const { resume } = await trial.suspend(trial.manager(), { tools: [pay], calls: PAY })
      const result = await trial.settles(resume({ a: { answer: 'savings' } }))
      assert.equal(resultText(result, 'a'), 'from savings')
      assert.equal(pay.ran.length, 2, 'The tool did not run again from the start.')
    },
  },
  {
    name: 'a tool may ask twice: the earlier answers are kept',
    async check(trial) {
      const pay = recording('pay', (_input, context) => {
        const account = context.suspend('Which account?')
        return `${String(account)}, ${String(context.suspend('Sure?'))}`
      })
      const { resume } = await trial.suspend(trial.manager(), { tools: [pay], calls: PAY })
      const result = await trial.settles(resume({ a: { answer: 'savings' } }))
      assert.deepEqual(
        result.pending?.map((call) => call.question),
        ['Sure?'],
        'The second question does not wait.',
      )
      assert.deepEqual(result.answers, { a: ['savings'] }, 'The first answer is lost.')
    },
  },
  {
    name: 'calls without a decision stay pending, and answered ones do not run again',
    async check(trial) {
      const pay = recording('pay', undefined, { approval: true })
      const look = recording('look')
      const calls = [toolCall('b', 'look', ROME), ...PAY, toolCall('c', 'pay', OSLO)]
      const manager = trial.manager()
      const { resume } = await trial.suspend(manager, { tools: [pay, look], calls })
      const result = await trial.settles(resume({ c: 'approve' }))
      assert.deepEqual(pay.ran, [OSLO], 'Other calls ran than the approved one.')
      assert.equal(look.ran.length, 1, 'A call that was answered ran again.')
      assert.deepEqual(
        result.pending?.map((call) => call.callId),
        ['a'],
      )
      const ids = result.responses.map((response) => response.id)
      assert.deepEqual(ids, ['b', 'c'], 'The responses are not in call order.')
    },
  },
  {
    name: 'a state is used once, also by two at the same time',
    async check(trial) {
      const { pay, resume } = await waiting(trial)
      const both = [resume({ a: 'approve' }), resume({ a: 'approve' })]
      const ends = await trial.settles(Promise.allSettled(both), 'Two resumes')
      const kinds = ends.map((end) => end.status).toSorted()
      assert.deepEqual(kinds, ['fulfilled', 'rejected'], 'Not exactly one of two resumes won.')
      assert.equal(await trial.code(resume({ a: 'approve' })), 'state-used')
      assert.equal(pay.ran.length, 1, `The approved call ran ${pay.ran.length} times.`)
    },
  },
  {
    name: 'the run store decides whether a state is still good',
    async check(trial) {
      const asked: string[] = []
      const use = async (id: string): Promise<boolean> => (asked.push(id), false)
      const pay = recording('pay', undefined, { approval: true })
      const manager = trial.manager({ runStore: { use } })
      const { state, resume } = await trial.suspend(manager, { tools: [pay], calls: PAY })
      assert.equal(await trial.code(resume({ a: 'approve' })), 'state-used')
      assert.deepEqual(asked, [state.id], 'The store was not asked once, for this state.')
      assert.equal(pay.ran.length, 0, 'A call of a used state ran.')
    },
  },
]
