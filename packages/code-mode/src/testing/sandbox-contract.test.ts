/** The suite finds what is wrong: each of these sandboxes breaks one promise and fails the case about it. */
import { AssertionError } from 'node:assert'
import { failedCases } from 'toolwright/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { quickJsSandbox } from '../sandbox/quickjs/quickjs-sandbox.ts'
import type { OpenProgram, Program, Sandbox, Turn } from '../sandbox/sandbox.ts'
import { sandboxContract } from './sandbox-contract.ts'

const good = quickJsSandbox()
afterAll(() => good.close())

interface Change {
  program?(program: Program): Program
  turn?(turn: Turn, program: Program): Turn
  open?(open: OpenProgram, program: Program): Partial<OpenProgram>
}

/** A good sandbox with something changed; what it shares with others stays open. */
const broken =
  ({
    program: changed = (one) => one,
    turn: told = (one) => one,
    open: more = () => ({}),
  }: Change) =>
  (): Sandbox => {
    let isClosed = false
    return {
      engine: good.engine,
      async open(program) {
        if (isClosed) return quickClosed.open(program)
        const open = await good.open(changed(program))
        const whole: OpenProgram = {
          start: async () => told(await open.start(), program),
          deliver: async (deliveries) =>
            (await open.deliver(deliveries)).map((turn) => told(turn, program)),
          dispose: () => open.dispose(),
        }
        return { ...whole, ...more(whole, program) }
      },
      async close() {
        isClosed = true
      },
    }
  }
const quickClosed = quickJsSandbox()
await quickClosed.close()

const withLimits = (limits: Partial<Program['limits']>) => (program: Program) => ({
  ...program,
  limits: { ...program.limits, ...limits },
})
const generous = { fuel: 2 ** 31 - 1, turnMs: 1_000 }
let count = 0

/** For the one that never ends no patience is long enough. */
const patienceFor = (what: string): number => (what === 'never ends' ? 200 : 5_000)

