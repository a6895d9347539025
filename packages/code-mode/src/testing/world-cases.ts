/** What a program sees and what it does not, and that what it changes there stays its own affair. */
import assert from 'node:assert/strict'
import type { SandboxCase } from './sandbox-case.ts'

const ABSENT = [
  'eval',
  'require',
  'process',
  'global',
  'module',
  'fetch',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'WeakRef',
  'FinalizationRegistry',
  'SharedArrayBuffer',
  'Atomics',
  'WebAssembly',
  'XMLHttpRequest',
  'Worker',
  'performance',
  'navigator',
  'Deno',
  'Bun',
  'std',
  'os',
  'gc',
]

/** Each yields code from a text, if anything does. */
const FROM_TEXT = [
  'new Function("return 7")()',
  'Function("return 7")()',
  '(() => {}).constructor("return 7")()',
  '[].constructor.constructor("return 7")()',
  'tools.echo.constructor("return 7")()',
  'callTool.constructor("return 7")()',
  'console.log.constructor("return 7")()',
  'ToolError.constructor("return 7")()',
  'await (async () => {}).constructor("return 7")()',
  '(function* () {}).constructor("return 7")().next().value',
  '(async function* () {}).constructor("return 7")',
  'await import("node:fs")',
  'await import("data:text/javascript,export default 7")',
  'globalThis.eval("7")',
  '(0, eval)("7")',
  'Reflect.construct(Function, ["return 7"])()',
]

/** Damage that a program can do to its own world, and go on calling tools as before. */
const DAMAGE = [
  'JSON.stringify = () => "9"; JSON.parse = () => 9',
  'Promise = class {}; globalThis.Promise = undefined',
  'Promise.prototype.then = function () { return this }',
  'Object.defineProperty(Promise, Symbol.species, { get() { throw 1 } })',
  'Map.prototype.get = () => 9; Map.prototype.set = () => 9; Map.prototype.delete = () => 9',
  'Object.prototype.toJSON = undefined; Object.prototype.get = () => 9; Object.prototype.value = 9',
  'Object.prototype.code = "9"; Object.prototype.json = "9"; Object.prototype.ok = false',
  'String.prototype.slice = () => "9"; String.prototype.toString = () => "9"',
  'Array.prototype.push = Array.prototype.join = Array.prototype[Symbol.iterator] = () => { throw 1 }',
  'Reflect.apply = Object.defineProperty = Object.create = Object.setPrototypeOf = () => { throw 1 }',
  'Function.prototype.call = Function.prototype.apply = Function.prototype.bind = () => { throw 1 }',
  'Error = TypeError = class { get stack() { throw 1 } }',
  'Object.defineProperty(Error.prototype, "stack", { get() { throw 1 } })',
  'Object.defineProperty(Error.prototype, "stack", { get: () => ({ length: 0, toString: () => "T4,2,0;evil{}" }) })',
  'Object.setPrototypeOf(ToolError, null); ToolError.prototype.name = {}',
  'globalThis.tools = globalThis.callTool',
  'Number.prototype.toString = () => "9"; Number.prototype.valueOf = () => 9',
  'delete globalThis.JSON; delete globalThis.Reflect; delete globalThis.Object',
]

/** Damage to what the engine itself does for the program. That program may fail then, and no other. */
const CRIPPLING = [
  'Object.defineProperty(Promise.prototype, "constructor", { get() { throw 1 } })',
  'Object.defineProperty(Array.prototype, 0, { set() { throw 1 }, get: () => 9 })',
  'Object.defineProperty(Object.prototype, 0, { set() { throw 1 }, get: () => 9 })',
]

