/** The ids on the lines of a log, by which they are joined with each other and with what observers record. */
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  ChatClient,
  consoleLogger,
  pinoLogger,
  tool,
  type Observer,
  type PinoLike,
} from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { countingIds } from '../../packages/toolwright/src/testing/counting-ids.ts'

const greet = tool({
  name: 'greet',
  input: { type: 'object', properties: { whom: { type: 'string' } } },
  execute: () => 'Hello',
})
const script = [{ toolCalls: [{ name: 'greet', arguments: { whom: 'Ada' } }] }, 'Greeted.']

/** Gives each observation a number for the log. */
function numbering(): Observer {
  let count = 0
  return { start: () => ({ logged: { spanNumber: ++count } }) }
}

function piped(level = 'debug') {
  const lines: { readonly [key: string]: unknown }[] = []
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      for (const line of chunk.toString().trim().split('\n'))
        lines.push(JSON.parse(line) as (typeof lines)[number])
      done()
    },
  })
  return { lines, logger: pino({ level }, sink) }
}

const ask = (options: object): Promise<string> =>
  ChatClient.create(scriptedModel(script), { tools: [greet], ids: countingIds(), ...options })
    .prompt('My diary')
    .call()
    .content()

describe('pinoLogger', () => {
  it('writes every line with the ids of run and call, and those of the observer', async () => {
    const { lines, logger } = piped()
    await ask({ logger: pinoLogger(logger), observer: numbering() })
    const ofTool = lines.filter(({ msg }) => String(msg).startsWith('tool greet'))
    expect(ofTool).toEqual(
      ['started', 'ended'].map((what) => ({
        level: 20,
        time: expect.any(Number) as number,
        pid: expect.any(Number) as number,
        hostname: expect.any(String) as string,
        msg: `tool greet ${what}`,
        runId: 'run_1',
        callId: 'call_1',
        spanNumber: 5,
        ...(what === 'ended' && { durationMs: expect.any(Number) as number }),
      })),
    )
    expect(lines.every(({ runId }) => runId === 'run_1')).toBe(true)
    expect(JSON.stringify(lines)).not.toMatch(/Ada|diary|Greeted/)
  })

  it('writes content only when asked, and keeps to the level of pino', async () => {
    const curious = piped()
    await ask({ logger: pinoLogger(curious.logger, { content: true }) })
    for (const word of ['Ada', 'diary', 'Greeted'])
      expect(JSON.stringify(curious.lines)).toContain(word)
    const quiet = piped('warn')
    await ask({ logger: pinoLogger(quiet.logger) })
    expect(quiet.lines).toEqual([])
  })

  it('refuses what is no logger, and options it does not know', () => {
    expect(() => pinoLogger({} as PinoLike)).toThrow('takes a logger of pino')
    expect(() => pinoLogger(undefined as never)).toThrow('takes a logger of pino')
    expect(() => pinoLogger(pino(), { contents: true } as never)).toThrow('contents')
  })
})

describe('consoleLogger', () => {
  afterEach(() => void vi.restoreAllMocks())

  it('prints the same ids', async () => {
    const printed: string[] = []
    vi.spyOn(console, 'error').mockImplementation((line: string) => void printed.push(line))
    await ask({ logger: consoleLogger(), observer: numbering() })
    expect(printed).toContain(
      'toolwright debug tool greet started {"runId":"run_1","callId":"call_1","spanNumber":5}',
    )
  })
})
