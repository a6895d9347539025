/**
 * The rows of the matrix test: one construct of TypeScript each, with its schema, what a model may send,
 * what the method then receives, and what is refused and where.
 */
import type { JsonValue } from '../../packages/cli/src/generate/shape/shape.ts'

export interface Row {
  readonly construct: string
  /** The type as a source writes it. */
  readonly type: string
  /** Declarations the type needs. */
  readonly declare?: string
  /** Imports the declarations need. */
  readonly imports?: string
  readonly schema: JsonValue
  /** What `output` says when it differs. `none`: there is no output schema. */
  readonly output?: JsonValue
  readonly good: JsonValue
  /** An expression of the value that the method receives, and that it returns. */
  readonly real: string
  /** The JSON of the returned value, when it is not what was sent. */
  readonly returned?: JsonValue
  readonly bad: JsonValue
  /** Where the bad value is refused, below the value. */
  readonly at?: string
}

const S = { type: 'string' }
const N = { type: 'number' }
const DATE = { type: 'string', format: 'date-time' }
const object = (
  properties: { readonly [name: string]: JsonValue },
  required = Object.keys(properties),
) => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
  additionalProperties: false,
})
const open = (
  properties: { readonly [name: string]: JsonValue },
  required = Object.keys(properties),
) => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
})
const BIGINT = {
  type: ['string', 'integer'],
  pattern: '^-?\\d+$',
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
}
const TIME = '2026-01-02T03:04:05.000Z'
const date = `new Date('${TIME}')`
// Whole bytes only, padded or not.
const BYTES = '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$'
const BASE64 = { type: 'string', contentEncoding: 'base64' }

