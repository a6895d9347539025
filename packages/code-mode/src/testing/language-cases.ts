/** What code means in a sandbox: values, types, errors with the lines of whoever wrote it. */
import assert from 'node:assert/strict'
import type { SandboxCase } from './sandbox-case.ts'

export const LANGUAGE_CASES: readonly SandboxCase[] = [
  {
    name: 'a program returns what its code returns, as JSON',
    async check({ run, returned }) {
      assert.deepEqual(await returned('return { sum: 1 + 1, list: [null, "é😀\\u0000"] }'), {
        sum: 2,
        list: [null, 'é😀\u0000'],
      })
      assert.deepEqual((await run('1 + 1')).end, { ok: true }, 'Without return: undefined.')
      assert.equal(await returned('return "\\ud800x"'), '\ud800x', 'A half character changed.')
    },
  },
  {
    name: 'types are stripped, always',
    async check({ returned }) {
      const typed = 'interface A { b: number }\nconst a: A = { b: 2 }\nreturn (a as any).b!'
      assert.equal(await returned(typed), 2)
      const both = 'const f = (x: number) => x, number = 3\nreturn [f<number>(1)].length'
      assert.equal(await returned(both), 1, 'f<number>(1) was read as two comparisons.')
    },
  },
  {
    name: 'code that cannot be read is refused, with its line',
    async check({ run }) {
      for (const [code, line] of [
        ['let a = 1\nlet b = ;', 2],
        ['\n\nreturn 1 +* 2', 3],
        ['const x = 1\nenum A { B }', 2],
        ['import fs from "node:fs"', 1],
      ] as const) {
        const { end, calls } = await run(code)
        assert.ok(end && !end.ok && end.kind === 'syntax', `${code} → ${JSON.stringify(end)}`)
        assert.equal(end.error.name, 'SyntaxError')
        assert.equal(end.error.line, line, `${code} → ${JSON.stringify(end)}`)
        assert.deepEqual(calls, [])
      }
    },
  },
  {
    name: 'no brace leads out of a program',
    async check({ run }) {
      for (const code of [
        '}',
        'return 1 }',
        '} }); callTool("echo"); (async function () { {',
        '}}\ncallTool("echo")\n{{',
        '}}) + (async () => {{',
        'if (true) {',
        'const s = "',
        'return `',
        '/* ',
      ]) {
        const { end, calls } = await run(code)
        assert.ok(end && !end.ok && end.kind === 'syntax', `${code} → ${JSON.stringify(end)}`)
        assert.deepEqual(calls, [], `${code} ran.`)
      }
    },
  },
  {
    name: 'a comment in the last line is one',
    async check({ returned }) {
      assert.equal(await returned('return 5 // five'), 5)
    },
  },
  {
    name: 'an error that nobody catches ends the program, with its name, message and line',
    async check({ run }) {
      const { end } = await run('const a = null\n\nreturn a.b')
      assert.ok(end && !end.ok && end.kind === 'thrown', JSON.stringify(end))
      assert.equal(end.error.name, 'TypeError')
      assert.match(end.error.message, /null/)
      assert.equal(end.error.line, 3)
      const inside = await run(
        'const f = () => {\n  throw new RangeError("far")\n}\nawait null\nf()',
      )
      assert.deepEqual(inside.end, {
        ok: false,
        kind: 'thrown',
        error: { name: 'RangeError', message: 'far', line: 2 },
      })
    },
  },
  {
    name: 'whatever is thrown can be told',
    async check({ run }) {
      for (const thrown of [
        'null',
        'undefined',
        '"words"',
        '12n',
        'Symbol("s")',
        '({ a: 1 })',
        '() => 1',
        'new Proxy({}, { get() { throw 1 } })',
        '(() => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy })()',
        'Object.create(null, { message: { get() { throw new Error("again") } } })',
        'Object.assign(new Error("long".repeat(1e5)), { name: {}, stack: 1 })',
      ]) {
        const { end } = await run(`throw ${thrown}`)
        assert.ok(end && !end.ok && end.kind === 'thrown', `${thrown} → ${JSON.stringify(end)}`)
        assert.equal(typeof end.error.name, 'string')
        assert.ok(end.error.message.length > 0 && end.error.message.length < 5_000, thrown)
      }
    },
  },
  {
    name: 'a result that is no JSON is told in words',
    async check({ run }) {
      for (const [code, words] of [
        ['const a = {}; a.a = a; return a', /circular/i],
        ['return { n: 1n }', /bigint/i],
        ['return () => 1', /function/],
        ['return Symbol()', /symbol/],
        ['return new Map([[1, 2]])', /Map/],
        ['return { later: callTool("echo") }', /await/],
        ['return { get a() { throw new Error("mine") } }', /mine/],
        ['return { toJSON() { throw new Error("mine") } }', /mine/],
        ['const { proxy, revoke } = Proxy.revocable([], {}); revoke(); return [proxy]', /revoked/i],
        ['return new Proxy({}, { ownKeys() { throw new Error("trap") } })', /trap/],
      ] as const) {
        const { end } = await run(code)
        assert.ok(end && !end.ok && end.kind === 'value', `${code} → ${JSON.stringify(end)}`)
        assert.match(end.error.message, words)
      }
    },
  },
  {
    name: 'a thenable that is returned is awaited, as in any async function',
    async check({ returned, run }) {
      assert.equal(await returned('return { then(done) { done(4) } }'), 4)
      assert.equal((await run('return { then() {} }')).end, undefined, 'It never settles.')
    },
  },
]
