/** What has no JSON form, what cannot be read, what is misspelt: file, line, what is wrong and what to write. */
import { basename } from 'node:path'
import { expect, it } from 'vitest'
import { sourceFolder, type Files } from './source-folder.ts'

const generate = sourceFolder()

/** A class whose one tool takes these parameters. */
const taking = (parameters: string, declare = '', tags = ''): string => `${declare}
export class Alarms {
  /**
   * Rings.
   * @tool${tags && `\n   * ${tags}`}
   */
  ring(${parameters}): void {}
}
`

/** The problems of a source, as a person reads them. */
function problems(source: string, others?: Files): readonly string[] {
  const { text, problems: found } = generate(source, others)
  expect(text).toBeUndefined()
  expect(found).not.toEqual([])
  return found.map(({ file, line, message, fix }) => {
    expect(fix).toMatch(/[.!]$/)
    return `${basename(file)}:${line} ${message} ${fix}`
  })
}

it.each([
  ['then: () => void', 'then is a function, which has no JSON form. Take the data the function would give.'],
  ['mark: symbol', 'mark is a symbol, which has no JSON form. Take a string.'],
  ['x: any', 'x is any, which has no JSON form. Write its type, or unknown for any JSON; @any or --allow-any lets it pass.'],
  ['x: { deep: any[] }', 'x.deep[] is any, which has no JSON form. Write its type'],
  ['x: Promise<string>', 'x is a Promise, which has no JSON form. Take the value itself'],
  ['x: RegExp', 'x is a RegExp, which has no JSON form. Take the pattern as a string'],
  ['x: 1n', 'x is the bigint 1n, which has no JSON form.'],
  ['x: Date | string', 'x is a union whose members look the same in JSON'],
  ['x: never', 'x is never, which has no JSON form. Leave it out.'],
  ['x: string & { brand: 1 }', 'x is the branded type string & { brand: 1; }, which has no JSON form. Take a string and brand it inside.'],
  ['x: [...string[], number]', 'x has elements after its rest, which has no JSON form. Put the rest last.'],
])('%s', (parameters, said) => {
  expect(problems(taking(parameters))[0]).toContain(`alarm-tools.ts:7 ${said}`)
}) // prettier-ignore

it.each([
  ['methods only', 'export class Thing { go(): void {} }', 'the class Thing without public fields'],
  ['#private state', 'export class Thing { a = 1; #b = 2; c() { return this.#b } }', 'the class Thing with private state (#b)'],
  ['private state', 'export class Thing { a = 1; private b = 2 }', 'the class Thing with private state (b)'],
  ['no export', 'class Thing { a = 1 }', 'the class Thing, which is exported nowhere'],
  ['only methods in an interface', 'export interface Thing { go(): void }', 'x.go is a function'],
])('a class used as data: %s', (_name, declare, said) => {
  expect(problems(taking('x: Thing', declare)).join('\n')).toContain(said)
}) // prettier-ignore

it.each([
  ['not exported', `enum Color { Red = 'red' }`, 'x: Color | null'],
  ['in a namespace', `export namespace Paint { export enum Color { Red = 'red' } }`, 'x: Paint.Color'],
])('an enum of texts that is %s', (_name, declare, parameters) => {
  expect(problems(taking(parameters, declare))[0]).toContain(
    ':7 x is the enum Color, which its file does not export. Export enum Color, outside of any namespace.',
  )
}) // prettier-ignore

it('a type that grows without end is said once, by the name of the parameter', () => {
  const declare = 'export interface Grow<T> { value: T; next?: Grow<T[]> }'
  expect(problems(taking('x: string, y: Grow<string>', declare))).toEqual([
    'alarm-tools.ts:1 y has a type that grows without end, which has no JSON form. Take a type that ends: one that contains itself with the same arguments.',
  ])
})

it('every problem of a file is said, each with the path of the value and the line of its declaration', () => {
  const declare = `export interface Line {\n  price: symbol\n}\nexport interface Order {\n  lines: Line[]\n  done: () => void\n}`
  expect(problems(taking('order: Order, other: any', declare))).toEqual([
    'alarm-tools.ts:2 order.lines[].price is a symbol, which has no JSON form. Take a string.',
    expect.stringContaining('alarm-tools.ts:6 order.done is a function'),
    expect.stringContaining('alarm-tools.ts:13 other is any'),
  ])
})

