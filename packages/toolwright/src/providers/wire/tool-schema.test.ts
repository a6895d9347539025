import { describe, expect, it } from 'vitest'
import type { JsonSchema } from '../../schema/json-schema.ts'
import type { ToolDefinition } from '../../tools/tool-definition.ts'
import { toolSchema } from './tool-schema.ts'

const closed = (p: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: { p },
  additionalProperties: false,
})
const SIMPLE = closed({ type: 'string', minLength: 2 })
const ANYTHING = closed({})

const definition = (
  inputSchema: JsonSchema,
  strict?: boolean,
  provider = 'openai',
): ToolDefinition => ({
  // prettier-ignore
  name: 't',
  description: '',
  inputSchema,
  ...(strict !== undefined && { providerOptions: { [provider]: { strict } } }),
})

describe('the schema of a tool', () => {
  it('is strict where every input can be said, whatever has to be told in words', () => {
    const { schema, isStrict, raise } = toolSchema(definition(SIMPLE), 'openai-strict')
    expect(isStrict).toBe(true)
    expect(schema.required).toEqual(['p'])
    expect(raise('{"p":null}')).toBe('{}')
  })

  it('raises arguments without any null, where more is raised than nulls', () => {
    const map = closed({ type: 'object', additionalProperties: { type: 'number' } })
    const { raise } = toolSchema(definition(map, true), 'openai-strict')
    expect(raise('{"p":[{"key":"a","value":1}]}')).toBe('{"p":{"a":1}}')
    expect(raise('{"p":null}')).toBe('{}')
  })

  it('is the plain one where an input would be lost, or is too large', () => {
    const large = closed({ enum: Array.from({ length: 1001 }, (_, n) => n) })
    for (const inputSchema of [ANYTHING, large])
      expect(toolSchema(definition(inputSchema), 'openai-strict')).toMatchObject({
        isStrict: false,
        schema: inputSchema,
        isRaised: false,
      })
  })

  it.each([
    ['openai-strict', ANYTHING, true, true],
    ['openai-strict', SIMPLE, false, false],
    ['openai', SIMPLE, true, true],
    ['openai', SIMPLE, undefined, false],
  ] as const)('%s: strict in providerOptions decides', (...row) => {
    const [language, schema, strict, isStrict] = row
    expect(toolSchema(definition(schema, strict), language).isStrict).toBe(isStrict)
    // What is said for another provider does not count.
    expect(toolSchema(definition(schema, strict), language, 'other')).toBe(
      toolSchema(definition(schema), language),
    )
  })

  it('of Anthropic is strict only where it is asked for', () => {
    expect(toolSchema(definition(SIMPLE), 'anthropic')).toMatchObject({
      isStrict: false,
      schema: SIMPLE,
    })
    const strict = toolSchema(definition(SIMPLE, true, 'anthropic'), 'anthropic')
    expect(strict).toMatchObject({
      isStrict: true,
      schema: { properties: { p: { type: 'string', description: '(minLength: 2)' } } },
    })
  })

  it.each(['google', 'ollama'] as const)('of %s is never strict', (language) => {
    expect(toolSchema(definition(SIMPLE, true, language), language).isStrict).toBe(false)
  })

  it('is made once, also for copies of the definition', () => {
    const one = toolSchema(definition(SIMPLE), 'google')
    expect(toolSchema({ ...definition(SIMPLE), name: 'other' }, 'google')).toBe(one)
  })
})
