/** Files that are torn, foreign, hand-made or hostile: what can be read is, and the rest is said. */
import { describe, expect, it } from 'vitest'
import { TraceError } from '../errors/errors.ts'
import { readTrace } from './read-trace.ts'

const HEADER = { type: 'trace', version: 1, at: 0, writer: 'w', content: false }
const START = {
  type: 'start',
  at: 1,
  writer: 'w',
  id: 1,
  kind: 'client',
  name: 'm',
  runId: 'run_1',
}
const END = { type: 'end', at: 5, writer: 'w', id: 1, finishReason: 'stop' }

const textOf = (...lines: readonly (object | string)[]): string =>
  lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')

const codeOf = (text: string): unknown => {
  try {
    return readTrace(text)
  } catch (thrown) {
    return thrown instanceof TraceError ? thrown.code : thrown
  }
}

describe('readTrace', () => {
  it('leaves out a torn last line, and says so', () => {
    const whole = textOf(HEADER, START, END)
    for (let cut = 1; cut < JSON.stringify(END).length; cut++) {
      const { runs, problems } = readTrace(whole.slice(0, -cut))
      expect(runs).toMatchObject([{ id: 'run_1', status: 'open' }])
      expect(problems).toEqual([{ line: 3, what: 'It is cut off, or no JSON.' }])
    }
    expect(readTrace(`${whole}\n`)).toMatchObject({ runs: [{ status: 'done' }], problems: [] })
  })

  it('goes on after a line that was torn in the middle, and a torn first one', () => {
    const { runs, problems } = readTrace(
      textOf('{"type":"tra', HEADER, START, '{"type":"start","at":2,', END),
    )
    expect(runs).toMatchObject([{ status: 'done', startedAt: 1, endedAt: 5 }])
    expect(problems.map(({ line }) => line)).toEqual([1, 4])
  })

  it('refuses what is no trace, and a trace of another version', () => {
    expect(codeOf('')).toBe('trace-unreadable')
    expect(codeOf('hello\nworld')).toBe('trace-unreadable')
    expect(codeOf('{"name":"package"}')).toBe('trace-unreadable')
    expect(codeOf('[1]\n"a"')).toBe('trace-unreadable')
    expect(codeOf(textOf(START, HEADER))).toBe('trace-unreadable')
    expect(codeOf(textOf({ ...HEADER, version: 2 }, START))).toBe('trace-version')
    expect(() => readTrace(textOf({ ...HEADER, version: 2 }))).toThrow(
      'It is a trace of version 2, and this is version 1. Read it with',
    )
  })

  it('says what could not be written, and skips types that it does not know', () => {
    const lost = { type: 'lost', at: 2, writer: 'w', lines: 3 }
    const { problems } = readTrace(textOf(HEADER, lost, START, { ...END, type: 'later' }))
    expect(problems).toEqual([{ line: 2, what: '3 lines before it could not be written.' }])
  })

  it('takes fields of the wrong kind as absent', () => {
    const odd = [
      { ...START, at: 'x' },
      { ...START, id: null },
      { ...START, kind: 'constructor' },
      { ...START, name: {} },
      { type: 'end', at: 2, writer: 'w', id: 99 },
      { type: 'event', at: 2, writer: 'w', id: 1, event: 'x' },
      null,
      7,
    ].map((each) => JSON.stringify(each))
    const model = { ...START, id: 2, parent: 1, kind: 'model', options: 7, toolNames: [1, 'a'] }
    const ends = [
      { ...END, id: 2, usage: { inputTokens: 'many', outputTokens: 2 }, error: 'x', model: [] },
      { ...END, usage: null },
    ]
    const { runs, problems } = readTrace(textOf(HEADER, START, ...odd, model, ...ends))
    expect(problems).toHaveLength(odd.length)
    expect(runs[0]!.legs[0]!.rounds[0]!.exchanges).toEqual([
      {
        startedAt: 1,
        endedAt: 5,
        model: 'm',
        provider: '',
        usage: { outputTokens: 2 },
        finishReason: 'stop',
        failed: false,
        toolNames: ['a'],
        options: {},
      },
    ])
  })

  it('puts what stands in something lost outside, and ends at any depth', () => {
    const orphan = { ...START, id: 7, parent: 6, kind: 'tool', name: 't', callId: 'c' }
    expect(readTrace(textOf(HEADER, orphan)).calls).toMatchObject([{ id: 'c', status: 'open' }])
    const deep = Array.from({ length: 5000 }, (_none, index) => ({
      ...START,
      id: index + 1,
      runId: `run_${index}`,
      ...(index > 0 && { parent: index }),
    }))
    expect(readTrace(textOf(HEADER, ...deep)).runs.length).toBeGreaterThan(1)
  })

  it('takes more calls in a round than a function takes arguments', () => {
    const calls = Array.from({ length: 200_000 }, (_none, at) =>
      JSON.stringify({ ...START, at: at + 2, id: at + 2, parent: 1, kind: 'tool' }),
    )
    const [run] = readTrace([textOf(HEADER, START), ...calls].join('\n')).runs
    expect(run!.legs[0]!.rounds).toMatchObject([{ startedAt: 2 }])
  })

  it('joins what several writers wrote, each with ids of its own', () => {
    const other = { ...HEADER, writer: 'v' }
    const resumed = { ...START, writer: 'v', at: 9, phase: 'resume' }
    const suspended = { ...END, finishReason: 'suspended' }
    const inner = {
      ...START,
      writer: 'v',
      id: 2,
      at: 9,
      parent: 1,
      parentWriter: 'w',
      runId: 'run_2',
    }
    const text = textOf(HEADER, START, other, inner, suspended, resumed)
    const { runs } = readTrace(`${text}\n${textOf({ ...END, writer: 'v', at: 12 })}`)
    expect(runs).toMatchObject([
      { id: 'run_1', legs: [{ writer: 'w' }, { writer: 'v', waitedMs: 4 }], status: 'done' },
    ])
    expect(runs[0]!.legs[0]!.runs).toMatchObject([{ id: 'run_2' }])
  })
})
