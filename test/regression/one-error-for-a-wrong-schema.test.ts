/** A wrong `input` was two errors, at the schema and at `execute`; `output` did not type what `execute` returns. */
import { afterAll, describe, expect, it } from 'vitest'
import { diagnosticsOf, programFolder } from '../types/diagnostics-of.ts'

const { folder, remove } = programFolder('wrong-schema')
afterAll(remove)

const source = (code: string): string => `import { Tool, tool, toolRegistry } from 'toolwright'
import * as v from 'valibot'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import { z } from 'zod'
import * as zodMini from 'zod/mini'
import { z as zod3 } from 'zod/v3'
export { Tool, tool, toolRegistry, toStandardJsonSchema, type, v, z, zod3, zodMini }
${code}
`
const made = (options: string): string => `export const made = tool({ name: 'a', ${options} })`
const UNIT = `z.object({ unit: z.enum(['C', 'F']), degrees: z.number() })`
const FIX = 'toStandardJsonSchema() of @valibot/to-json-schema'

const WRONG = {
  'a record of schemas': [made(`input: { city: z.string() }, execute: ({ city }) => city.length`), `'city' does not exist in type`],
  'a number': [made(`input: 5, execute: ({ city }) => city`), `Type 'number' is not assignable`],
  'another word than none': [made(`input: 'nome', execute: (input) => input.city`), `Type '"nome"' is not assignable`],
  'a type that does not exist': [made(`input: { type: 'objet' }, execute: ({ city }) => city`), `Did you mean '"object"'?`],
  'a function': [made(`input: () => z.object({}), execute: async ({ city }, context) => city + context.callId`), 'is not assignable'],
  'a schema of valibot that is not wrapped': [made(`input: v.object({ city: v.string() }), execute: ({ city }) => city`), FIX],
  'a schema of zod/mini': [made(`input: zodMini.object({ city: zodMini.string() }), execute: ({ city }) => city`), FIX],
  'a schema of zod 3': [made(`input: zod3.object({ city: zod3.string() }), execute: ({ city }) => city`), 'is not assignable'],
  'a record of schemas, on a method': [`export class A { @Tool({ input: { city: z.string() } }) a({ city }: { city: string }) { return city } }`, `'city' does not exist in type`],
  'a result of another type than output': [made(`output: z.number(), execute: () => 'many'`), `Type 'string' is not assignable to type 'Returnable<number>'`],
  'a promise of another type': [made(`output: z.number(), execute: async () => 'many'`), 'is not assignable'],
  'a generator of another type': [made(`output: z.number(), *execute() { yield 1; return 'many' }`), 'is not assignable'],
  'a result with another property': [made(`output: ${UNIT}, execute: () => ({ unit: 'C', degrees: '21' })`), `Type 'string' is not assignable to type 'number'`],
  'a result that lacks a property': [made(`output: ${UNIT}, execute: () => ({ unit: 'C' })`), `Property 'degrees' is missing`],
  'a result of a bare tool in a registry': [`export const r = toolRegistry().register('a', { output: z.number(), execute: () => 'many' })`, 'is not assignable'],
} as const // prettier-ignore

const RIGHT = {
  'a literal of an enum': made(`output: ${UNIT}, execute: () => ({ unit: 'C', degrees: 21 })`),
  'a promise of it': made(`output: ${UNIT}, execute: async () => ({ unit: 'F', degrees: 21 })`),
  'a generator': made(`output: z.number(), *execute() { yield 'half'; return 1 }`),
  'an async generator': made(`output: z.number(), async *execute() { yield 'half'; return 1 }`),
  'what the schema takes, not what it gives': made(
    `output: z.string().transform((text) => text.length), execute: () => 'four'`,
  ),
  'what becomes JSON': made(
    `output: { type: 'object', properties: { at: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } } } }, execute: () => ({ at: new Date(), tags: new Set(['hot']) })`,
  ),
  'a result of another type than a plain JSON Schema, which holds when the tool runs': made(
    `output: { type: 'array', items: { type: 'string' } }, execute: () => [1]`,
  ),
  'nothing, where the application supplies the result': made(`output: z.number()`),
  'a schema of arktype': made(
    `input: type({ city: 'string' }), execute: ({ city }) => city.length`,
  ),
  'a wrapped schema of valibot': made(
    `input: toStandardJsonSchema(v.object({ city: v.string() })), execute: ({ city }) => city.length`,
  ),
  'no input, in a word': made(`input: 'none', execute: (_input, context) => context.callId`),
  'a context without a JSON Schema': made(
    `context: v.object({ tenant: v.string() }), execute: (_input, context) => context.get('tenant').length`,
  ),
}

describe('is one error, and says what is wrong:', () => {
  const found = diagnosticsOf(
    folder,
    Object.values(WRONG).map(([code]) => source(code)),
    {},
  )

  it.each(
    Object.entries(WRONG).map(([name, [, words]], index) => [name, words, found[index]!] as const),
  )('%s', (_name, words, diagnostics) => {
    expect(diagnostics).toEqual([expect.stringContaining(words)])
  })
})

describe('compiles:', () => {
  const found = diagnosticsOf(folder, Object.values(RIGHT).map(source), {})

  it.each(Object.keys(RIGHT).map((name, index) => [name, found[index]!] as const))(
    '%s',
    (_name, diagnostics) => expect(diagnostics).toEqual([]),
  )
})
