/** What the limits of a user turn allow, count and refuse. */
import assert from 'node:assert/strict'
import type { CallCounters } from '../../messages/run-state.ts'
import type {
  ToolCallingManager,
  ToolExecutionResult,
} from '../../tool-calling/tool-calling-manager.ts'
import {
  errorText,
  resultText,
  toolCall,
  type ManagerCase,
  type ManagerTrial,
} from './manager-trial.ts'
import { OSLO, PARIS, recording, ROME, type RecordingTool } from './trial-tools.ts'

/** The same call again and again, one batch each, counted on. */
async function repeated(
  trial: ManagerTrial,
  { manager, look, times }: { manager: ToolCallingManager; look: RecordingTool; times: number },
): Promise<readonly ToolExecutionResult[]> {
  const results: ToolExecutionResult[] = []
  let counters: CallCounters | undefined
  for (let time = 0; time < times; time++) {
    const batch = { tools: [look], calls: [toolCall('a', 'look', PARIS)] }
    const result = await trial.execute(manager, batch, counters ? { counters } : {})
    counters = result.counters
    results.push(result)
  }
  return results
}

const MANY = [PARIS, ROME, OSLO].map((city, index) => toolCall(`call_${index + 1}`, 'look', city))

export const LIMIT_CASES: readonly ManagerCase[] = [
  ...(['callsPerTool', 'callsTotal'] as const).map((limit): ManagerCase => ({
    name: `in the batch that crosses ${limit} the first calls run, the rest get an error`,
    async check(trial) {
      const look = recording('look')
      const manager = trial.manager({ limits: { [limit]: 2 } })
      const result = await trial.execute(manager, { tools: [look], calls: MANY })
      assert.deepEqual(look.ran, [PARIS, ROME], 'Not exactly the first two calls ran.')
      resultText(result, 'call_1')
      resultText(result, 'call_2')
      errorText(result, 'call_3')
      assert.equal(result.limit, limit, 'The result does not name the limit it met.')
    },
  })),
  {
    name: 'callsPerTool counts each tool for itself',
    async check(trial) {
      const tools = [recording('look'), recording('book')]
      const calls = [toolCall('a', 'look', PARIS), toolCall('b', 'book', PARIS)]
      const manager = trial.manager({ limits: { callsPerTool: 1 } })
      const result = await trial.execute(manager, { tools, calls })
      assert.equal(result.limit, undefined, 'Two tools share one count.')
    },
  },
  {
    name: 'counting goes on where the counters of the last batch stopped',
    async check(trial) {
      const look = recording('look')
      const manager = trial.manager({ limits: { callsTotal: 4, identicalCalls: 'unlimited' } })
      const first = await trial.execute(manager, { tools: [look], calls: MANY })
      assert.ok(first.counters, 'The result has no counters.')
      const { counters } = first
      const second = await trial.execute(manager, { tools: [look], calls: MANY }, { counters })
      assert.equal(look.ran.length, 4, `${look.ran.length} calls ran; 4 are allowed.`)
      assert.equal(second.limit, 'callsTotal')
      const fresh = await trial.execute(manager, { tools: [look], calls: MANY })
      assert.equal(fresh.limit, undefined, 'A new turn does not count from the start.')
    },
  },
  {
    name: 'the third identical call carries a hint, the fourth is refused',
    async check(trial) {
      const look = recording('look')
      const manager = trial.manager()
      const results = await repeated(trial, { manager, look, times: 4 })
      const [first, second, third] = results.slice(0, 3).map((result) => resultText(result, 'a'))
      assert.equal(second, first, 'The second already carries something else.')
      assert.notEqual(third, first, 'The third carries no hint.')
      assert.ok(third?.startsWith(first!), 'The hint replaces the result.')
      errorText(results[3]!, 'a')
      assert.equal(results[3]!.limit, 'identicalCalls')
      assert.equal(look.ran.length, 3, `The tool ran ${look.ran.length} times.`)
    },
  },
  {
    name: 'equal calls with different results are not identical',
    async check(trial) {
      let count = 0
      const look = recording('look', () => `result ${++count}`)
      const results = await repeated(trial, { manager: trial.manager(), look, times: 5 })
      assert.equal(resultText(results[4]!, 'a'), 'result 5')
      assert.equal(look.ran.length, 5)
    },
  },
]