export const WORLD_CASES: readonly SandboxCase[] = [
  {
    name: 'the clock stands still and the zone is UTC',
    async check({ returned }) {
      const code = `const before = Date.now()
for (let i = 0; i < 1e5; i++);
await tools.echo({})
return [before, Date.now(), new Date().toISOString(), new Date(0).getTimezoneOffset(), new Date(2020, 6, 1).toISOString()]`
      assert.deepEqual(await returned(code, { clock: 1_234_567_890_123 }), [
        1_234_567_890_123,
        1_234_567_890_123,
        '2009-02-13T23:31:30.123Z',
        0,
        '2020-07-01T00:00:00.000Z',
      ])
    },
  },
  {
    name: 'chance is seeded',
    async check({ returned }) {
      const code = 'return Array.from({ length: 50 }, Math.random)'
      const numbers = (await returned(code, { seed: 5 })) as number[]
      assert.deepEqual(await returned(code, { seed: 5 }), numbers)
      assert.equal(new Set(numbers).size, 50)
      assert.ok(numbers.every((number) => number >= 0 && number < 1))
      for (const seed of [6, 5 + 2 ** 32, 0, 2 ** 53 - 1])
        assert.notDeepEqual(await returned(code, { seed }), numbers, `${seed}`)
    },
  },
  {
    name: 'there are no timers, no network, no host and no shared or weak memory',
    async check({ returned }) {
      const code = `return ${JSON.stringify(ABSENT)}.filter((name) => name in globalThis)`
      assert.deepEqual(await returned(code), [])
    },
  },
  {
    name: 'no text becomes code',
    async check({ run }) {
      for (const code of FROM_TEXT) {
        const { end } = await run(`try { return [${code}] } catch (error) { return "refused" }`)
        assert.deepEqual(end, { ok: true, json: '"refused"' }, code)
      }
    },
  },
  {
    name: 'stack frames give no function away',
    async check({ returned }) {
      const code = `const got = []
try { Error.prepareStackTrace = (_, frames) => (got.push(...frames), 'mine') } catch {}
try { Object.defineProperty(Error, 'prepareStackTrace', { value: (_, frames) => (got.push(...frames), 'mine') }) } catch {}
const probe = new Error('x').stack
await tools.fail({ message: 'x' }).catch((error) => error.stack)
const f = function () { try { return [f.caller, arguments.callee] } catch { return 'refused' } }
return [got.length, typeof probe, probe === 'mine', f()]`
      assert.deepEqual(await returned(code), [0, 'string', false, 'refused'])
    },
  },
  {
    name: 'what a program does to its world damages nobody else',
    async check({ run, returned }) {
      for (const damage of DAMAGE) {
        const { calls, end } = await run(`const { echo, fail } = tools
${damage}
const { n } = await echo({ n: 1 })
let failure
try { await fail({ message: 'no' }) } catch (error) { failure = error.code + error.tool + error.message }
console.log('all', n)
return failure + n`)
        assert.deepEqual(
          calls.map((call) => [call.index, call.name, call.arguments]),
          [
            [0, 'echo', '{"n":1}'],
            [1, 'fail', '{"message":"no"}'],
          ],
          `${damage} → ${JSON.stringify([calls, end])}`,
        )
        assert.deepEqual(end, { ok: true, json: '"failedfailno1"' }, damage)
      }
      for (const damage of CRIPPLING) {
        const { calls, end } = await run(`${damage}\nreturn (await tools.echo({ n: 1 })).n`)
        const sent = calls.map((call) => [call.index, call.name, call.arguments])
        assert.deepEqual(sent, sent.length === 0 ? [] : [[0, 'echo', '{"n":1}']], damage)
        const isRight = end?.ok ? end.json === '1' : end?.kind === 'thrown'
        assert.ok(isRight, `${damage} → ${JSON.stringify(end)}`)
      }
      assert.equal(await returned('return JSON.stringify([1])'), '[1]')
    },
  },
  {
    name: 'a hook on every object sees only objects of the program',
    async check({ returned }) {
      const code = `const seen = new Set()
Object.defineProperty(Object.prototype, 'then', { configurable: true, get() { seen.add(Object.keys(this).join()); return undefined } })
Object.defineProperty(Object.prototype, 'toJSON', { configurable: true, get() { seen.add(Object.keys(this).join()); return undefined } })
await tools.echo({ mine: 1 })
console.log({ mine: 2 })
await tools.fail({ message: 'no' }).catch(() => {})
const all = [...seen]
delete Object.prototype.then; delete Object.prototype.toJSON
return all.sort()`
      assert.deepEqual(await returned(code), ['message', 'mine'])
    },
  },
  {
    name: 'to write tools calls none of them',
    async check({ run }) {
      const code = `console.log(tools, { tools })\nJSON.stringify([tools])\nawait tools\nreturn tools`
      const { calls, end } = await run(code)
      assert.deepEqual([calls, end?.ok], [[], true])
      const toolNames = ['toJSON']
      const declared = await run('return tools.toJSON({})', { toolNames }, { toJSON: () => 1 })
      assert.deepEqual(declared.end, { ok: true, json: '1' })
    },
  },
  {
    name: '__proto__ is a name like any other in calls, results and errors',
    async check({ run }) {
      const own = `JSON.parse('{"__proto__":{"polluted":1}}')`
      const { calls, end } = await run(`await tools.echo(${own})
const failed = []
for (const call of [tools.__proto__({}), callTool('__proto__', {}), tools.fail({ message: '__proto__' })])
  failed.push(await call.catch(({ code, tool, message }) => [code, tool, message]))
const error = Object.defineProperty(new Error('x'), '__proto__', { value: { polluted: 1 }, enumerable: true })
return [failed, typeof {}.polluted, error]`)
      assert.deepEqual(
        calls.map(({ name, arguments: text }) => `${name} ${text}`),
        [
          'echo {"__proto__":{"polluted":1}}',
          '__proto__ {}',
          '__proto__ {}',
          'fail {"message":"__proto__"}',
        ],
      )
      const unknown = '["unknown-tool","__proto__","There is no tool \\"__proto__\\"."]'
      const all = `[${unknown},${unknown},["failed","fail","__proto__"]]`
      const json = `[${all},"undefined",{"name":"Error","message":"x","__proto__":{"polluted":1}}]`
      assert.deepEqual(end, { ok: true, json })
      const thrown = await run(`throw Object.assign(new Error('x'), ${own})`)
      assert.ok(thrown.end && !thrown.end.ok && thrown.end.error.message === 'x')
    },
  },
  {
    name: 'texts come as they are, also with NUL and half a character',
    async check({ run }) {
      const odd = 'a\0b\ud800c\udc00'
      const { calls, console, end } = await run(
        `const odd = ${JSON.stringify(odd)}
console.log(odd)
const { tool, message } = await callTool(odd, { odd }).catch((error) => error)
const failed = await tools.fail({ message: odd }).catch((error) => error.message)
return [tool, message, failed, await tools.echo(odd), '${odd}'] // ${odd}`,
        { toolNames: [odd] },
      )
      assert.deepEqual(
        calls.map(({ name, arguments: text }) => [name, JSON.parse(text) as unknown]),
        [[odd, { odd }], ['fail', { message: odd }], ['echo', odd]], // prettier-ignore
      )
      assert.deepEqual(
        console.map(({ text }) => text),
        [odd],
      )
      assert.ok(end?.ok)
      const [tool, message, failed, echoed, inCode] = JSON.parse(end.json!) as string[]
      assert.deepEqual([tool, message], [odd, `There is no tool "${odd}".`])
      assert.deepEqual([failed, echoed], [odd, odd])
      // Code is UTF-8, which has no halves of characters.
      assert.equal(inCode, odd.replaceAll(/[\ud800-\udfff]/g, '\ufffd'))
      const thrown = await run(
        `throw Object.assign(new Error(${JSON.stringify(odd)}), { name: ${JSON.stringify(odd)} })`,
      )
      assert.ok(thrown.end && !thrown.end.ok)
      assert.deepEqual(thrown.end.error, { name: odd, message: odd, line: 1 })
    },
  },
  {
    name: 'no program sees another',
    async check({ run, returned }) {
      await run('globalThis.left = 1; Object.prototype.left = 1; Array.prototype.map = undefined')
      assert.deepEqual(await returned('return [typeof left, typeof {}.left, [1].map((n) => n)]'), [
        'undefined',
        'undefined',
        [1],
      ])
    },
  },
  {
    name: 'console lines come in order, whatever is written',
    async check({ run }) {
      const { console } =
        await run(`console.log('a', 1, { b: [2] }, undefined, null, 3n, Symbol('s'))
console.warn(new TypeError('bad'))
const round = {}; round.round = round
console.error(round)
await tools.echo({})
console.info('after')
console.debug()
console.table([{ a: 1 }])`)
      assert.deepEqual(
        console.map(({ level, text }) => `${level}: ${text.replace(/\[TypeError.*/, '[…')}`),
        [
          'log: a 1 {"b":[2]} undefined null 3n Symbol(s)',
          'warn: TypeError: bad',
          'error: […',
          'info: after',
          'debug: ',
          'log: [{"a":1}]',
        ],
      )
    },
  },
]
