/** How a program goes: calls, results, order, replay, ends that come from outside. */
import assert from 'node:assert/strict'
import { ConfigurationError } from 'toolwright'
import type { Turn } from '../sandbox/sandbox.ts'
import type { SandboxCase } from './sandbox-case.ts'

const BUSY = `
  const seen = [Date.now(), Math.random()]
  const all = await Promise.allSettled([1, 2, 3].map((n) => n === 2 ? tools.fail({ message: 'no' }) : tools.echo({ n })))
  for (const one of all) console.log(one.status, Math.random())
  let sum = 0
  for (let i = 0; i < 300000; i++) sum += i % 7
  const last = await Promise.race([tools.echo({ sum }), tools.echo({ sum: 0 })])
  return [seen, last, new Date().toString()]
`

export const COURSE_CASES: readonly SandboxCase[] = [
  {
    name: 'calls are told in the order of the program, with number, input and line',
    async check({ sandbox, program }) {
      const code = `const a = tools.echo({ a: 1 })
const b = tools['odd-name']()
const c = callTool('no such tool', [2])
await Promise.all([a, b, c])`
      const open = await sandbox.open(program(code, { toolNames: ['echo', 'odd-name'] }))
      const { calls, end } = await open.start()
      assert.deepEqual(calls, [
        { index: 0, kind: 'tool', name: 'echo', arguments: '{"a":1}', line: 1 },
        { index: 1, kind: 'tool', name: 'odd-name', arguments: '{}', line: 2 },
        { index: 2, kind: 'tool', name: 'no such tool', arguments: '[2]', line: 3 },
      ])
      assert.equal(end, undefined)
      open.dispose()
    },
  },
  {
    name: 'results are delivered one by one, each until the program is quiet',
    async check({ sandbox, program }) {
      const code = `const log = []
const one = async (n) => { log.push(await tools.echo({ n })); if (n === 1) log.push(await tools.echo({ n: 3 })) }
await Promise.all([one(0), one(1), one(2)])
return log`
      const open = await sandbox.open(program(code))
      await open.start()
      const [second, third] = await open.deliver([
        { index: 1, ok: true, json: '"b"' },
        { index: 2, ok: true, json: '"c"' },
      ])
      assert.deepEqual(second!.calls.map(({ index }) => index), [3]) // prettier-ignore
      assert.deepEqual(third!.calls, [])
      const [, end] = await open.deliver([
        { index: 3, ok: true, json: '"d"' },
        { index: 0, ok: true },
      ])
      assert.deepEqual(end!.end, { ok: true, json: '["b","c","d",null]' })
      open.dispose()
    },
  },
  {
    name: 'the first result delivered wins a race',
    async check({ sandbox, program }) {
      for (const first of [0, 1]) {
        const open = await sandbox.open(
          program('return Promise.race([tools.echo({ n: 0 }), tools.echo({ n: 1 })])'),
        )
        await open.start()
        const [turn] = await open.deliver([{ index: first, ok: true, json: `${first}` }])
        assert.deepEqual(turn!.end, { ok: true, json: `${first}` })
        open.dispose()
      }
    },
  },
  {
    name: 'a call that failed rejects with a ToolError, which tells code, tool and the line of the call',
    async check({ returned, run }) {
      const code = `try {
  await tools.fail({ message: 'broke' })
} catch (error) {
  return [error instanceof ToolError, error instanceof Error, error.name, error.code, error.tool, error.message, /:\\d+:/.test(error.stack)]
}`
      assert.deepEqual(await returned(code), [true, true, 'ToolError', 'failed', 'fail', 'broke', true]) // prettier-ignore
      const { end } = await run('await null\n\nawait tools.fail({ message: "broke" })')
      assert.deepEqual(end, {
        ok: false,
        kind: 'thrown',
        error: { name: 'ToolError', message: 'fail (failed): broke', line: 3 },
      })
    },
  },
  {
    name: 'an input that is no JSON rejects the call, and no call is made',
    async check({ run }) {
      const { end, calls } = await run(`const codes = []
const round = {}; round.round = round
for (const input of [round, 1n, () => 1, Symbol(), { later: tools.echo }, { later: Promise.resolve() }, { toJSON() { throw 1 } }])
  await callTool('echo', input).catch((error) => codes.push(error.code))
return codes`)
      const refused = 'invalid-arguments'
      assert.ok(end?.ok, JSON.stringify(end))
      assert.deepEqual(JSON.parse(end.json!), [refused, refused, refused, refused, refused, refused]) // prettier-ignore
      assert.deepEqual(calls.map((call) => call.arguments), ['{}']) // prettier-ignore
    },
  },
  {
    name: 'results are plain data, whatever their keys',
    async check({ run }) {
      const { end } = await run(
        `const given = await tools.odd()
return [Object.keys(given), {}.polluted === undefined, Object.getPrototypeOf(given) === Object.prototype, typeof given.then]`,
        {},
        { odd: () => JSON.parse('{"__proto__":{"polluted":1},"constructor":2,"toJSON":3,"then":4}') }, // prettier-ignore
      )
      assert.ok(end?.ok, JSON.stringify(end))
      assert.deepEqual(JSON.parse(end.json!), [
        ['__proto__', 'constructor', 'toJSON', 'then'],
        true,
        true,
        'number',
      ])
    },
  },
  {
    name: 'calls can be settled after the program itself has ended',
    async check({ sandbox, program }) {
      const open = await sandbox.open(
        program('tools.echo({ n: 1 }).then((n) => tools.echo({ n: n + 1 }))\nreturn "early"'),
      )
      const first = await open.start()
      assert.deepEqual(first.end, { ok: true, json: '"early"' })
      const [second] = await open.deliver([{ index: 0, ok: true, json: '1' }])
      assert.deepEqual(second!.calls, [
        { index: 1, kind: 'tool', name: 'echo', arguments: '{"n":2}', line: 1 },
      ])
      assert.equal(second!.end, undefined, 'An end is told once.')
      open.dispose()
    },
  },
  {
    name: 'failures that nobody handles are listed from the end on',
    async check({ run }) {
      const handled = await run(`const late = tools.fail({ message: 'late' })
await tools.echo({})
await late.catch(() => {})
return 1`)
      assert.deepEqual(handled.unhandled, [])
      const { unhandled, end } = await run(
        'tools.fail({ message: "lost" })\nPromise.reject(new TypeError("mine"))\nreturn 1',
      )
      assert.deepEqual(end, { ok: true, json: '1' })
      assert.deepEqual(unhandled, [
        { name: 'TypeError', message: 'mine', line: 2 },
        { name: 'ToolError', message: 'fail (failed): lost', line: 1 },
      ])
    },
  },
  {
    name: 'only a call that is open can be delivered to, and once',
    async check({ sandbox, program }) {
      const open = await sandbox.open(program('return tools.echo({})'))
      await assert.rejects(open.deliver([{ index: 0, ok: true }]), ConfigurationError)
      await open.start()
      await assert.rejects(open.start(), ConfigurationError)
      for (const wrong of [[1], [-1], [0.5], [0, 0]]) {
        const deliveries = wrong.map((index) => ({ index, ok: true }) as const)
        await assert.rejects(open.deliver(deliveries), ConfigurationError, `${wrong}`)
      }
      const [turn] = await open.deliver([{ index: 0, ok: true, json: '1' }])
      assert.deepEqual(turn!.end, { ok: true, json: '1' })
      await assert.rejects(open.deliver([{ index: 0, ok: true }]), ConfigurationError)
      open.dispose()
    },
  },
  {
    name: 'the same program with the same deliveries goes the same way, fuel included',
    async check({ sandbox, program, run }) {
      const first = await run(BUSY)
      assert.ok(first.end?.ok, JSON.stringify(first.end))
      assert.deepEqual(await run(BUSY), first)
      const open = await sandbox.open(program(BUSY))
      const replayed: Turn[] = [await open.start()]
      for (const delivery of first.deliveries) replayed.push(...(await open.deliver([delivery])))
      open.dispose()
      assert.deepEqual(replayed, first.turns, 'Delivered one at a time it went otherwise.')
      const atOnce = await sandbox.open(program(BUSY))
      const turns = [await atOnce.start(), ...(await atOnce.deliver(first.deliveries))]
      atOnce.dispose()
      assert.deepEqual(turns, first.turns, 'Delivered all at once it went otherwise.')
      const other = await sandbox.open(program('await tools.echo({})'))
      await other.start()
      const made = await other.deliver(first.deliveries)
      assert.equal(made.length, 1, 'A call that was not made was delivered to.')
      other.dispose()
    },
  },
  {
    name: 'there is a search where it was asked for, and it is no tool',
    async check({ run, returned }) {
      const answers = { searchTools: (query: string) => [query] }
      const { calls } = await run('await searchTools("pay")', { hasSearch: true }, answers)
      assert.deepEqual(calls, [
        { index: 0, kind: 'search', name: 'searchTools', arguments: '"pay"', line: 1 },
      ])
      assert.equal(await returned('return typeof searchTools'), 'undefined')
      const refused = await run(
        'const why = ({ code, tool }) => code + tool\nreturn [await searchTools().catch(why), await searchTools({}).catch(why)]',
        { hasSearch: true },
        answers,
      )
      assert.deepEqual(refused.calls, [])
      const wrong = 'invalid-argumentssearchTools'
      assert.deepEqual(refused.end, { ok: true, json: JSON.stringify([wrong, wrong]) })
      const named = await run('await tools.searchTools("pay")', {}, answers)
      assert.equal(named.calls[0]!.kind, 'tool')
    },
  },
  {
    name: 'many programs at the same time do not mix',
    async check({ run }) {
      const runs = Array.from({ length: 8 }, (_, n) =>
        run(`globalThis.n = ${n}; await tools.echo({}); return [await tools.echo({ n }), n]`),
      )
      for (const [n, { end }] of (await Promise.all(runs)).entries())
        assert.deepEqual(end, { ok: true, json: `[{"n":${n}},${n}]` })
    },
  },
  {
    name: 'a program can be dropped at any time',
    async check({ sandbox, program, returned }) {
      const unborn = await sandbox.open(program('return 1'))
      unborn.dispose()
      unborn.dispose()
      assertLost(await unborn.start())
      const waiting = await sandbox.open(program('return tools.echo({})'))
      await waiting.start()
      waiting.dispose()
      assertLost((await waiting.deliver([{ index: 0, ok: true }]))[0])
      assert.equal(await returned('return 1'), 1)
    },
  },
  {
    name: 'an aborted program rejects with the reason, before, between and after its turns',
    async check({ sandbox, program }) {
      const gone = AbortSignal.abort(new Error('before'))
      await assert.rejects(sandbox.open(program('return 1', { signal: gone })), /before/)
      const controller = new AbortController()
      const { signal } = controller
      const open = await sandbox.open(program('return tools.echo({})', { signal }))
      await open.start()
      controller.abort(new Error('between'))
      await assert.rejects(open.deliver([{ index: 0, ok: true }]), /between/)
    },
  },
]

export const CLOSING_CASES: readonly SandboxCase[] = [
  {
    name: 'closing ends what is open, and nothing is opened any more',
    async check({ sandbox, program }) {
      const open = await sandbox.open(program('return tools.echo({})'))
      await open.start()
      await sandbox.close()
      await sandbox.close()
      assertLost((await open.deliver([{ index: 0, ok: true }]))[0])
      await assert.rejects(sandbox.open(program('return 1')), ConfigurationError)
    },
  },
]

function assertLost(turn: Turn | undefined): void {
  assert.ok(turn?.end && !turn.end.ok && turn.end.kind === 'lost', JSON.stringify(turn))
}
