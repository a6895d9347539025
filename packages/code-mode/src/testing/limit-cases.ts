/** Limits that hold, and how a program learns of them. */
import assert from 'node:assert/strict'
import type { SandboxCase } from './sandbox-case.ts'

/** Ways to go on after being stopped, if a program could. */
const SPINNERS = [
  'for (;;);',
  'for (;;) { try { for (;;); } catch {} finally { continue } }',
  'const spin = async () => { try { for (;;); } catch { await null; await spin() } }\nawait spin().catch(() => spin())',
  'const again = () => { Promise.resolve().then(again) }\nagain()\nawait new Promise(() => {})',
  'function* forever() { for (;;) yield 1 }\nfor (const _ of forever());',
  'while (true) try { [1].map(() => { for (;;); }) } catch {}',
  'return { toJSON() { for (;;); } }',
  'return new Proxy({}, { ownKeys() { for (;;); } })',
  'return [Object.defineProperty(new Error(), "name", { get() { for (;;); } })]',
  'throw { get message() { for (;;); } }',
  'throw Object.defineProperty(new Error(), "cause", { get() { for (;;); } })',
  'console.log({ toJSON() { for (;;); } })',
  'tools.echo({ toJSON() { for (;;); } })',
  'await { then() { for (;;); } }',
  'queueMicrotask(function again() { queueMicrotask(again) })',
]

