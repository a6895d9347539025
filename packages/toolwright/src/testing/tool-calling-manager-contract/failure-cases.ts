/** What becomes of a tool's exception and of odd or large results. */
import assert from 'node:assert/strict'
import { ToolExecutionError } from '../../errors/errors.ts'
import { idle } from '../patience.ts'
import {
  errorText,
  resultText,
  toolCall,
  type ManagerCase,
  type ManagerTrial,
} from './manager-trial.ts'
import { PARIS, recording, type Work } from './trial-tools.ts'

class OutOfStock extends Error {}

const throwing =
  (thrown: unknown): Work =>
  () => {
    throw thrown
  }

/** What the model is told when `broken` does this. */
async function told(trial: ManagerTrial, work: Work): Promise<string> {
  const calls = [toolCall('a', 'broken', PARIS)]
  return errorText(
    await trial.execute(trial.manager(), { tools: [recording('broken', work)], calls }),
    'a',
  )
}

const unreadable = new Proxy(new Error('never read'), {
  get() {
    throw new Error('Nobody reads this.')
  },
})

export const FAILURE_CASES: readonly ManagerCase[] = [
  {
    name: 'what a tool throws is an error response, and the other calls keep their results',
    async check(trial) {
      const broken = recording('broken', throwing(new Error('The printer is on fire.')))
      const late = recording('late', async () => (await idle(), 'late result'))
      const calls = [toolCall('a', 'broken', PARIS), toolCall('b', 'late', PARIS)]
      const result = await trial.execute(trial.manager(), { tools: [broken, late], calls })
      const words = errorText(result, 'a')
      assert.ok(words.includes('The printer is on fire.'), `The model is told: ${words}`)
      assert.equal(resultText(result, 'b'), 'late result')
    },
  },
  {
    name: 'anything at all may be thrown or rejected with',
    async check(trial) {
      const odd = [
        null,
        undefined,
        '',
        'plain words',
        42,
        Object.freeze(new Error('cold')),
        unreadable,
      ]
      for (const thrown of odd) {
        assert.notEqual(await told(trial, throwing(thrown)), '', 'The model is told nothing.')
        assert.notEqual(await told(trial, () => Promise.reject(thrown)), '')
      }
    },
  },
  {
    name: 'keys in the message of an error do not reach the model',
    async check(trial) {
      const key = 'sk-live-0123456789abcdef'
      const words = await told(trial, throwing(new Error(`Refused: ${key}`)))
      assert.ok(!words.includes(key), 'The model is told a key.')
    },
  },
  {
    name: 'throwOnError rejects with a ToolExecutionError that says who and why',
    async check(trial) {
      const cause = new Error('The printer is on fire.')
      const tools = [recording('broken', throwing(cause))]
      const calls = [toolCall('a', 'broken', PARIS)]
      const manager = trial.manager({ throwOnError: true })
      const error = await trial.rejects(trial.start(manager, { tools, calls }))
      assert.ok(error instanceof ToolExecutionError, `It rejected with ${String(error)}.`)
      assert.deepEqual([error.toolName, error.callId], ['broken', 'a'])
      assert.equal(error.cause, cause, 'The cause is not what the tool threw.')
    },
  },
  {
    name: 'rethrow rejects with errors of its classes, and only with those',
    async check(trial) {
      const manager = trial.manager({ rethrow: [OutOfStock] })
      const soldOut = new OutOfStock('Sold out.')
      const calls = [toolCall('a', 'broken', PARIS)]
      const ending = { tools: [recording('broken', throwing(soldOut))], calls }
      assert.equal(await trial.rejects(trial.start(manager, ending)), soldOut)
      const other = { tools: [recording('broken', throwing(new Error('Other.')))], calls }
      errorText(await trial.execute(manager, other), 'a')
    },
  },
  {
    name: 'the exception processor chooses the words, and sees one ToolExecutionError',
    async check(trial) {
      const seen: ToolExecutionError[] = []
      const exceptionProcessor = (error: ToolExecutionError): string => {
        seen.push(error)
        return 'Try tomorrow.'
      }
      const own = new ToolExecutionError('own words', { toolName: 'broken', callId: 'a' })
      const tools = [recording('broken', throwing(own))]
      const manager = trial.manager({ exceptionProcessor })
      const calls = [toolCall('a', 'broken', PARIS)]
      const result = await trial.execute(manager, { tools, calls })
      assert.equal(errorText(result, 'a'), 'Try tomorrow.')
      assert.deepEqual(seen, [own], 'An error that already was one was wrapped again.')
      assert.equal(seen[0], own)
    },
  },
  {
    name: 'whatever a tool returns is told in some form, never a failure',
    async check(trial) {
      const cycle: { self?: unknown } = {}
      cycle.self = cycle
      const spiteful = {
        toJSON() {
          throw new Error('No.')
        },
      }
      const odd = [
        undefined,
        null,
        0,
        false,
        10n,
        new Date(NaN),
        new Map([[{}, 1]]),
        new Set([1]),
        cycle,
        spiteful,
        Symbol('s'),
        () => 1,
      ]
      for (const value of odd) {
        const tools = [recording('odd', () => value)]
        const calls = [toolCall('a', 'odd', PARIS)]
        const result = await trial.execute(trial.manager(), { tools, calls })
        assert.notEqual(resultText(result, 'a'), '', 'The model is told nothing.')
      }
    },
  },
  {
    name: 'a result is cut to limits.resultBytes, keeping its head and tail',
    async check(trial) {
      const long = `HEAD${'😀'.repeat(5_000)}TAIL`
      const tools = [recording('long', () => long)]
      const calls = [toolCall('a', 'long', PARIS)]
      const manager = trial.manager({ limits: { resultBytes: 1_000 } })
      const text = resultText(await trial.execute(manager, { tools, calls }), 'a')
      const bytes = Buffer.byteLength(text)
      assert.ok(bytes <= 1_000, `The result has ${bytes} bytes; 1000 are allowed.`)
      assert.ok(text.startsWith('HEAD') && text.endsWith('TAIL'), 'Head or tail is missing.')
      assert.ok(text.isWellFormed() && !text.includes('\uFFFD'), 'A character was cut apart.')
    },
  },
]
