/** What the compiler says about tools that do not fit their methods: words, not riddles. */
import { afterAll, describe, expect, it } from 'vitest'
import { diagnosticsOf, programFolder } from './diagnostics-of.ts'

const { folder, remove } = programFolder('class-tools-messages')
afterAll(remove)

const IMPORTS = `import { defineTools, Tool, type ToolContext } from 'toolwright'
import { z } from 'zod'
export { defineTools, Tool, z, type ToolContext }
`
const ON_METHODS = {
  'needs more than the schema gives': [
    `@Tool({ input: z.object({ city: z.string() }) }) more(input: { city: string; days: number }) { return input }`,
    `'The method must accept what its input schema gives:': { city: string; }`,
  ],
  'needs a context that is not declared': [
    `@Tool({ input: z.object({ city: z.string() }) }) tenant(input: object, context: ToolContext<{ tenant: string }>) { return context.get('tenant') }`,
    `'The method must accept the context its schema gives:': ToolContext<`,
  ],
  'returns what its converter does not take': [
    `@Tool({ resultConverter: (result: number) => String(result) }) text() { return 'text' }`,
    `'resultConverter and undo must accept what the method returns:': string`,
  ],
  'returns what its undo does not take': [
    `@Tool({ undo: (_input, result: number) => void result }) undone() { return 'text' }`,
    `'resultConverter and undo must accept what the method returns:': string`,
  ],
  'returns what its output does not take': [
    `@Tool({ output: z.number() }) counted() { return 'many' }`,
    `'The method must return what its output schema takes:': number`,
  ],
  'reads an input that there is none of': [
    `@Tool({ input: 'none' }) unread(city: string) { return city }`,
    `'The method must accept what its input schema gives:': Record<string, never>`,
  ],
  'takes three parameters': [
    `@Tool({ input: z.object({ city: z.string() }) }) three(input: object, context: ToolContext, more: string) { return more }`,
    `"A tool method takes (input, context)"`,
  ],
  'returns a function': [
    `@Tool() supplier() { return () => 1 }`,
    `"A tool method returns its result, not a function"`,
  ],
  'is a field': [`@Tool() size = 1`, `"@Tool() stands on methods only"`],
  'is a getter': [
    `@Tool() get size() { return 1 }`,
    /"@Tool\(\) stands on methods only"|"A tool method takes \(input, context\)"/,
  ],
} as const

const METHODS = `now(): string { return 'noon' }
forecast(input: { city: string; days?: number }): string { return input.city }
ofTenant(input: object, context: ToolContext<{ tenant: string }>): string { return context.get('tenant') }`
const IN_DEFINE_TOOLS = {
  'a forgotten class': [
    `static tools = defineTools({ now: {} })`,
    `to parameter of type '"Name the class: defineTools<AlarmTools>({ ... })"'`,
  ],
  'a misspelt method': [
    `static tools = defineTools<Wrong>({ nwo: {} })`,
    `'nwo' does not exist in type 'MethodTools<Wrong>'`,
  ],
  'a forgotten schema': [
    `static tools = defineTools<Wrong>({ forecast: {} })`,
    `Property 'input' is missing in type '{}' but required in type 'RequiredInput<SchemaFor<{ city: string; days?: number | undefined; }>>'`,
  ],
  'a schema of something else': [
    `static tools = defineTools<Wrong>({ forecast: { input: z.object({ city: z.number() }) } })`,
    `is not assignable to type 'SchemaFor<{ city: string; days?: number | undefined; }>'`,
  ],
  'a JSON Schema of something else': [
    `static tools = defineTools<Wrong>({ forecast: { input: { type: 'object', properties: { town: {} } } } })`,
    `'town' does not exist in type '{ readonly city: JsonSchemaNode; readonly days?: JsonSchemaNode | undefined; }'`,
  ],
  'a forgotten context': [
    `static tools = defineTools<Wrong>({ ofTenant: { input: 'none' } })`,
    `Property 'context' is missing in type '{ input: "none"; }' but required in type 'RequiredContext<JsonSchema | StandardSchema<unknown, { tenant: string; }>>'`,
  ],
  'a converter of something else': [
    `static tools = defineTools<Wrong>({ now: { resultConverter: (result: number) => String(result) } })`,
    `Type 'string' is not assignable to type 'number'`,
  ],
} as const

type Cases = { readonly [name: string]: readonly [member: string, words: string | RegExp] }

/** All diagnostics of one program, by the name of the case. */
function messages(
  cases: Cases,
  experimentalDecorators: boolean,
): { readonly [name: string]: string } {
  const entries = Object.entries(cases)
  const sources = entries.map(
    ([, [member]]) => `${IMPORTS}export class Wrong {\n${member}\n${METHODS}\n}\n`,
  )
  const texts = diagnosticsOf(folder, sources, { experimentalDecorators })
  return Object.fromEntries(entries.map(([name], index) => [name, texts[index]!.join('\n')]))
}

describe.each([
  ['standard decorators', false],
  ['experimentalDecorators', true],
])('with %s the compiler refuses, in words, a method that', (_name, experimental) => {
  const found = messages(ON_METHODS, experimental)

  it.each(Object.entries(ON_METHODS))('%s', (name, [, words]) => {
    expect(found[name]).toMatch(words)
  })
})

describe('in defineTools() the compiler refuses, in words,', () => {
  const found = messages(IN_DEFINE_TOOLS, false)

  it.each(Object.entries(IN_DEFINE_TOOLS))('%s', (name, [, words]) => {
    expect(found[name]).toContain(words)
  })
})
