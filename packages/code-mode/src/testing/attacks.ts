/** Programs that try to bring their host down, for tests. */

/** Builtins that never ask whether they shall stop, on more data than they can finish with. */
export const HOLD_UP: { readonly [what: string]: string } = {
  indexOf: '"a".repeat(4e6).indexOf("a".repeat(2e6) + "b")',
  lastIndexOf: '"a".repeat(4e6).lastIndexOf("a".repeat(2e6) + "b")',
  replaceAll: '"a".repeat(4e6).replaceAll("a".repeat(2e6) + "b", "")',
  split: '"a".repeat(4e6).split("a".repeat(2e6) + "b")',
  'join of a sparse array': 'const a = []; a.length = 2 ** 32 - 1; a.join("")',
  reverse: 'const a = []; a[2 ** 32 - 2] = 1; a.reverse()',
  unshift: 'const a = { length: 2 ** 53 - 2 }; Array.prototype.unshift.call(a, 1)',
  copyWithin: 'const a = { length: 2 ** 53 - 2 }; Array.prototype.copyWithin.call(a, 1, 0)',
  'spreadable concat': '[].concat({ length: 2 ** 32 - 2, [Symbol.isConcatSpreadable]: true })',
  'a regular expression': '/(a+)+$/.test("a".repeat(40) + "b")',
  'a loop of heavy builtins':
    'const s = "a".repeat(2e6); for (;;) s.includes("a".repeat(1e6) + "b")',
}

/** Attacks on memory, stack and queue, which the engine itself stops. */
export const EXHAUST: { readonly [what: string]: string } = {
  'deep recursion': 'const f = () => f(); f()',
  'deep JSON text': 'JSON.parse("[".repeat(5e6))',
  'deep JSON data': 'let a = []; for (let i = 0; i < 1e5; i++) a = [a]; JSON.stringify(a)',
  'a giant string': 'let s = "x"; for (;;) s += s',
  'a giant BigInt': 'let n = 3n; for (;;) n *= n',
  'a giant power': '7n ** (2n ** 31n)',
  'typed arrays': 'const all = []; for (;;) all.push(new Float64Array(1e6))',
  'many objects': 'const all = []; for (;;) all.push({})',
  'a flood of microtasks': 'for (;;) Promise.resolve().then(() => {})',
  'a chain of microtasks':
    'const f = () => { queueMicrotask(f) }; f(); await new Promise(() => {})',
  'a flood of calls': 'for (;;) tools.echo({}).catch(() => {})',
  'hostile toJSON':
    'const f = () => ({ toJSON: f, a: f }); return { a: { toJSON() { for (;;); } } }',
  'hostile ownKeys': 'return new Proxy({}, { ownKeys: () => Array.from({ length: 1e7 }, String) })',
  'hostile length': 'Array.from({ length: 2 ** 53 - 1 })',
  'a million lines': 'for (let i = 0; i < 1e6; i++) console.log("line", i); for (;;);',
  'nested code': `${'('.repeat(20_000)}${')'.repeat(20_000)}`,
  'nested types': `let a: ${'A<'.repeat(15_000)}`,
  'nested functions': `${'()=>'.repeat(15_000)}1`,
}