it.each([
  ['a generic method', `export class A {\n  /**\n   * R.\n   * @tool\n   */\n  ring<T>(x: T): void {}\n}`, ':6 x is the unresolved generic T'],
  ['a generic class', `export class A<T> {\n  /**\n   * R.\n   * @tool\n   */\n  ring(x: T): void {}\n}`, ':1 The class A is generic'],
  ['a class that is not exported', `class A {\n  /**\n   * R.\n   * @tool\n   */\n  ring(): void {}\n}\nexport {}`, 'A, which is not exported. Export A.'],
  ['a function that is not exported', `/**\n * R.\n * @tool\n */\nfunction ring(): void {}\nexport {}`, 'ring, which is not exported. Export ring.'],
  ['a class', `/**\n * R.\n * @tool\n */\nexport class A {}`, '@tool stands on the class A. Put it on the methods'],
  ['a private method', `export class A {\n  /**\n   * R.\n   * @tool\n   */\n  private ring(): void {}\n}`, 'A.ring is not public: nobody can call it. Make it public.'],
  ['a #private method', `export class A {\n  /**\n   * R.\n   * @tool\n   */\n  #ring(): void {}\n}`, 'not public: nobody can call it.'],
  ['a getter', `export class A {\n  /**\n   * R.\n   * @tool\n   */\n  get ring(): string { return '' }\n}`, 'A.ring is no method. Make it a method.'],
  ['the implementation of overloads', `export class A {\n  ring(a: string): void\n  ring(a: number): void\n  /**\n   * R.\n   * @tool\n   */\n  ring(a: unknown): void {}\n}`, 'has 2 signatures, and its tag is on none of them.'],
  ['two tools of one name', `export class A {\n  /**\n   * R.\n   * @tool\n   */\n  ring(): void {}\n  /**\n   * R.\n   * @tool\n   * @name ring\n   */\n  bell(): void {}\n}`, 'the second tool of the name ring'],
  ['two classes whose tools would be called the same', `export class A {\n  /**\n   * R.\n   * @tool\n   */\n  ring(): void {}\n}\nexport class ATools {\n  /**\n   * R.\n   * @tool\n   */\n  ring(): void {}\n}`, ':8 The tools of ATools would be called aTools, as others of this file are. Rename it'],
  ['a nameless class', `export default class {\n  /**\n   * R.\n   * @tool\n   */\n  ring(): void {}\n}`, 'This class has tools and no name.'],
  ['a static method of a nameless class', `export default class {\n  /**\n   * R.\n   * @tool\n   */\n  static ring(): void {}\n}`, 'This class has tools and no name.'],
])('@tool on %s', (_name, source, said) => {
  expect(problems(source).join('\n')).toContain(said)
}) // prettier-ignore

it('options of @Tool that must be run', () => {
  const source = `import { Tool } from 'toolwright'
const words = 'x'.repeat(3)
export class A {
  @Tool({ description: words, approval: () => true })
  ring(): void {}
}`
  expect(problems(source)).toEqual([
    expect.stringContaining(
      ':4 The option description of @Tool cannot be read without running it.',
    ),
    expect.stringContaining(':4 The option approval of @Tool cannot be read without running it.'),
  ])
})

it('a syntax error and a missing import are said in the compiler’s words, with their place', () => {
  expect(problems('export class A {\n  ring(: void\n}')[0]).toMatch(
    /^alarm-tools.ts:2 TypeScript says: /,
  )
  const missing = taking('x: Order', `import type { Order } from './orders.js'`)
  expect(problems(missing)[0]).toContain(`:1 TypeScript says: Cannot find module './orders.js'`)
  const unknown = problems(taking('x: Ordr'))
  expect(unknown[0]).toContain(`:7 TypeScript says: Cannot find name 'Ordr'.`)
  const inner = problems(taking('x: Order', `import type { Order } from './orders.js'`), {
    'orders.ts': `export interface Order {\n  line: Line\n}`,
  })
  expect(inner[0]).toContain(`orders.ts:2 TypeScript says: Cannot find name 'Line'.`)
})

it('a file that is still to be generated is not missed', () => {
  const source = `import { alarmsTools } from './alarm-tools.tools.js'\n${taking('x: string')}\nvoid alarmsTools`
  expect(generate(source).text).toContain('alarmsTools')
})

it('any passes where the comment allows it', () => {
  expect(generate(taking('x: any', '', '@param x Whatever {@any}')).text).toContain(
    'x: { description:',
  )
})

it.each([
  ['@param x {@minimum soon}', ':6 @minimum has "soon", which is not a number. Write @minimum 10.'],
  ['@param x {@pattern (}', ':6 @pattern has "(", which is not a regular expression.'],
  ['@param x {@minLength -1}', ':6 @minLength has "-1", which is not a whole number from 0.'],
  ['@param x {@default [}', ':6 @default has "[", which is not JSON.'],
  ['@param x {@minLenght 3}', ':6 There is no tag @minLenght. Did you mean @minLength? Write @minLength.'],
  ['@retrunDirect', ':6 There is no tag @retrunDirect. Did you mean @returnDirect?'],
  ['@param y The other', ':6 @param y describes no parameter; there are: x.'],
  ['@param x {@optional}', ':6 x is @optional, but its type wants a value.'],
  ['@param x {@minimum 5}', '@minimum of x does not fit its type: it says something about numbers. Take @minimum away, or put it on the number it is meant for.'],
  ['@param x {@maxItems 5}', '@maxItems of x does not fit its type: it says something about lists.'],
  ['@param x {@default 5}', '@default of x does not fit its type: x is 5, not a string.'],
  ['@example {"x": 5}', ':6 @example of Alarms.ring does not fit its parameters: x is 5, not a string.'],
  ['@example {"y": 5}', ':6 @example of Alarms.ring does not fit its parameters: x is missing.'],
  ['@example {x: 5}', ':6 @example of Alarms.ring does not fit its parameters: it is no JSON.'],
])('%s', (tag, said) => {
  expect(problems(taking('x: string', '', tag)).join('\n')).toContain(said)
}) // prettier-ignore
