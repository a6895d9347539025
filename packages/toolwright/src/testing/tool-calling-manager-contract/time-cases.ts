/** Timeouts, aborts and retries: a batch settles whatever its tools do. Time is the trial's. */
import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { idle } from '../patience.ts'
import type { ToolCallback } from '../../tools/tool-callback.ts'
import {
  errorText,
  resultText,
  toolCall,
  type ManagerCase,
  type ManagerTrial,
} from './manager-trial.ts'
import { forever, PARIS, recording, ROME, type Work } from './trial-tools.ts'

const STUCK = [toolCall('a', 'stuck', PARIS)]

/** A promise to be settled by hand. */
function deferred(): { readonly promise: Promise<string>; resolve(text: string): void } {
  let resolve = (_text: string): void => {}
  const promise = new Promise<string>((settle) => (resolve = settle))
  return { promise, resolve: (text) => resolve(text) }
}

/** How many times each tool fails before it works. */
const failing = (times: number): { readonly work: Work; readonly attempts: unknown[] } => {
  const attempts: unknown[] = []
  const work: Work = (_input, { attempt, idempotencyKey }) => {
    attempts.push([attempt, idempotencyKey])
    if (attempts.length <= times) throw new Error('Not yet.')
    return 'worked'
  }
  return { work, attempts }
}

export const TIME_CASES: readonly ManagerCase[] = [
  {
    name: 'a timeout settles the call though the tool ignores its signal',
    async check(trial) {
      const tools = [recording('stuck', forever), recording('quick')]
      const calls = [...STUCK, toolCall('b', 'quick', PARIS)]
      const manager = trial.manager({ limits: { toolTimeoutMs: 1_000 } })
      const work = trial.start(manager, { tools, calls })
      await passes(trial, work, 1_000)
      const result = await trial.settles(work)
      errorText(result, 'a')
      resultText(result, 'b')
    },
  },
  {
    name: "a tool's own timeout wins over the limit, and its signal is aborted",
    async check(trial) {
      let signal: AbortSignal | undefined
      const work: Work = (_input, context) => ((signal = context.signal), forever())
      const tools = [recording('stuck', work, { timeoutMs: 50 })]
      const started = trial.start(trial.manager(), { tools, calls: STUCK })
      await passes(trial, started, 50)
      errorText(await trial.settles(started), 'a')
      assert.equal(signal?.aborted, true, 'The signal of the tool is not aborted.')
    },
  },
  {
    name: 'a result that comes after the timeout is dropped and noticed',
    async check(trial) {
      const late = deferred()
      const tools = [recording('stuck', () => late.promise, { timeoutMs: 50 })]
      const work = trial.start(trial.manager(), { tools, calls: STUCK })
      await trial.clock.advance(50)
      const result = await trial.settles(work)
      late.resolve('too late')
      await idle()
      assert.ok(!errorText(result, 'a').includes('too late'))
      const results = trial.events.filter((event) => event.type === 'tool-result')
      assert.equal(results.length, 1, `There are ${results.length} results of one call.`)
      const notices = trial.events.filter((event) => event.type === 'notice')
      assert.deepEqual(
        notices.map((event) => event.code),
        ['late-result'],
        'The late result is not noticed once.',
      )
    },
  },
  {
    name: 'an abort settles at once with its reason, though the tool ignores it',
    async check(trial) {
      let seen: AbortSignal | undefined
      const tools = [recording('stuck', (_input, context) => ((seen = context.signal), forever()))]
      const controller = new AbortController()
      const { signal } = controller
      const work = trial.start(trial.manager(), { tools, calls: STUCK }, { signal })
      await idle()
      const reason = new Error('The caller changed its mind.')
      controller.abort(reason)
      assert.equal(await trial.rejects(work), reason, 'It rejects with something else.')
      assert.equal(seen?.reason, reason, 'The tool is not told of the abort.')
    },
  },
  {
    name: 'a signal aborted before runs nothing',
    async check(trial) {
      const look = recording('look')
      const reason = new Error('The caller changed its mind.')
      const batch = { tools: [look], calls: [toolCall('a', 'look', PARIS)] }
      const work = trial.start(trial.manager(), batch, { signal: AbortSignal.abort(reason) })
      assert.equal(await trial.rejects(work), reason, 'It rejects with something else.')
      assert.equal(look.ran.length, 0, 'A tool ran in an aborted batch.')
    },
  },
  {
    name: 'after an abort no further call starts',
    async check(trial) {
      const first = deferred()
      const look = recording('look', () => first.promise)
      const calls = [toolCall('a', 'look', PARIS), toolCall('b', 'look', ROME)]
      const controller = new AbortController()
      const { signal } = controller
      const manager = trial.manager({ limits: { parallel: 1 } })
      const work = trial.start(manager, { tools: [look], calls }, { signal })
      await idle()
      controller.abort(new Error('The caller changed its mind.'))
      await trial.rejects(work)
      first.resolve('done')
      await idle()
      assert.deepEqual(look.ran, [PARIS], 'A call started after the abort.')
    },
  },
  {
    name: 'no listener stays on the signal',
    async check(trial) {
      const { signal } = new AbortController()
      const batch = { tools: [recording('look')], calls: [toolCall('a', 'look', PARIS)] }
      await trial.execute(trial.manager(), batch, { signal })
      await idle()
      const left = getEventListeners(signal, 'abort').length
      assert.equal(left, 0, `${left} listeners are left on the signal.`)
      assert.equal(trial.clock.waiting, 0, 'A timer is left running.')
    },
  },
  {
    name: 'a tool that may run twice is retried, under the same idempotency key',
    async check(trial) {
      const { work, attempts } = failing(2)
      const options = { hints: { idempotent: true }, retry: { attempts: 3, delayMs: 100 } }
      const tools = [recording('stuck', work, options)]
      const started = trial.start(trial.manager(), { tools, calls: STUCK }, { runId: 'run_1' })
      await trial.clock.advance(300)
      assert.equal(resultText(await trial.settles(started), 'a'), 'worked')
      const keys = new Set(attempts.map((attempt) => (attempt as unknown[])[1]))
      assert.deepEqual(
        attempts.map((attempt) => (attempt as unknown[])[0]),
        [1, 2, 3],
      )
      assert.equal(keys.size, 1, 'The idempotency key changes between attempts.')
    },
  },
  {
    name: 'a tool whose effect may happen once is never run again',
    async check(trial) {
      const { work, attempts } = failing(1)
      const { definition, metadata } = recording('stuck')
      const scratch: ToolCallback = {
        definition,
        metadata: { ...metadata, effect: 'once', retry: { attempts: 3, delayMs: 1 } },
        call: async (_text, context) => work(PARIS, context!) as string,
      }
      const started = trial.start(trial.manager(), { tools: [scratch], calls: STUCK })
      await trial.clock.advance(1_000)
      errorText(await trial.settles(started), 'a')
      assert.equal(attempts.length, 1, `It ran ${attempts.length} times.`)
    },
  },
]

/** Time passes; the work must not settle before its end. */
async function passes(trial: ManagerTrial, work: Promise<unknown>, ms: number): Promise<void> {
  let over = false
  const settle = (): void => void (over = true)
  void work.then(settle, settle)
  await trial.clock.advance(ms - 1)
  assert.ok(!over, `It settled before its ${ms} ms were over.`)
  await trial.clock.advance(1)
}