export const LIMIT_CASES: readonly SandboxCase[] = [
  {
    name: 'a program that computes too much is stopped and cannot catch it',
    async check({ run, returned }) {
      for (const code of SPINNERS) {
        const { end, calls } = await run(`console.log('begun')\n${code}\ncallTool('echo')`, {
          limits: { fuel: 50 },
        })
        assert.ok(end && !end.ok && end.kind === 'fuel', `${code} → ${JSON.stringify(end)}`)
        assert.deepEqual(calls, [], `${code} made a call after it was stopped.`)
      }
      assert.equal(await returned('return 1', { limits: { fuel: 50 } }), 1)
    },
  },
  {
    name: 'fuel is that of all turns together, and what was written before is kept',
    async check({ run }) {
      const code = `for (;;) { console.log('turn'); await tools.echo({}); for (let i = 0; i < 2e5; i++); }`
      const { end, console, fuel } = await run(code, { limits: { fuel: 200 } })
      assert.ok(end && !end.ok && end.kind === 'fuel', JSON.stringify(end))
      assert.ok(console.length > 1 && fuel <= 200, `${console.length} lines, fuel ${fuel}`)
    },
  },
  {
    name: 'a turn that takes too long is stopped',
    async check({ run, returned }) {
      const { end } = await run('for (;;);', { limits: { turnMs: 20, fuel: 2 ** 31 - 1 } })
      assert.ok(end && !end.ok && end.kind === 'time', JSON.stringify(end))
      assert.equal(await returned('return 1'), 1)
    },
  },
  {
    name: 'memory has an end, which a program can catch',
    async check({ run, returned }) {
      for (const code of [
        'const all = []; for (;;) all.push("x".repeat(1e6) + all.length)',
        'return "x".repeat(2 ** 29)',
        'return new Uint8Array(2 ** 29).length',
        'let big = 2n; for (;;) big = big * big',
        'const all = []; for (;;) all.push(new ArrayBuffer(1e6))',
      ]) {
        const limits = { memoryBytes: 8 * 1024 * 1024 }
        const { end } = await run(code, { limits })
        assert.ok(end && !end.ok, `${code} → ${JSON.stringify(end)}`)
        assert.ok(['memory', 'thrown'].includes(end.kind), `${code} → ${JSON.stringify(end)}`)
        const caught = `try { ${code.replace('return', 'void')} } catch { return "caught" }`
        assert.equal(await returned(caught, { limits }), 'caught', code)
      }
    },
  },
  {
    name: 'what there is no memory left to read ends the program, in words',
    async check({ run, returned }) {
      const limits = { memoryBytes: 8 * 1024 * 1024 }
      const { end, calls } = await run(
        'const s = "x".repeat(1e6); for (let i = 0; i < 8; i++) tools.echo({ s: s + i }).catch(() => {})',
        { limits },
      )
      assert.ok(end && !end.ok, 'It has ended.')
      assert.match(end.error.message, /out of memory/)
      assert.deepEqual(calls, [])
      const long = await run('console.log("é".repeat(3e6)); return 1', { limits })
      assert.deepEqual([long.console.length, long.end], [2, { ok: true, json: '1' }])
      assert.equal(await returned('return 1'), 1)
    },
  },
  {
    name: 'the stack has an end, which a program can catch',
    async check({ run, returned }) {
      const deep = 'const f = () => f() + 1\n'
      const { end } = await run(`${deep}return f()`)
      assert.ok(end && !end.ok && end.kind === 'stack', JSON.stringify(end))
      assert.equal(await returned(`${deep}try { return f() } catch { return "caught" }`), 'caught')
      for (const nested of ['JSON.parse("[".repeat(1e5))', 'JSON.stringify(Array.from({ length: 1e5 }).reduce((inner) => [inner], []))'])
        assert.equal(await returned(`try { ${nested} } catch { return "caught" }`), 'caught', nested) // prettier-ignore
    },
  },
  {
    name: 'so many calls may be open, and one more can be made when one has settled',
    async check({ run }) {
      const { end, calls } = await run(
        `const all = await Promise.allSettled([1, 2, 3].map((n) => tools.echo({ n })))
return [...all.map(({ status, reason }) => reason?.code ?? status), await tools.echo({ n: 4 })]`,
        { limits: { openCalls: 2 } },
      )
      assert.ok(end?.ok, JSON.stringify(end))
      assert.deepEqual(JSON.parse(end.json!), ['fulfilled', 'fulfilled', 'limit', { n: 4 }])
      assert.deepEqual(calls.map(({ index }) => index), [0, 1, 2]) // prettier-ignore
    },
  },
  {
    name: 'inputs, results and what is returned are as long as allowed, in bytes',
    async check({ run, returned }) {
      const limits = { valueBytes: 100 }
      for (const [text, isLong] of [
        ['x'.repeat(98), false],
        ['x'.repeat(99), true],
        ['é'.repeat(49), false],
        ['é'.repeat(50), true],
        ['😀'.repeat(25), true],
      ] as const) {
        const input = `return tools.take(${JSON.stringify(text)}).then((n) => n, (error) => error.code)`
        const sent = await run(input, { limits }, { take: () => 1 })
        assert.deepEqual(sent.end, { ok: true, json: isLong ? '"limit"' : '1' }, `Input ${text}`)
        assert.equal(sent.calls.length, isLong ? 0 : 1)
        const code = 'return tools.give().then((text) => text.length, (error) => [error.code, error.tool])' // prettier-ignore
        const given = await run(code, { limits }, { give: () => text })
        const expected = isLong ? '["limit","give"]' : `${text.length}`
        assert.deepEqual(given.end, { ok: true, json: expected }, `Result ${text}`)
        const { end } = await run(`return ${JSON.stringify(text)}`, { limits })
        assert.equal(end?.ok, !isLong, `Returned ${text}: ${JSON.stringify(end)}`)
        if (end && !end.ok) assert.equal(end.kind, 'value')
      }
      assert.equal(await returned('return 1'), 1)
    },
  },
  {
    name: 'the console takes so many bytes, then says so once',
    async check({ run }) {
      const { console, end } = await run(
        `for (let i = 0; i < 1e5; i++) console.log('line é')\nawait tools.echo({})\nconsole.log('more')\nreturn 1`,
        { limits: { consoleBytes: 1_000 } },
      )
      assert.deepEqual(end, { ok: true, json: '1' })
      assert.equal(console.length, Math.floor(1_000 / 8) + 1, 'Eight bytes a line, with its end.')
      assert.match(console.at(-1)!.text, /1000 bytes/)
    },
  },
  {
    name: 'a line that the console has no room for is cut to what fits',
    async check({ run }) {
      for (const [text, kept] of [
        ['x', 'x'.repeat(987)],
        ['é', 'é'.repeat(493)],
        ['😀', '😀'.repeat(246)],
      ] as const) {
        const { console } = await run(
          `console.log('12345678'); console.warn(${JSON.stringify(text)}.repeat(1e5)); console.log('more')`,
          { limits: { consoleBytes: 1_000 } },
        )
        const [first, long, last, ...more] = console
        assert.equal(first?.text, '12345678')
        assert.equal(long?.level, 'warn')
        assert.equal(long.text, `${kept}…`, 'With its end and the sign that it is cut.')
        assert.match(last?.text ?? '', /1000 bytes/)
        assert.deepEqual(more, [])
      }
      const tight = await run('console.log("long")', { limits: { consoleBytes: 4 } })
      assert.equal(tight.console.length, 1, 'Nothing fits.')
    },
  },
]
