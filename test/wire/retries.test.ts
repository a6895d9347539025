/** Asking again: how often, how far apart, how much of it all runs of a model may do together, and who hears of it. */
import { faultServer, type FaultScript, type FaultServer } from '@toolwright/fault-server'
import { ChatClient, type ChatEvent, type Clock, type Random } from 'toolwright'
import { afterEach, describe, expect, it } from 'vitest'
import { EVERY_WAY, MODELS, type Mode } from './dialects.ts'

let server: FaultServer | undefined
afterEach(() => server?.close())

interface Waiting {
  /** Every pause, in ms. */
  readonly waits: number[]
  readonly clock: Clock & { pass(ms: number): void }
  readonly random: Random
}

/** How long the end of a body is awaited that may be over: no pause before another try. */
const LINGER_MS = 100

/** Pauses end at once and are written down; of chance every part is as likely as another. */
function waiting(): Waiting {
  const waits: number[] = []
  let now = 0
  let drawn = 0
  return {
    waits,
    clock: {
      now: () => now,
      monotonic: () => now,
      pass: (ms) => (now += ms),
      timer: (ms, wake) => {
        if (ms !== LINGER_MS) waits.push(ms)
        queueMicrotask(wake)
        return () => {}
      },
    },
    random: {
      // The golden ratio: evenly spread, in no order.
      next: () => (++drawn * 0.6180339887) % 1,
      bytes: () => new Uint8Array(),
    },
  }
}

async function modelOf(dialect: keyof typeof MODELS, turns: FaultScript, world: Waiting) {
  server = await faultServer({ dialect, turns })
  const { clock, random } = world
  return MODELS[dialect]({ baseUrl: server.baseUrl, apiKey: 'some-key', clock, random })
}

async function ask(
  client: ChatClient,
  mode: Mode,
): Promise<{ events: ChatEvent[]; thrown?: unknown }> {
  const request = client.prompt('Go')
  const run = mode === 'call' ? request.call() : request.stream()
  const events: ChatEvent[] = []
  try {
    for await (const event of run.events()) events.push(event)
    return { events }
  } catch (thrown) {
    return { events, thrown }
  }
}

const noticesIn = (events: readonly ChatEvent[]) =>
  events.filter((event) => event.type === 'notice').map(({ code, message }) => ({ code, message }))

const RATE_LIMIT = { status: 429, message: 'Too many requests.' }
const DONE = { text: ['Done'] }

describe.each(EVERY_WAY)('asking %s again, by %s', (dialect, mode) => {
  it('is told to the readers of the run, with the reason', async () => {
    const world = waiting()
    const model = await modelOf(dialect, [RATE_LIMIT, { status: 503 }, DONE], world)
    const lines: string[] = []
    const log = (line: string): void => void lines.push(line)
    const logger = { debug: log, info: log, warn: log, error: log }
    const { events, thrown } = await ask(ChatClient.create(model, { logger }), mode)
    expect(thrown).toBeUndefined()
    expect(noticesIn(events)).toEqual([
      { code: 'model-retry', message: expect.stringMatching(/^Try 1 of 3 failed.*answered 429/) },
      { code: 'model-retry', message: expect.stringMatching(/^Try 2 of 3 failed.*answered 503/) },
    ])
    expect(lines.filter((line) => line.includes('model-retry'))).toHaveLength(2)
  })

  it('is told also when it does not help', async () => {
    const model = await modelOf(dialect, [RATE_LIMIT], waiting())
    const { events, thrown } = await ask(ChatClient.create(model), mode)
    expect(thrown).toMatchObject({ code: 'provider-rate-limit', status: 429 })
    expect(noticesIn(events).map(({ code }) => code)).toEqual(['model-retry', 'model-retry'])
  })

  it('has a budget: of 200 questions that fail together, at most a tenth are asked again', async () => {
    const world = waiting()
    const model = await modelOf(dialect, [RATE_LIMIT], world)
    const client = ChatClient.create(model)
    const asked = await Promise.all(Array.from({ length: 200 }, () => ask(client, mode)))
    expect(server!.requests.length).toBeLessThanOrEqual(220)
    expect(server!.requests.length).toBeGreaterThan(200)
    const codes = asked.flatMap(({ events }) => noticesIn(events)).map(({ code }) => code)
    const retries = codes.filter((code) => code === 'model-retry')
    expect(retries).toHaveLength(server!.requests.length - 200)
    expect(codes.filter((code) => code === 'retry-budget').length).toBeGreaterThan(180)
    for (let from = 0; from < 3000; from += 100) {
      const together = world.waits.filter((ms) => ms >= from && ms < from + 100)
      expect(together.length / 200).toBeLessThanOrEqual(0.05)
    }
    // Later there is a budget again.
    world.clock.pass(120_000)
    const { events } = await ask(client, mode)
    expect(noticesIn(events).map(({ code }) => code)).toEqual(['model-retry', 'model-retry'])
  })

  it('is spread, also when all were told to wait the same time', async () => {
    const world = waiting()
    const model = await modelOf(dialect, () => ({ ...RATE_LIMIT, retryAfterSeconds: 2 }), world)
    for (let run = 0; run < 5; run++) await ask(ChatClient.create(model), mode)
    expect(world.waits).toHaveLength(10)
    for (const ms of world.waits) expect(ms).toBeGreaterThanOrEqual(2000)
    expect(new Set(world.waits.map((ms) => Math.floor(ms / 100))).size).toBeGreaterThan(5)
  })
})
