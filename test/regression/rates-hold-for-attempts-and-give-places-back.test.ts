/**
 * A call that leaves the line of a rate has taken no place in it, and every attempt of a call takes one. Aborted
 * calls once kept their place, and retries were not paced.
 */
import { describe, expect, it } from 'vitest'
import { ChatClient, tool, toolCallingManager, type RunResult, type ToolCallback } from 'toolwright'
import { manualClock, scriptedModel, type ManualClock } from 'toolwright/testing'
import { scenario, toldByTools } from '../e2e/scenario.ts'

const rateLimit = { calls: 1, perMs: 1000 }
const ASK = { toolCalls: [{ name: 'ask' }] }

interface Server {
  readonly clock: ManualClock
  readonly log: unknown[]
  run(signal?: AbortSignal): Promise<RunResult>
}

function serverOf(options: { calls: number; perMs: number } = rateLimit): Server {
  const clock = manualClock()
  const manager = toolCallingManager({ clock })
  const log: unknown[] = []
  const ask: ToolCallback = tool({
    name: 'ask',
    rateLimit: options,
    execute: () => void log.push(clock.now()),
  })
  const run = (signal?: AbortSignal): Promise<RunResult> => {
    const client = ChatClient.create(scriptedModel([ASK, 'Ok.']), { manager, tools: [ask] })
    const request = client.prompt('Go')
    return (signal ? request.signal(signal) : request).call().result()
  }
  return { clock, log, run }
}

describe('a call that waits for its turn', () => {
  it('gives its place to the next when its run is aborted', async () => {
    const { clock, log, run } = serverOf()
    const abort = new AbortController()
    const runs = [run(), run(abort.signal), run(), run()]
    runs[1]!.catch(() => {})
    await clock.advance(10)
    abort.abort('enough')
    await clock.advance(5000)
    await expect(runs[1]).rejects.toBe('enough')
    await Promise.all([runs[0], runs[2], runs[3]])
    expect(log).toEqual([0, 1000, 2000])
  })

  it('leaves no timer behind when it was the last', async () => {
    const { clock, run } = serverOf()
    const abort = new AbortController()
    const runs = [run(), run(abort.signal)]
    runs[1]!.catch(() => {})
    await clock.advance(10)
    expect(clock.waiting).toBe(1)
    abort.abort('enough')
    await expect(runs[1]).rejects.toBe('enough')
    await clock.advance(0)
    expect(clock.waiting).toBe(0)
  })

  scenario('leaves with the time of its run', {
    script: [{ toolCalls: [{ name: 'ask' }, { name: 'ask' }] }],
    client: ({ clock }) => ({ clock, limits: { runTimeoutMs: 50 } }),
    tools: ({ log, clock }) => [
      tool({ name: 'ask', rateLimit, execute: () => void log.push(clock.now()) }),
    ],
    during: ({ clock }) => clock.advance(50),
    check({ result, log, clock }) {
      expect(result.status).toBe('limit')
      expect(log).toEqual([0])
      expect(clock.waiting).toBe(0)
    },
  })

  it('is told at once when its turn would come too late, and takes no place', async () => {
    const { clock, log, run } = serverOf({ calls: 1, perMs: 45_000 })
    const runs = [run(), run(), run()]
    await clock.advance(0)
    const { messages } = await runs[2]!
    const told = messages.findLast((message) => message.role === 'tool')!
    expect(told.responses).toMatchObject([
      { isError: true, content: 'its rate is used up, and its turn would come in 90000 ms' },
    ])
    const late = run()
    await clock.advance(45_000)
    await Promise.all([runs[0], runs[1], late])
    expect(log).toEqual([0, 45_000])
  })

  scenario('may wait longer than its tool may run', {
    script: [{ toolCalls: [{ name: 'ask' }, { name: 'ask' }] }, 'Ok.'],
    tools: ({ log, clock }) => [
      tool({ name: 'ask', timeoutMs: 10, rateLimit, execute: () => void log.push(clock.now()) }),
    ],
    during: ({ clock }) => clock.advance(1000),
    check: ({ log }) => expect(log).toEqual([0, 1000]),
  })
})

describe('an attempt', () => {
  scenario('takes a place in the rate, each of them', {
    script: [ASK, 'Ok.'],
    tools: ({ log, clock }) => [
      tool({
        name: 'ask',
        effect: 'read',
        rateLimit: { calls: 2, perMs: 1000 },
        retry: { attempts: 5, delayMs: 1 },
        execute() {
          log.push(clock.now())
          throw new Error('down')
        },
      }),
    ],
    during: ({ clock }) => clock.advance(10_000),
    check({ log, prompts }) {
      expect(log).toEqual([0, 1, 1000, 1004, 2000])
      expect(toldByTools(prompts[1])).toEqual([{ content: 'down', isError: true }])
    },
  })

  scenario('is not made when its turn would come too late; the failure is told', {
    script: [ASK, 'Ok.'],
    tools: ({ log, clock }) => [
      tool({
        name: 'ask',
        effect: 'read',
        rateLimit: { calls: 1, perMs: 3_600_000 },
        retry: { attempts: 5, delayMs: 1 },
        execute() {
          log.push(clock.now())
          throw new Error('down')
        },
      }),
    ],
    during: ({ clock }) => clock.advance(100),
    check({ log, prompts }) {
      expect(log).toEqual([0])
      expect(toldByTools(prompts[1])).toEqual([{ content: 'down', isError: true }])
    },
  })
})
