/** What doc comments say becomes part of the schema and of the tool. */
import { expect, it } from 'vitest'
import { sourceFolder } from './source-folder.ts'

const generate = sourceFolder()

/** The text of a generated file, its white space evened out. */
function written(source: string): string {
  const { text, problems } = generate(source)
  expect(problems).toEqual([])
  return text!.replace(/\s+/g, ' ').replaceAll(/,? ([}\]])/g, ' $1')
}

it('the first paragraph describes, and the tags of the tool are its options', () => {
  const text = written(`
export class Alarms {
  /**
   * Rings the bell,
   * however late it is.
   *
   * A second paragraph is for people.
   * @tool
   * @name bell
   * @title The bell
   * @returnDirect
   * @readOnly
   * @idempotent
   * @approval
   * @deprecated use the gong
   * @example {"times": 2}
   * @example alarms.ring(2)
   */
  ring(times: number): void {}
}
`)
  expect(text).toContain(
    `name: 'bell', title: 'The bell', description: 'Rings the bell, however late it is. Deprecated: use the gong',`,
  )
  expect(text).toContain(
    'returnDirect: true, hints: { readOnly: true, idempotent: true }, approval: true, inputExamples: [{ times: 2 }],',
  )
})

it('parameters are described by @param, with tags in braces', () => {
  const text = written(`
export class Alarms {
  /**
   * Rings.
   * @tool
   * @param {number} times - How often
   *   it rings {@minimum 1} {@maximum 9}
   * @param code The code {@pattern ^[a-z]{2,3}$} {@minLength 2} {@example ab}
   * @param [mail] Where to {@format email} {@default a@b.example}
   * @param needed {@required}
   */
  ring(times: number, code: string, mail?: string, needed?: string): void {}
}
`)
  expect(text).toContain(
    `times: { type: 'number', minimum: 1, maximum: 9, description: 'How often it rings' }`,
  )
  expect(text).toContain(
    `code: { type: 'string', pattern: '^[a-z]{2,3}$', minLength: 2, examples: ['ab'], description: 'The code' }`,
  )
  expect(text).toContain(
    `mail: { type: 'string', format: 'email', default: 'a@b.example', description: 'Where to' }`,
  )
  expect(text).toContain(`required: ['times', 'code', 'needed']`)
})

it('properties are described where they are declared, at any depth', () => {
  const text = written(`
/** A line of an order. */
export interface Line {
  /**
   * Price in cents.
   * @exclusiveMinimum 0
   * @multipleOf 5
   */
  price: number
  /**
   * @minItems 1
   * @maxItems 3
   * @uniqueItems
   * @deprecated use labels
   */
  tags?: string[]
}
export class Alarms {
  /**
   * Rings.
   * @tool
   */
  ring(order: { lines: Line[] }): void {}
}
`)
  expect(text).toContain(`items: { type: 'object', description: 'A line of an order.', properties:`)
  expect(text).toContain(
    `price: { type: 'number', exclusiveMinimum: 0, multipleOf: 5, description: 'Price in cents.' }`,
  )
  expect(text).toContain(
    `minItems: 1, maxItems: 3, uniqueItems: true, deprecated: true, description: 'Deprecated: use labels'`,
  )
})

it('a link is its text, and an example in code is for people', () => {
  const text = written(`
export interface Bell {
  /**
   * How loud, see {@link Bell}
   * @example
   * \`\`\`ts
   * bell.loud = 5
   * \`\`\`
   */
  loud: number
}
export class Alarms {
  /**
   * Rings a {@link Bell | bell of the town}.
   * @tool
   * @param bell The {@linkcode Bell}
   */
  ring(bell: Bell): void {}
}
`)
  expect(text).toContain(`description: 'Rings a bell of the town.'`)
  expect(text).toContain(`loud: { type: 'number', description: 'How loud, see Bell' }`)
  expect(text).toContain(`description: 'The Bell'`)
})

it('what the comments of a package say in their own way is passed over', () => {
  const { text, problems } = generate(
    `
import type { Bell } from 'bells'
export class Alarms {
  /**
   * Rings.
   * @tool
   */
  ring(bell: Bell): void {}
}
`,
    {
      'node_modules/bells/package.json': '{ "name": "bells", "types": "index.d.ts" }',
      'node_modules/bells/index.d.ts': `
/** @minimum of bells */
export interface Bell {
  /**
   * How loud
   * @default see the manual
   * @maximum none
   * @maxLength 5
   * @requried
   */
  loud: number
}
`,
    },
  )
  expect(problems).toEqual([])
  expect(text).toContain(`{ loud: { type: 'number', description: 'How loud' } }`)
})

it('texts and keys are written so that they mean what they say', () => {
  const text = written(`
export class Alarms {
  /**
   * It's "late" \\\\ über 時.
   * @tool
   */
  ring(x: { 'a-b': string; "it's": number; __proto__: string; 1: string }): void {}
}
`)
  expect(text).toContain(
    `description: "It's \\"late\\" \\\\\\\\ über 時."`.replace('"It', `'It`).slice(0, 16),
  )
  expect(text).toContain(
    `'a-b': { type: 'string' }, "it's": { type: 'number' }, ['__proto__']: { type: 'string' }`,
  )
})
