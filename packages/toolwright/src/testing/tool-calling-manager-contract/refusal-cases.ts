/** What must never run, and what the model is told instead. */
import assert from 'node:assert/strict'
import type { Json } from '../../messages/json.ts'
import type { ToolCallback } from '../../tools/tool-callback.ts'
import {
  errorText,
  resultText,
  toolCall,
  type ManagerCase,
  type ManagerTrial,
  type TrialBatch,
} from './manager-trial.ts'
import { PARIS, recording, type RecordingTool } from './trial-tools.ts'

const DEEP = '['.repeat(100_000)

const MALFORMED: readonly string[] = [
  '{"city":"Par',
  '{"city":"Paris",}',
  "{'city':'Paris'}",
  '{city:"Paris"}',
  '```json\n{"city":"Paris"}\n```',
  '{"city":"Paris"} // sunny',
  '{"city":"Paris"}{"city":"Rome"}',
  '{"city":"Paris","days":NaN}',
  '{"city":"Paris","city":"Rome"}',
  `{"city":${DEEP}`,
  `{"city":${DEEP}${']'.repeat(DEEP.length)}}`,
]

const HOSTILE: readonly string[] = [
  '{"city":"Paris","__proto__":{"polluted":true}}',
  '{"city":"Paris","constructor":{"prototype":{"polluted":true}}}',
  '{"city":"Paris","extra":{"__proto__":{"polluted":true}}}',
  '{"city":{"__proto__":{"polluted":true}}}',
]

const NO_OBJECT: readonly string[] = ['null', '[]', '"Paris"', '42', 'true']

/** Runs one call of `look` that must be refused; what the model is told. */
async function refused(trial: ManagerTrial, args: Json, look = recording('look')): Promise<string> {
  const calls = [toolCall('a', 'look', args)]
  const result = await trial.execute(trial.manager(), { tools: [look], calls })
  const shown = JSON.stringify(args).slice(0, 80)
  assert.equal(look.ran.length, 0, `The tool ran with ${shown}.`)
  return errorText(result, 'a')
}

export const REFUSAL_CASES: readonly ManagerCase[] = [
  {
    name: 'an unknown tool is answered with the nearest names, and the others run',
    async check(trial) {
      const [look, book] = [recording('get_weather'), recording('book_flight')]
      const calls = [toolCall('a', 'get_wether', PARIS), toolCall('b', 'book_flight', PARIS)]
      const result = await trial.execute(trial.manager(), { tools: [look, book], calls })
      const told = errorText(result, 'a')
      assert.ok(told.includes('get_weather'), `The nearest name is not told: ${told}`)
      assert.equal(look.ran.length, 0, 'A tool of a similar name ran.')
      assert.equal(book.ran.length, 1, 'The other call of the batch did not run.')
    },
  },
  {
    name: 'arguments that are not complete, strict JSON are an error, and the tool is not run',
    async check(trial) {
      for (const text of MALFORMED) await refused(trial, text)
    },
  },
  {
    name: 'arguments that are no object are an error, and the tool is not run',
    async check(trial) {
      for (const text of NO_OBJECT) await refused(trial, text)
    },
  },
  {
    name: 'arguments with keys that reach a prototype never run a tool',
    async check(trial) {
      for (const text of HOSTILE) {
        await refused(trial, text, openLook())
        assert.ok(!('polluted' in {}), `${text} reached Object.prototype.`)
      }
    },
  },
  {
    name: 'arguments that do not fit are an error with path, expected and received',
    async check(trial) {
      const told = await refused(trial, { city: { name: 'Paris' } })
      for (const word of ['$.city', 'string', 'object'])
        assert.ok(told.includes(word), `The model is not told "${word}": ${told}`)
      assert.ok((await refused(trial, {})).includes('city'), 'A missing argument is not named.')
    },
  },
  {
    name: 'an argument the tool does not know is an error, never dropped',
    async check(trial) {
      const told = await refused(trial, { city: 'Paris', unit: 'celsius' })
      assert.ok(told.includes('unit'), `The unknown argument is not named: ${told}`)
    },
  },
  {
    name: 'arguments are coerced where nothing is lost',
    async check(trial) {
      const look = recording('look')
      const calls = [toolCall('a', 'look', { city: 'Paris', days: '3' })]
      resultText(await trial.execute(trial.manager(), { tools: [look], calls }), 'a')
      assert.deepEqual(look.ran, [{ city: 'Paris', days: 3 }])
      await refused(trial, { city: 'Paris', days: '3.5' })
    },
  },
  {
    name: 'no arguments at all are an empty object',
    async check(trial) {
      const ping = openLook()
      const calls = [toolCall('a', 'look', '')]
      resultText(await trial.execute(trial.manager(), { tools: [ping], calls }), 'a')
      assert.deepEqual(ping.ran, [{}])
    },
  },
  {
    name: 'a tool made from scratch gets checked, coerced JSON text',
    async check(trial) {
      const texts: string[] = []
      const { definition, metadata } = recording('look')
      const scratch: ToolCallback = {
        definition,
        metadata,
        call: async (text) => (texts.push(text), 'from scratch'),
      }
      const calls = [
        toolCall('a', 'look', '{ "city": "Paris", "days": "3" }'),
        toolCall('b', 'look', { town: 'Paris' }),
      ]
      const result = await trial.execute(trial.manager(), { tools: [scratch], calls })
      assert.deepEqual(
        texts.map((text) => JSON.parse(text) as unknown),
        [{ city: 'Paris', days: 3 }],
      )
      assert.equal(resultText(result, 'a'), 'from scratch')
      errorText(result, 'b')
    },
  },
  {
    name: 'arguments larger than limits.argumentBytes are an error, and the tool is not run',
    async check(trial) {
      const look = recording('look')
      const manager = trial.manager({ limits: { argumentBytes: 100 } })
      // The second is short in UTF-16 units and long in bytes.
      for (const city of ['x'.repeat(200), '😀'.repeat(30)]) {
        const calls = [toolCall('a', 'look', { city })]
        errorText(await trial.execute(manager, { tools: [look], calls }), 'a')
      }
      assert.equal(look.ran.length, 0, 'The tool ran with too large arguments.')
    },
  },
  ...(['length', 'content-filter'] as const).map((finishReason): ManagerCase => ({
    name: `an answer that ended with ${finishReason} never runs its calls`,
    async check(trial) {
      const look = recording('look')
      const calls = [toolCall('a', 'look', PARIS), toolCall('b', 'look', PARIS)]
      const batch = { tools: [look], calls, finishReason }
      await refusedAll(trial, look, batch)
    },
  })),
  {
    name: 'with toolChoice none nothing runs',
    async check(trial) {
      const look = recording('look')
      const calls = [toolCall('a', 'look', PARIS), toolCall('b', 'look', PARIS)]
      const batch = { tools: [look], calls, options: { toolChoice: 'none' as const } }
      await refusedAll(trial, look, batch)
    },
  },
]

async function refusedAll(
  trial: ManagerTrial,
  look: RecordingTool,
  batch: TrialBatch,
): Promise<void> {
  const result = await trial.execute(trial.manager(), batch)
  assert.equal(look.ran.length, 0, `${look.ran.length} calls ran all the same.`)
  for (const call of batch.calls) errorText(result, call.id)
}

/** Takes any object, so that nothing but the parser stands between the model and the tool. */
function openLook(): RecordingTool {
  const input = { type: 'object', additionalProperties: true } as const
  return recording('look', () => 'looked', { input } as object)
}
