/** What a source says and a generated file leaves out is named, with its place. */
import { basename } from 'node:path'
import { expect, it } from 'vitest'
import type { Generation } from '../../packages/cli/src/generate/generation.ts'
import { sourceFolder } from './source-folder.ts'

const generate = sourceFolder()

const method = (signature: string, declare = '', docs = ''): string => `${declare}
export class Alarms {
  /**
   * Rings.
   * @tool${docs}
   */
  ${signature}
}
`

/** The warnings as a person reads them; there is a text all the same. */
function said({ text, warnings, problems }: Generation): readonly string[] {
  expect(problems).toEqual([])
  expect(text).toBeDefined()
  return warnings.map(({ file, line, column, message, fix }) => {
    expect(column).toBeGreaterThan(0)
    expect(fix).toMatch(/[.!]$/)
    return `${basename(file)}:${line} ${message}`
  })
}

it('nothing is said where nothing is left out', () => {
  expect(
    said(generate(method('ring(time: Date): { id: string } { return { id: String(time) } }'))),
  ).toEqual([])
})

it('the overloads besides the tagged one', () => {
  const source = method(`ring(time: string): void
  ring(time: string, times: number): void
  /** @internal */
  ring(time: string, times: number, loud: boolean): void
  ring(_time: string, _times?: number, _loud?: boolean): void {}`)
  expect(said(generate(source))).toEqual([
    'alarm-tools.ts:8 The overload ring(time: string, times: number): void is not used: the tool has the signature with @tool only.',
  ])
})

it('the overloads of a function', () => {
  const source = `
/**
 * Rings.
 * @tool
 */
export function ring(time: string): void
export function ring(time: string, times: number): void
export function ring(_time: string, _times?: number): void {}
`
  expect(said(generate(source))).toEqual([
    'alarm-tools.ts:7 The overload export function ring(time: string, times: number): void is not used: the tool has the signature with @tool only.',
  ])
})

it('a tag on the implementation, which callers do not see', () => {
  const source = `
export class Alarms {
  ring(time: string): void
  /**
   * Rings.
   * @tool
   */
  ring(time: string, times?: number): void { void [time, times] }
}
`
  expect(said(generate(source))).toEqual([
    expect.stringContaining(
      'alarm-tools.ts:8 ring(time: string, times?: number): void { void [time, times] } has the tag and is not used: callers see only ring(time: string): void',
    ),
  ])
})

it('a second signature with the tag is a problem that says so', () => {
  const source = method(`ring(time: string): void
  /** @tool */
  ring(time: string, times: number): void
  ring(_time: string, _times?: number): void {}`)
  expect(generate(source).problems).toMatchObject([
    {
      line: 9,
      message:
        'ring(time: string, times: number): void is a second signature with @tool; a tool has one.',
    },
  ])
})

it('a doc comment before a property on its line is read', () => {
  const generation = generate(
    method(
      'ring(order: { /** When\n to ring */ time: string; /** How loud {@link x} */ loud?: number }): void {}',
    ),
  )
  expect(said(generation)).toEqual([])
  expect(generation.text).toContain("description: 'When to ring'")
  expect(generation.text).toContain("description: 'How loud x'")
})

it('a tag in such a comment counts, and a wrong one is a problem at its place', () => {
  const good = generate(
    method('ring(order: { a: string; /** @minimum 2 */ times: number }): void {}'),
  )
  expect(good.text).toContain('minimum: 2')
  const bad = generate(
    method('ring(order: { a: string; /** @minimum two */ times: number }): void {}'),
  )
  expect(bad.problems).toMatchObject([
    { line: 7, column: 32, message: expect.stringContaining('@minimum has "two"') },
  ])
})

it('a method on the line of its class is a tool', () => {
  expect(generate('export class Alarms { /** Rings. @tool */ ring(): void {} }').problems).toEqual(
    [],
  )
  expect(generate('export class Alarms {/** Rings.\n * @tool */ ring(): void {} }').text).toContain(
    "name: 'ring'",
  )
})

it('a doc comment after a property', () => {
  const declare = `export interface Order {
  time: string /** When to ring */
  label?: string, /** What to call it */
  loud: boolean
} /** after all */`
  expect(said(generate(method('ring(order: Order): void {}', declare)))).toEqual([
    'alarm-tools.ts:2 The doc comment after order.time is not used: /** When to ring */',
    'alarm-tools.ts:3 The doc comment after order.label is not used: /** What to call it */',
  ])
})

it('a comment before a parameter is read; where @param says something else, that is said', () => {
  const read = generate(method('ring(/** When to ring */ time: string): void {}'))
  expect(said(read)).toEqual([])
  expect(read.text).toContain("description: 'When to ring'")
  const both = generate(
    method('ring(/** When */ time: string): void {}', '', '\n   * @param time At what time'),
  )
  expect(both.text).toContain("description: 'At what time'")
  expect(said(both)).toEqual([
    'alarm-tools.ts:8 The comment before time is not used: @param time describes it already.',
  ])
})

it('a tag inside a result that cannot be read, with the schema that is missing', () => {
  const declare = 'export interface Receipt {\n  /** @minimum nothing */\n  total: number\n}'
  const generation = generate(method('ring(): Receipt { return { total: 1 } }', declare))
  expect(generation.text).not.toContain('output:')
  expect(said(generation)).toEqual([
    'alarm-tools.ts:2 The tool has no output schema: @minimum has "nothing", which is not a number.',
  ])
})

it('a result without a JSON form', () => {
  const generation = generate(method('ring(): { mark: symbol } { return { mark: Symbol() } }'))
  expect(said(generation)).toEqual([
    'alarm-tools.ts:7 The tool has no output schema: result.mark is a symbol, which has no JSON form.',
  ])
})

it('getters in a class that is returned, at any depth', () => {
  const declare = `export class Line { price = 1; get total(): number { return this.price } private get secret() { return 1 } }
export class Order { lines: Line[] = []; get count() { return this.lines.length } size(): number { return 1 } }`
  const generation = generate(
    method('async ring(): Promise<Order> { return new Order() }', declare),
  )
  expect(generation.text).toContain('lines:')
  expect(said(generation)).toEqual(
    [
      expect.stringContaining('alarm-tools.ts:2 result.count is a getter, which JSON leaves out'),
      expect.stringContaining(
        'alarm-tools.ts:1 result.lines[].total is a getter, which JSON leaves out',
      ),
    ]
      .sort()
      .reverse(),
  )
})

it('a getter in a class that is taken, or one with toJSON, is fine', () => {
  const declare = `export class Order { price = 1; get total(): number { return this.price } }
export class Bill { get total(): number { return 1 } toJSON(): { total: number } { return { total: 1 } } }`
  expect(said(generate(method('ring(order: Order): Bill { return new Bill() }', declare)))).toEqual(
    [],
  )
})

it('a dotted @param that describes nothing', () => {
  const docs = `\n   * @param order.time When {@maxLength 5}\n   * @param order.tiem When\n   * @param lines[].price What it costs`
  const generation = generate(
    method('ring(order: { time: string }, lines: { price: number }[]): void {}', '', docs),
  )
  expect(generation.text!.replaceAll(/\s+/g, ' ')).toContain(
    "{ type: 'string', maxLength: 5, description: 'When' }",
  )
  expect(said(generation)).toEqual([
    expect.stringContaining('alarm-tools.ts:7 @param order.tiem is not used'),
    expect.stringContaining('alarm-tools.ts:8 @param lines[].price is not used'),
  ])
})