export const ROWS: readonly Row[] = [
  { construct: 'string', type: 'string', schema: S, good: 'a', real: `'a'`, bad: 1 },
  { construct: 'number', type: 'number', schema: N, good: 1.5, real: '1.5', bad: 'many' },
  { construct: 'boolean', type: 'boolean', schema: { type: 'boolean' }, good: true, real: 'true', bad: 'perhaps' },
  {
    construct: 'bigint',
    type: 'bigint',
    schema: BIGINT,
    output: { type: 'string', pattern: '^-?\\d+$' },
    good: '12345678901234567890',
    real: '12345678901234567890n',
    bad: '1.5',
  },
  { construct: 'a literal', type: `'now'`, schema: { type: 'string', const: 'now' }, good: 'now', real: `'now'`, bad: 'later' },
  { construct: 'a union of literals', type: `'low' | 'high' | 3`, schema: { enum: ['low', 'high', 3] }, good: 'high', real: `'high'`, bad: 'middle' },
  { construct: 'a template literal', type: '`user-${number}`', schema: { type: 'string', pattern: '^user--?\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?$' }, good: 'user-7', real: `'user-7'`, bad: 'user-x' },
  { construct: 'a union of simple types', type: 'string | number', schema: { type: ['string', 'number'] }, good: 5, real: '5', bad: [] },
  { construct: 'a numeric enum', type: 'Level', declare: 'export enum Level { Low, High }', schema: { type: 'number', enum: [0, 1], description: '0 = Low, 1 = High' }, good: 1, real: 'Level.High', bad: 2 },
  { construct: 'a text enum', type: 'Color', declare: `export enum Color { Red = 'red', Blue = 'blue' }`, schema: { type: 'string', enum: ['red', 'blue'] }, good: 'blue', real: 'Color.Blue', bad: 'green' },
  { construct: 'a const enum', type: 'Size', declare: 'export const enum Size { S = 1, L = 2 }', schema: { type: 'number', enum: [1, 2], description: '1 = S, 2 = L' }, good: 2, real: 'Size.L', bad: 3 },
  { construct: 'members of an enum', type: 'Step.One | Step.Two', declare: `export enum Step { One = 'one', Two = 'two', Three = 'three' }`, schema: { type: 'string', enum: ['one', 'two'] }, good: 'two', real: 'Step.Two', bad: 'three' },
  { construct: 'an enum made of an object', type: 'Mode', declare: `export const Mode = { Fast: 'fast', Slow: 'slow' } as const\nexport type Mode = (typeof Mode)[keyof typeof Mode]`, schema: { type: 'string', enum: ['fast', 'slow'] }, good: 'slow', real: 'Mode.Slow', bad: 'still' },
  { construct: 'an array', type: 'string[]', schema: { type: 'array', items: S }, good: ['a', 'b'], real: `['a', 'b']`, bad: ['a', 1], at: '[1]' },
  { construct: 'an array of dates', type: 'Date[]', schema: { type: 'array', items: DATE }, good: [TIME], real: `[${date}]`, bad: ['soon'], at: '[0]' },
  { construct: 'a readonly array', type: 'readonly number[]', schema: { type: 'array', items: N }, good: [1], real: '[1]', bad: ['x'], at: '[0]' },
  { construct: 'a tuple', type: '[string, Date]', schema: { type: 'array', prefixItems: [S, DATE], items: false, minItems: 2 }, good: ['a', TIME], real: `['a', ${date}]`, bad: ['a'] },
  { construct: 'a tuple with optional parts', type: '[from: Date, to?: Date]', schema: { type: 'array', prefixItems: [DATE, DATE], items: false, minItems: 1 }, good: [TIME], real: `[${date}]`, bad: [] },
  { construct: 'a tuple with a rest', type: '[name: string, ...days: Date[]]', schema: { type: 'array', prefixItems: [S], items: DATE, minItems: 1 }, good: ['a', TIME], real: `['a', ${date}]`, bad: ['a', 'soon'], at: '[1]' },
  { construct: 'a Record', type: 'Record<string, number>', schema: { type: 'object', additionalProperties: N }, good: { a: 1 }, real: '{ a: 1 }', bad: { a: 'x' }, at: '.a' },
  { construct: 'a Record of dates', type: 'Record<string, Date>', schema: { type: 'object', additionalProperties: DATE }, good: { a: TIME }, real: `{ a: ${date} }`, bad: { a: 'x' }, at: '.a' },
  { construct: 'a Record of literals', type: `Record<'a' | 'b', number>`, schema: object({ a: N, b: N }), output: open({ a: N, b: N }), good: { a: 1, b: 2 }, real: '{ a: 1, b: 2 }', bad: { a: 1 }, at: '.b' },
  { construct: 'a Record of numbers', type: 'Record<number, string>', schema: { type: 'object', propertyNames: { pattern: '^-?\\d+(?:\\.\\d+)?$' }, additionalProperties: S }, good: { 1: 'a' }, real: `{ 1: 'a' }`, bad: { x: 'a' }, at: '.x' },
  { construct: 'a Record of enums', type: 'Record<Hue, Date>', declare: `export enum Hue { Red = 'red', Blue = 'blue' }`, schema: object({ red: DATE, blue: DATE }), output: open({ red: DATE, blue: DATE }), good: { red: TIME, blue: TIME }, real: `{ [Hue.Red]: ${date}, [Hue.Blue]: ${date} }`, bad: { red: TIME }, at: '.blue' },
  { construct: 'a Record of numeric enums', type: 'Record<Rank, string>', declare: 'export enum Rank { Low, High }', schema: object({ 0: S, 1: S }), output: open({ 0: S, 1: S }), good: { 0: 'a', 1: 'b' }, real: `{ 0: 'a', 1: 'b' }`, bad: { 0: 'a', 1: 2 }, at: '["1"]' },
  { construct: 'an index signature beside properties', type: 'Bag', declare: 'export interface Bag { id: string; [other: string]: string }', schema: { ...object({ id: S }), additionalProperties: S }, output: { ...open({ id: S }), additionalProperties: S }, good: { id: 'a', b: 'c' }, real: `{ id: 'a', b: 'c' }`, bad: { id: 'a', b: 1 }, at: '.b' },
  { construct: 'a Map', type: 'Map<string, number>', schema: { type: 'object', additionalProperties: N }, good: { a: 1 }, real: `new Map([['a', 1]])`, bad: { a: 'x' }, at: '.a' },
  { construct: 'a Map of literals and dates', type: `Map<'a' | 'b', Date>`, schema: { type: 'object', propertyNames: { type: 'string', enum: ['a', 'b'] }, additionalProperties: DATE }, good: { a: TIME }, real: `new Map([['a', ${date}]])`, bad: { a: 'soon' }, at: '.a' },
  { construct: 'a Map with numbers for keys', type: 'Map<number, Date>', schema: { type: 'array', items: { type: 'array', prefixItems: [N, DATE], items: false, minItems: 2 } }, output: { anyOf: [{ type: 'array', items: { type: 'array', prefixItems: [N, DATE], items: false, minItems: 2 } }, { type: 'object' }] }, good: [[1, TIME]], real: `new Map([[1, ${date}]])`, bad: [[1, 'soon']], at: '[0][1]' },
  { construct: 'a Set', type: 'Set<string>', schema: { type: 'array', items: S, uniqueItems: true }, good: ['a'], real: `new Set(['a'])`, bad: ['a', 'a'] },
  { construct: 'a ReadonlySet of dates', type: 'ReadonlySet<Date>', schema: { type: 'array', items: DATE, uniqueItems: true }, good: [TIME], real: `new Set([${date}])`, bad: ['soon'], at: '[0]' },
  { construct: 'a Date', type: 'Date', schema: DATE, good: TIME, real: date, bad: 'soon' },
  { construct: 'a URL', type: 'URL', schema: { type: 'string', format: 'uri' }, good: 'https://a.example/b', real: `new URL('https://a.example/b')`, bad: 'nowhere' },
  { construct: 'a Uint8Array', type: 'Uint8Array', schema: { ...BASE64, pattern: BYTES }, output: BASE64, good: 'AQID', real: 'new Uint8Array([1, 2, 3])', bad: 'A' },
  { construct: 'a Buffer', type: 'Buffer', imports: `import { Buffer } from 'node:buffer'`, schema: { ...BASE64, pattern: BYTES }, output: BASE64, good: 'AQID', real: 'Buffer.from([1, 2, 3])', bad: '%' },
  { construct: 'nullable', type: 'string | null', schema: { type: ['string', 'null'] }, good: null, real: 'null', bad: 5 },
  { construct: 'a nullable date', type: 'Date | null', schema: { anyOf: [DATE, { type: 'null' }] }, good: TIME, real: date, bad: 'soon' },
  { construct: 'an interface', type: 'Point', declare: 'export interface Point { x: number; y?: number; at: Date; to?: Date; note: string | undefined }', schema: object({ x: N, y: N, at: DATE, to: DATE, note: S }, ['x', 'at']), output: open({ x: N, y: N, at: DATE, to: DATE, note: S }, ['x', 'at']), good: { x: 1, at: TIME }, real: `{ x: 1, at: ${date}, note: undefined }`, bad: { x: 1, at: 'soon' }, at: '.at' },
  { construct: 'an interface that extends another', type: 'Dog', declare: 'export interface Animal { name: string }\nexport interface Dog extends Animal { legs: number }', schema: object({ legs: N, name: S }), output: open({ legs: N, name: S }), good: { name: 'a', legs: 4 }, real: `{ name: 'a', legs: 4 }`, bad: { name: 'a' }, at: '.legs' },
  { construct: 'an alias', type: 'Pair', declare: 'export type Pair = { left: bigint; right: string }', schema: object({ left: BIGINT, right: S }), output: open({ left: { type: 'string', pattern: '^-?\\d+$' }, right: S }), good: { left: '1', right: 'a' }, real: `{ left: 1n, right: 'a' }`, bad: { left: 'x', right: 'a' }, at: '.left' },
  { construct: 'a class used as data', type: 'Money', declare: `export class Money {\n  amount: number\n  readonly due: Date\n  constructor(amount: number, due: Date) { this.amount = amount; this.due = due }\n  get text() { return String(this.amount) }\n  plus(more: number) { return new Money(this.amount + more, this.due) }\n}`, schema: object({ amount: N, due: DATE }), output: open({ amount: N, due: DATE }), good: { amount: 1, due: TIME }, real: `new Money(1, ${date})`, bad: { amount: 'x', due: TIME }, at: '.amount' },
  { construct: 'a generic with concrete arguments', type: 'Page<Date>', declare: 'export interface Page<T> { items: T[]; next?: Page<T> }', schema: { $ref: '#/$defs/PageOfDate' }, output: { $ref: '#/$defs/PageOfDate' }, good: { items: [TIME] }, real: `{ items: [${date}] }`, bad: { items: ['soon'] }, at: '.items[0]' },
  { construct: 'an intersection', type: 'Named & { at: Date }', declare: 'export interface Named { name: string }', schema: object({ name: S, at: DATE }), output: open({ name: S, at: DATE }), good: { name: 'a', at: TIME }, real: `{ name: 'a', at: ${date} }`, bad: { name: 'a' }, at: '.at' },
  { construct: 'Partial', type: 'Partial<Both>', declare: 'export interface Both { a: string; b: Date }', schema: object({ a: S, b: DATE }, []), output: open({ a: S, b: DATE }, []), good: { b: TIME }, real: `{ b: ${date} }`, bad: { a: 1 }, at: '.a' },
  { construct: 'Pick', type: `Pick<Three, 'a' | 'c'>`, declare: 'export interface Three { a: string; b: number; c: Date }', schema: object({ a: S, c: DATE }), output: open({ a: S, c: DATE }), good: { a: 'x', c: TIME }, real: `{ a: 'x', c: ${date} }`, bad: { a: 'x' }, at: '.c' },
  { construct: 'Omit', type: `Omit<Trio, 'b'>`, declare: 'export interface Trio { a: string; b: number; c: Date }', schema: object({ a: S, c: DATE }), output: open({ a: S, c: DATE }), good: { a: 'x', c: TIME }, real: `{ a: 'x', c: ${date} }`, bad: { a: 'x', b: 1, c: TIME }, at: '.b' },
  { construct: 'Required and Readonly', type: 'Required<Readonly<Loose>>', declare: 'export interface Loose { a?: string }', schema: object({ a: S }), output: open({ a: S }), good: { a: 'x' }, real: `{ a: 'x' }`, bad: {}, at: '.a' },
  { construct: 'a mapped type', type: `{ [Key in 'a' | 'b']: Key }`, schema: object({ a: { type: 'string', const: 'a' }, b: { type: 'string', const: 'b' } }), output: open({ a: { type: 'string', const: 'a' }, b: { type: 'string', const: 'b' } }), good: { a: 'a', b: 'b' }, real: `{ a: 'a', b: 'b' }`, bad: { a: 'b', b: 'b' }, at: '.a' },
  {
    construct: 'a discriminated union',
    type: 'Figure',
    declare: `export type Figure = { kind: 'circle'; born: Date } | { kind: 'square'; side: bigint } | { kind: 'dot' }`,
    schema: { anyOf: [object({ kind: { type: 'string', const: 'circle' }, born: DATE }), object({ kind: { type: 'string', const: 'square' }, side: BIGINT }), object({ kind: { type: 'string', const: 'dot' } })] },
    output: { anyOf: [open({ kind: { type: 'string', const: 'circle' }, born: DATE }), open({ kind: { type: 'string', const: 'square' }, side: { type: 'string', pattern: '^-?\\d+$' } }), open({ kind: { type: 'string', const: 'dot' } })] },
    good: { kind: 'square', side: '4' },
    real: `{ kind: 'square', side: 4n }`,
    bad: { kind: 'circle', born: 'soon' },
    at: '.born',
  },
  { construct: 'a union told apart by its kind of value', type: `Date | number[] | 'now'`, schema: { anyOf: [DATE, { type: 'array', items: N }, { type: 'string', const: 'now' }] }, good: TIME, real: date, bad: true },
  { construct: 'a union told apart by a property', type: '{ at: Date } | { in: number }', schema: { anyOf: [object({ at: DATE }), object({ in: N })] }, output: { anyOf: [open({ at: DATE }), open({ in: N })] }, good: { at: TIME }, real: `{ at: ${date} }`, bad: { at: 'soon' }, at: '.at' },
  { construct: 'recursion', type: 'Tree', declare: 'export interface Tree { planted: Date; branches: Tree[] }', schema: { $ref: '#/$defs/Tree' }, good: { planted: TIME, branches: [{ planted: TIME, branches: [] }] }, real: `{ planted: ${date}, branches: [{ planted: ${date}, branches: [] }] }`, bad: { planted: TIME, branches: [{ planted: 'soon', branches: [] }] }, at: '.branches[0].planted' },
  { construct: 'recursion through an alias', type: 'Nested', declare: 'export type Nested = bigint | Nested[]', schema: { $ref: '#/$defs/Nested' }, good: ['1', ['2']], real: '[1n, [2n]]', bad: ['x'], at: '[0]' },
  { construct: 'a type of another file', type: 'Parcel', imports: `import type { Parcel } from './parcels.ts'`, schema: object({ sent: DATE, to: object({ city: S }) }), output: open({ sent: DATE, to: open({ city: S }) }), good: { sent: TIME, to: { city: 'a' } }, real: `{ sent: ${date}, to: { city: 'a' } }`, bad: { sent: TIME, to: {} }, at: '.to.city' },
  { construct: 'a type of a package', type: 'ToolRetry', imports: `import type { ToolRetry } from 'toolwright'`, schema: object({ attempts: { ...N, description: 'How many times it runs at most, including the first: a whole number from 1.' }, delayMs: { ...N, description: 'The pause before the second run, in ms; it doubles each time. Default 200.' } }, ['attempts']), output: open({ attempts: { ...N, description: 'How many times it runs at most, including the first: a whole number from 1.' }, delayMs: { ...N, description: 'The pause before the second run, in ms; it doubles each time. Default 200.' } }, ['attempts']), good: { attempts: 2 }, real: '{ attempts: 2 }', bad: { attempts: 'x' }, at: '.attempts' },
  { construct: 'unknown', type: 'unknown', schema: {}, good: { a: [1] }, real: '{ a: [1] }', bad: 'nothing is bad' },
  { construct: 'object', type: 'object', schema: { type: 'object' }, good: { a: 1 }, real: '{ a: 1 }', bad: 5 },
  { construct: 'any JSON', type: 'Json', imports: `import type { Json } from 'toolwright'`, schema: {}, good: [1, { a: null }], real: '[1, { a: null }]', bad: 'nothing is bad' },
  { construct: 'a Map of tuples inside unions', type: 'Map<string, Ride[]>', declare: `export type Ride = { kind: 'train'; from: [Date, Date?] } | { kind: 'walk'; note?: string }`, schema: { type: 'object', additionalProperties: { type: 'array', items: { anyOf: [object({ kind: { type: 'string', const: 'train' }, from: { type: 'array', prefixItems: [DATE, DATE], items: false, minItems: 1 } }), object({ kind: { type: 'string', const: 'walk' }, note: S }, ['kind'])] } } }, output: { type: 'object', additionalProperties: { type: 'array', items: { anyOf: [open({ kind: { type: 'string', const: 'train' }, from: { type: 'array', prefixItems: [DATE, DATE], items: false, minItems: 1 } }), open({ kind: { type: 'string', const: 'walk' }, note: S }, ['kind'])] } } }, good: { mo: [{ kind: 'train', from: [TIME] }, { kind: 'walk' }] }, real: `new Map<string, Ride[]>([['mo', [{ kind: 'train', from: [${date}] }, { kind: 'walk' }]]])`, bad: { mo: [{ kind: 'train', from: ['soon'] }] }, at: '.mo[0].from[0]' },
  { construct: 'tuples in a Record, a Set and a rest, without names', type: `[Record<string, { on: [Date, bigint] }>, Set<{ at: Date | 'now' }>, ...[Date, string][]]`, schema: { type: 'array', prefixItems: [{ type: 'object', additionalProperties: object({ on: { type: 'array', prefixItems: [DATE, BIGINT], items: false, minItems: 2 } }) }, { type: 'array', items: object({ at: { anyOf: [DATE, { type: 'string', const: 'now' }] } }), uniqueItems: true }], items: { type: 'array', prefixItems: [DATE, S], items: false, minItems: 2 }, minItems: 2 }, output: { type: 'array', prefixItems: [{ type: 'object', additionalProperties: open({ on: { type: 'array', prefixItems: [DATE, { type: 'string', pattern: '^-?\\d+$' }], items: false, minItems: 2 } }) }, { type: 'array', items: open({ at: { anyOf: [DATE, { type: 'string', const: 'now' }] } }), uniqueItems: true }], items: { type: 'array', prefixItems: [DATE, S], items: false, minItems: 2 }, minItems: 2 }, good: [{ a: { on: [TIME, '1'] } }, [{ at: 'now' }], [TIME, 'b']], real: `[{ a: { on: [${date}, 1n] } }, new Set([{ at: 'now' as const }]), [${date}, 'b']]`, bad: [{ a: { on: [TIME, '1'] } }, [], ['soon', 'b']], at: '[2][0]' },
  { construct: 'a recursive generic inside a Map', type: 'Map<string, Chain<bigint>>', declare: 'export interface Chain<Link> { link: Link; next?: Chain<Link> }', schema: { type: 'object', additionalProperties: { $ref: '#/$defs/ChainOfBigint' } }, good: { a: { link: '1', next: { link: '2' } } }, real: `new Map([['a', { link: 1n, next: { link: 2n } }]])`, bad: { a: { link: '1', next: { link: 'x' } } }, at: '.a.next.link' },
  { construct: 'properties that cannot be variables', type: 'Odd', declare: `export interface Odd { 'a b': Date; 'a-b': Date; class: Date; class_: Date; 1: Date }`, schema: object({ 'a b': DATE, 'a-b': DATE, class: DATE, class_: DATE, 1: DATE }, ['a b', 'a-b', 'class', 'class_', '1']), output: open({ 'a b': DATE, 'a-b': DATE, class: DATE, class_: DATE, 1: DATE }, ['a b', 'a-b', 'class', 'class_', '1']), good: { 'a b': TIME, 'a-b': TIME, class: TIME, class_: TIME, 1: TIME }, real: `{ 'a b': ${date}, 'a-b': ${date}, class: ${date}, class_: ${date}, 1: ${date} }`, bad: { 'a b': TIME, 'a-b': TIME, class: TIME, class_: TIME }, at: '["1"]' },
  { construct: 'a union told apart by a quoted property', type: 'Linked', declare: `export type Linked = { '@type': 'event'; at: Date } | { '@type': 'id'; id: bigint }`, schema: { anyOf: [object({ '@type': { type: 'string', const: 'event' }, at: DATE }), object({ '@type': { type: 'string', const: 'id' }, id: BIGINT })] }, output: { anyOf: [open({ '@type': { type: 'string', const: 'event' }, at: DATE }), open({ '@type': { type: 'string', const: 'id' }, id: { type: 'string', pattern: '^-?\\d+$' } })] }, good: { '@type': 'id', id: '1' }, real: `{ '@type': 'id', id: 1n }`, bad: { '@type': 'event', at: 'soon' }, at: '.at' },
  { construct: 'types called like what the file itself uses', type: 'Same', declare: 'export interface Keys { at: Date }\nexport interface Record { keys: Keys }\nexport interface Same { record: Record; tool: Date; more: Map<string, Keys> }', schema: object({ record: object({ keys: object({ at: DATE }) }), tool: DATE, more: { type: 'object', additionalProperties: object({ at: DATE }) } }), output: open({ record: open({ keys: open({ at: DATE }) }), tool: DATE, more: { type: 'object', additionalProperties: open({ at: DATE }) } }), good: { record: { keys: { at: TIME } }, tool: TIME, more: {} }, real: `{ record: { keys: { at: ${date} } }, tool: ${date}, more: new Map() }`, bad: { record: { keys: {} }, tool: TIME, more: {} }, at: '.record.keys.at' },
  { construct: 'undefined in a union', type: 'Holder', declare: 'export interface Holder { values: (Date | undefined)[] }', schema: object({ values: { type: 'array', items: { anyOf: [DATE, { type: 'null' }] } } }), output: open({ values: { type: 'array', items: { anyOf: [DATE, { type: 'null' }] } } }), good: { values: [null, TIME] }, real: `{ values: [undefined, ${date}] }`, bad: { values: ['soon'] }, at: '.values[0]' },
] // prettier-ignore
