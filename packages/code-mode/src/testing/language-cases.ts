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
    name: 'stacks count the lines of the program and show nothing but the program',
    async check({ returned }) {
      for (const [code, line] of [
        ['return new Error("x").stack', 1],
        ['const f = () => {\n  return new Error("x").stack\n}\nreturn f()', 2],
        ['\nreturn new ToolError("x").stack', 2],
        ['\n\nreturn tools.fail({ message: "x" }).catch((error) => error.stack)', 3],
        ['return callTool("fail", { message: "x" }).catch((error) => error.stack)', 1],
        ['return callTool(1).catch((error) => error.stack)', 1],
      ] as const) {
        const stack = (await returned(code)) as string
        assert.equal(Number(/:(\d+):/.exec(stack)?.[1]), line, `${code} → ${stack}`)
        assert.doesNotMatch(stack, /toolwright/, code)
      }
    },
  },
  {
    name: 'an error tells the errors that it is made of, and the one that caused it',
    async check({ run }) {
      const message = async (code: string) => {
        const { end } = await run(code)
        assert.ok(end && !end.ok && end.kind === 'thrown', `${code} → ${JSON.stringify(end)}`)
        return end.error.message
      }
      assert.equal(
        await message('await Promise.any(["a", "b"].map((message) => tools.fail({ message })))'),
        'fail (failed): a; fail (failed): b',
      )
      assert.equal(
        await message('throw new AggregateError([new Error("a"), "b", 3, {}, null], "Many")'),
        'Many: a; b; 3 was thrown; throw an Error instead.; and 2 more',
      )
      const deep = 'new Error("deep", { cause: new Error("deepest") })'
      for (const [outer, words] of [
        ['Outside', 'Outside. Caused by: Error: deep'],
        ['Outside.', 'Outside. Caused by: Error: deep'],
        ['', 'Caused by: Error: deep'],
      ] as const)
        assert.equal(await message(`throw new Error("${outer}", { cause: ${deep} })`), words)
      assert.equal(await message('throw new Error("alone", { cause: "words" })'), 'alone')
      const long = await message(
        'throw new AggregateError(Array(99).fill(new Error("long".repeat(1e5))), "long".repeat(1e5), { cause: new Error("long".repeat(1e5)) })',
      )
      assert.ok(long.length < 5_000, `${long.length} characters`)
      for (const hostile of [
        'Object.defineProperty(new Error("kept"), "cause", { get() { throw 1 } })',
        'Object.defineProperty(new Error("kept"), "errors", { get() { throw 1 } })',
        'Object.assign(new Error("kept"), { errors: 1 })',
        'Object.assign(new Error("kept"), { errors: new Proxy([], { get() { throw 1 } }) })',
        'Object.assign(new Error("kept"), { errors: { length: {} } })',
      ])
        assert.equal(await message(`throw ${hostile}`), 'kept', hostile)
      const unread = '{ get message() { throw 1 } }'
      assert.match(await message(`throw new AggregateError([${unread}], "Many")`), /^Many: .*read/)
      const round = 'const e = new Error("round"); e.cause = e; e.errors = [e]; throw e'
      assert.equal(await message(round), 'round: round. Caused by: Error: round')
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
        ['return { seen: new (class extends Set {})() }', /"seen".*Set/],
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
    name: 'what a program writes for itself is written as everywhere',
    async check({ returned }) {
      assert.deepEqual(
        await returned(
          'return [new Map([[1, 2]]), new Set([1]), Promise.resolve(), new Error("why")].map((each) => JSON.stringify({ each }))',
        ),
        Array<string>(4).fill('{"each":{}}'),
      )
    },
  },
  {
    name: 'an error is written with its name, its message and its own fields, wherever it stands',
    async check({ run, returned }) {
      const failed = { name: 'ToolError', message: 'no', code: 'failed', tool: 'fail' }
      assert.deepEqual(
        await returned('return Promise.allSettled([tools.fail({ message: "no" })])'),
        [{ status: 'rejected', reason: failed }],
      )
      assert.deepEqual(await returned('return new RangeError("far")'), {
        name: 'RangeError',
        message: 'far',
      })
      const input = 'return tools.echo({ x: { e: Object.assign(new Error("why"), { at: [1] }) } })'
      assert.deepEqual(await returned(input), { x: { e: { name: 'Error', message: 'why', at: [1] } } }) // prettier-ignore
      const { console } = await run('const e = new Error("why")\nconsole.log({ e }, [e])')
      const why = '{"name":"Error","message":"why"}'
      assert.deepEqual(console, [{ level: 'log', text: `{"e":${why}} [${why}]` }])
      const own = 'return [Object.assign(new Error("why"), { toJSON: () => "mine" })]'
      assert.deepEqual(await returned(own), ['mine'])
    },
  },
  {
    name: 'an error that cannot be read is told in words, wherever it stands',
    async check({ run }) {
      for (const [hostile, words] of [
        [
          'Object.defineProperty(new Error(), "message", { get() { throw new Error("mine") } })',
          /mine/,
        ],
        [
          'Object.defineProperty(new Error(), "a", { enumerable: true, get() { throw new Error("mine") } })',
          /mine/,
        ],
        [
          'Object.setPrototypeOf(new Error(), new Proxy({}, { get() { throw new Error("mine") } }))',
          /mine/,
        ],
        ['(() => { const e = new Error("round"); e.e = e; return e })()', /circular|call stack/i],
        [
          '(() => { const { proxy, revoke } = Proxy.revocable(new Error(), {}); revoke(); return proxy })()',
          /revoked/i,
        ],
      ] as const) {
        const { end, calls, console } = await run(
          `const e = ${hostile}\nconsole.log({ e })\nconsole.log(await tools.echo({ e }).catch(({ code, message }) => code + message))\nreturn { e }`,
        )
        assert.deepEqual(calls, [], hostile)
        for (const { text } of console) assert.match(text, words, hostile)
        assert.match(console[1]!.text, /^invalid-arguments/, hostile)
        assert.ok(end && !end.ok && end.kind === 'value', `${hostile} → ${JSON.stringify(end)}`)
        assert.match(end.error.message, words, hostile)
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