const BROKEN: readonly (readonly [string, Change, string])[] = [
  ['takes code as JavaScript', { program: (p) => ({ ...p, code: p.code.replaceAll('<number>', '< number >') }) , turn: (t) => t.end?.ok && t.end.json === '1' ? { ...t, end: { ok: true, json: '2' } } : t }, 'types are stripped, always'], // prettier-ignore
  ['counts lines of its wrapper', { turn: (t) => t.end && !t.end.ok ? { ...t, end: { ...t.end, error: { ...t.end.error, line: (t.end.error.line ?? 0) + 1 } } } : t }, 'code that cannot be read is refused, with its line'], // prettier-ignore
  ['lets braces out', { program: (p) => ({ ...p, code: p.code.startsWith('}') ? 'callTool("echo")' : p.code }) }, 'no brace leads out of a program'], // prettier-ignore
  ['forgets what was returned', { turn: (t) => (t.end?.ok ? { ...t, end: { ok: true } } : t) }, 'a program returns what its code returns, as JSON'], // prettier-ignore
  ['names no line of a call', { turn: (t) => ({ ...t, calls: t.calls.map(({ line: _line, ...call }) => call) }) }, 'calls are told in the order of the program, with number, input and line'], // prettier-ignore
  ['tells calls backwards', { turn: (t) => ({ ...t, calls: t.calls.toReversed() }) }, 'calls are told in the order of the program, with number, input and line'], // prettier-ignore
  ['delivers in its own order', { open: (o) => ({ deliver: (d) => o.deliver(d.toSorted((a, b) => a.index - b.index)) }) }, 'results are delivered one by one, each until the program is quiet'], // prettier-ignore
  ['lets its own clock run', { program: (p) => ({ ...p, clock: 1_800_000_000_000 + count++ }) }, 'the clock stands still and the zone is UTC'], // prettier-ignore
  ['throws its own dice', { program: (p) => ({ ...p, seed: count++ }) }, 'chance is seeded'], // prettier-ignore
  ['knows one seed only', { program: (p) => ({ ...p, seed: 1 }) }, 'chance is seeded'], // prettier-ignore
  ['counts fuel by chance', { turn: (t) => ({ ...t, fuel: t.fuel + count++ }) }, 'the same program with the same deliveries goes the same way, fuel included'], // prettier-ignore
  ['takes one delivery of many', { open: (o) => ({ deliver: (d) => o.deliver(d.slice(0, 1)) }) }, 'the same program with the same deliveries goes the same way, fuel included'], // prettier-ignore
  ['has a search always', { program: (p) => ({ ...p, hasSearch: true }) }, 'there is a search where it was asked for, and it is no tool'], // prettier-ignore
  ['calls a search a tool', { turn: (t) => ({ ...t, calls: t.calls.map((call) => ({ ...call, kind: 'tool' as const })) }) }, 'there is a search where it was asked for, and it is no tool'], // prettier-ignore
  ['keeps failures to itself', { turn: ({ unhandled: _unhandled, ...t }) => t }, 'failures that nobody handles are listed from the end on'], // prettier-ignore
  ['takes any delivery', { open: (o) => ({ deliver: (d) => o.deliver(d).catch(() => []) }) }, 'only a call that is open can be delivered to, and once'], // prettier-ignore
  ['has no fuel gauge', { program: withLimits(generous) }, 'a program that computes too much is stopped and cannot catch it'], // prettier-ignore
  ['has no clock to stop by', { program: withLimits({ turnMs: 600_000, fuel: 2_000 }) }, 'a turn that takes too long is stopped'], // prettier-ignore
  ['hides that memory ran out', { turn: (t) => (t.end && !t.end.ok && t.end.kind === 'memory' ? { ...t, end: { ok: true } } : t) }, 'memory has an end, which a program can catch'], // prettier-ignore
  ['lets any number of calls be open', { program: withLimits({ openCalls: 100 }) }, 'so many calls may be open, and one more can be made when one has settled'], // prettier-ignore
  ['takes values of any length', { program: withLimits({ valueBytes: 10_000 }) }, 'inputs, results and what is returned are as long as allowed, in bytes'], // prettier-ignore
  ['has a console without end', { program: withLimits({ consoleBytes: 20_000_000 }) }, 'the console takes so many bytes, then says so once'], // prettier-ignore
  ['leaves a long line out', { turn: (t) => ({ ...t, console: t.console.filter(({ text }) => !text.endsWith('…')) }) }, 'a line that the console has no room for is cut to what fits'], // prettier-ignore
  ['writes errors without their words', { turn: (t) => t.end?.ok && t.end.json ? { ...t, end: { ok: true, json: t.end.json.replaceAll('"message"', '"words"') } } : t }, 'an error is written with its name, its message and its own fields, wherever it stands'], // prettier-ignore
  ['takes errors that cannot be read for nothing', { turn: (t) => t.end && !t.end.ok ? { ...t, end: { ok: true, json: '{}' } } : t }, 'an error that cannot be read is told in words, wherever it stands'], // prettier-ignore
  ['tells nothing of errors inside of errors', { turn: (t) => t.end && !t.end.ok ? { ...t, end: { ...t.end, error: { ...t.end.error, message: '' } } } : t }, 'an error tells the errors that it is made of, and the one that caused it'], // prettier-ignore
  ['shows lines of its wrapper to programs', { program: (p) => ({ ...p, code: `\n${p.code}` }) }, 'stacks count the lines of the program and show nothing but the program'], // prettier-ignore
  ['writes no console', { turn: (t) => ({ ...t, console: [] }) }, 'console lines come in order, whatever is written'], // prettier-ignore
  ['goes on after it was dropped', { open: () => ({ dispose() {} }) }, 'a program can be dropped at any time'], // prettier-ignore
  ['hears no signal', { program: ({ signal: _signal, ...p }) => p }, 'an aborted program rejects with the reason, before, between and after its turns'], // prettier-ignore
  ['keeps programs open when it is closed', {}, 'closing ends what is open, and nothing is opened any more'], // prettier-ignore
  ['never ends', { open: () => ({ start: () => new Promise(() => {}) }) }, 'a comment in the last line is one'], // prettier-ignore
  ['has a way to eval', { program: (p) => ({ ...p, code: p.code.replace('(0, eval)("7")', '7') }) }, 'no text becomes code'], // prettier-ignore
  ['leaks a global of its host', { program: (p) => ({ ...p, code: `globalThis.process = {}; ${p.code}` }) }, 'there are no timers, no network, no host and no shared or weak memory'], // prettier-ignore
  ['gives frames away', { program: (p) => ({ ...p, code: p.code.replace('const got = []', 'const got = [1]') }) }, 'stack frames give no function away'], // prettier-ignore
  ['lets worlds be shared', { program: (p) => ({ ...p, code: `globalThis.left = 1; ${p.code}` }) }, 'no program sees another'], // prettier-ignore
  ['sends what a program made of JSON', { turn: (t, p) => p.code.includes('JSON.stringify = ') ? { ...t, calls: t.calls.map((call) => ({ ...call, arguments: '9' })) } : t }, 'what a program does to its world damages nobody else'], // prettier-ignore
  ['lets keys do harm', { program: (p) => ({ ...p, code: p.code.replace('{}.polluted === undefined', 'false') }) }, 'results are plain data, whatever their keys'], // prettier-ignore
  ['lets tools be asked how they are written', { program: (p) => ({ ...p, code: p.code.replace('return tools', 'tools.toJSON({ }); callTool("toJSON")') }) }, 'to write tools calls none of them'], // prettier-ignore
  ['takes names for prototypes', { turn: (t) => ({ ...t, calls: t.calls.map((call) => ({ ...call, name: call.name === '__proto__' ? 'echo' : call.name })) }) }, '__proto__ is a name like any other in calls, results and errors'], // prettier-ignore
  ['ends texts at a NUL', { turn: (t) => ({ ...t, console: t.console.map((line) => ({ ...line, text: line.text.split('\0')[0]! })) }) }, 'texts come as they are, also with NUL and half a character'], // prettier-ignore
  ['makes characters whole', { turn: (t) => (t.end && !t.end.ok ? { ...t, end: { ...t.end, error: { ...t.end.error, message: t.end.error.message.replaceAll(/[\ud800-\udfff]/g, '?') } } } : t) }, 'texts come as they are, also with NUL and half a character'], // prettier-ignore
  ['tells an end in every turn', { turn: (t) => ({ ...t, end: t.end ?? { ok: true } }) }, 'calls can be settled after the program itself has ended'], // prettier-ignore
]

describe('the contract of sandboxes', () => {
  for (const [what, change, name] of BROKEN)
    it(`refuses one that ${what}`, async () => {
      const suite = sandboxContract({ create: broken(change), patienceMs: patienceFor(what) })
      const failures = await failedCases(suite.filter((one) => one.name === name))
      expect(failures.map((failure) => failure.name)).toEqual([name])
      expect(failures[0]!.error).toBeInstanceOf(AssertionError)
    })

  it('knows the case that each of them breaks', () => {
    const names = sandboxContract({ create: () => good }).map(({ name }) => name)
    expect(BROKEN.map(([, , name]) => name).filter((name) => !names.includes(name))).toEqual([])
  })
})
