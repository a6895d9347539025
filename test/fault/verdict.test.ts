/** The judge is judged: contenders with one vice each, and the word the verdict must find for it. */
import { describe, expect, it } from 'vitest'
import { FAULT_ANSWER, FAULT_SCENARIOS, FAULT_SECRET } from '@toolwright/fault-server'
import { API_KEY, runScenario, type Contender, type Question } from './run-scenario.ts'
import { verdictOn, type Verdict } from './verdict.ts'

async function judged(name: string, contender: Contender): Promise<Verdict> {
  const scenario = FAULT_SCENARIOS.find((candidate) => candidate.name === name)!
  const cell = { scenario, dialect: 'openai-compatible', mode: 'stream', deadlineMs: 500 } as const
  return verdictOn(cell, await runScenario(cell, contender))
}

const GREEN = { n: 1, s: 'grün 🎉' }

function ask({ baseUrl, signal }: Question, content = 'go'): Promise<Response> {
  const body = { model: 'm', stream: true, messages: [{ role: 'user', content }] }
  const url = `${baseUrl}/chat/completions`
  return fetch(url, { method: 'POST', body: JSON.stringify(body), signal })
}
const sound: Contender = async ({ tools }) => {
  await tools.effect(GREEN)
  return FAULT_ANSWER
}
/** Does what is expected, and something else first. */
const but =
  (vice: (question: Question) => unknown): Contender =>
  async (question) => {
    await vice(question)
    return sound(question)
  }

describe('the verdict', () => {
  it('finds nothing in a sound run', async () => {
    expect(await judged('base', sound)).toEqual({ mark: 'ok', hard: [], soft: [] })
  })

  const vices: Record<string, [string, Contender, string]> = {
    'a floating rejection': ['base', but(() => void Promise.reject(new Error('lost'))), 'crash'],
    'an exception in a timer': [
      'base',
      but(() => {
        setTimeout(() => {
          throw new Error('lost')
        })
        return new Promise((resolve) => setTimeout(resolve, 20))
      }),
      'crash',
    ],
    'a changed prototype': [
      'proto-in-arguments',
      but(() => Object.assign(Object.prototype, { polluted: true })),
      'polluted',
    ],
    'a connection nobody reads': [
      'abort-while-stalled',
      but((question) => ask({ ...question, signal: new AbortController().signal })),
      'left open',
    ],
    'a poisoned request': ['base', but((question) => ask(question, 'x\ud83c')), 'poisoned history'],
    'a secret on the wire': [
      'tool-throws-secret',
      but((question) => ask(question, FAULT_SECRET)),
      'secret on the wire',
    ],
    'a lost result': ['bigint-result', sound, 'result of the tool was lost'],
    'an effect too many': ['base', but(({ tools }) => tools.effect(GREEN)), 'wrong effect'],
    'other arguments': ['base', but(({ tools }) => tools.effect({ n: 2 })), 'wrong effect'],
    'a call that did not run': ['base', async () => FAULT_ANSWER, 'wrong effect'],
    'an empty answer': ['unknown-tool', async () => '', 'silent stop'],
    'another answer': ['unknown-tool', async () => 'Let me ', 'wrong answer'],
    'an answer out of nothing': ['socket-reset', async () => FAULT_ANSWER, 'false success'],
    'no end': ['unknown-tool', () => new Promise(() => {}), 'hang'],
    'an error after the effect': [
      'base',
      async ({ tools }) => {
        await tools.effect(GREEN)
        throw new Error('Too late.')
      },
      'died after the effect',
    ],
    'a key in an error': [
      'socket-reset',
      () => Promise.reject(new Error('Failed', { cause: new Error(`Bearer ${API_KEY}`) })),
      'API key',
    ],
    'a buffer without bounds': [
      'endless-line',
      async ({ signal }) => {
        const kept: Buffer[] = []
        for (; !signal.aborted; await new Promise(setImmediate))
          kept.push(Buffer.alloc(4_000_000, kept.length))
        throw signal.reason
      },
      'memory',
    ],
  }
  it.each(Object.keys(vices))('fails %s', async (name) => {
    const [scenario, contender, word] = vices[name]!
    const { mark, hard } = await judged(scenario, contender)
    expect(mark).toBe('FAIL')
    expect(hard.join('; ')).toContain(word)
  })

  it('tells a clear error from harm', async () => {
    const refused = await judged('base', () => Promise.reject(new Error('Not today.')))
    expect(refused).toMatchObject({ mark: 'err', hard: [] })
    expect(refused.soft.join()).toContain('an answer was possible')
    const unnamed = await judged('socket-reset', () => Promise.reject(new Error('terminated')))
    expect(unnamed).toMatchObject({ mark: 'err', hard: [] })
    expect(unnamed.soft.join()).toContain('error code none')
  })
})
