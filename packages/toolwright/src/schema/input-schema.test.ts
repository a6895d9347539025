import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import Type from 'typebox'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { compileInput } from './input-schema.ts'
import { describeIssue } from '../errors/issue.ts'

async function issuesOf(
  input: Parameters<typeof compileInput>[0],
  value: unknown,
): Promise<string[]> {
  const result = await compileInput(input).check(value)
  return result.ok ? [] : result.issues.map(describeIssue)
}

describe('without a schema', () => {
  it('there are no arguments', () => {
    const input = compileInput()
    expect(input.jsonSchema).toEqual({
      type: 'object',
      properties: {},
      additionalProperties: false,
    })
    expect(input.check({})).toEqual({ ok: true, value: {} })
    expect(input.check({ a: 1 })).toMatchObject({ ok: false, issues: [{ path: '$.a' }] })
  })
})

it('is made once for each schema', () => {
  const schema = z.object({ a: z.string() })
  expect(compileInput(schema)).toBe(compileInput(schema))
})

describe('a Standard Schema', () => {
  it('has the last word, after coercion', async () => {
    const schema = z.object({
      n: z.number().transform((n) => n * 2),
      unit: z.string().default('c'),
    })
    expect(compileInput(schema).check({ n: '21' })).toEqual({
      ok: true,
      value: { n: 42, unit: 'c' },
    })
    expect(compileInput(schema).coerce({ n: '21' })).toEqual({ ok: true, value: { n: 21 } })
    expect(
      await issuesOf(z.object({ n: z.number().refine((n) => n % 2 === 0, 'must be even') }), {
        n: 3,
      }),
    ).toEqual(['$.n: must be even'])
  })

  it('may be asynchronous', async () => {
    const schema = z.object({ id: z.string().refine(async (id) => id === 'known', 'unknown id') })
    const checking = compileInput(schema).check({ id: 'other' })
    expect(checking).toBeInstanceOf(Promise)
    expect(await checking).toEqual({
      ok: false,
      issues: [
        { path: '$.id', expected: 'unknown id', received: '"other"', message: 'unknown id' },
      ],
    })
  })

  it('that throws gives an issue', async () => {
    const schema = z.object({
      id: z.string().refine(() => {
        throw new Error('database is down')
      }),
    })
    expect(await issuesOf(schema, { id: 'x' })).toEqual(['$: database is down'])
  })

  it('asserts its own formats, and a long pattern goes by the name of its format', async () => {
    const loose = z.object({ at: z.string().meta({ format: 'date-time' }) })
    expect(await issuesOf(loose, { at: 'soon' })).toEqual([])
    expect(await issuesOf(z.object({ at: z.iso.datetime() }), { at: 'soon' })).toEqual([
      '$.at: expected date-time, received "soon"',
    ])
  })

  it('refuses an unknown argument instead of dropping it', async () => {
    const schemas = [
      z.object({ a: z.string() }),
      type({ a: 'string' }),
      toStandardJsonSchema(v.object({ a: v.string() })),
      Type.Object({ a: Type.String() }),
    ]
    for (const schema of schemas) {
      expect(await issuesOf(schema as never, { a: 'x' })).toEqual([])
      expect(await issuesOf(schema as never, { a: 'x', b: 1 })).toEqual([
        '$.b: expected no property of this name, received 1',
      ])
    }
  })

  it('of arktype may be a morph', async () => {
    const result = await compileInput(type({ n: 'string.integer.parse' })).check({ n: '7' })
    expect(result).toEqual({ ok: true, value: { n: 7 } })
  })
})

describe('a plain JSON Schema', () => {
  it('is closed, asserts formats, and its value is the coerced one', async () => {
    const schema = {
      type: 'object',
      properties: { at: { type: 'string', format: 'date' }, n: { type: 'integer' } },
    } as const
    expect(compileInput(schema).jsonSchema).toEqual({ ...schema, additionalProperties: false })
    expect(compileInput(schema).check({ n: '1' })).toEqual({ ok: true, value: { n: 1 } })
    expect(await issuesOf(schema, { at: '2026-02-30' })).toEqual([
      '$.at: expected date, received "2026-02-30"',
    ])
  })

  it('may leave the type of its top out', () => {
    expect(compileInput({ properties: {} }).jsonSchema.type).toBe('object')
    expect(compileInput({ properties: {} }).wrapped).toBe(false)
  })
})

describe('an input that is no object', () => {
  it('travels as { value }', async () => {
    const input = compileInput(z.array(z.string()).min(1))
    expect(input.wrapped).toBe(true)
    expect(input.jsonSchema).toEqual({
      type: 'object',
      properties: { value: { type: 'array', items: { type: 'string' }, minItems: 1 } },
      required: ['value'],
      additionalProperties: false,
    })
    expect(input.check({ value: ['a'] })).toEqual({ ok: true, value: ['a'] })
    expect(input.coerce({ value: 'a' })).toEqual({ ok: true, value: { value: ['a'] } })
    expect(
      await issuesOf(
        z.string().refine((s) => s === 'x', 'not x'),
        { value: 'y' },
      ),
    ).toEqual(['$.value: not x'])
  })

  it('keeps its references', () => {
    const tree: z.ZodType = z.object({
      name: z.string(),
      get kids() {
        return z.array(tree)
      },
    })
    const kids = { name: 'a', kids: [{ name: 'b', kids: [] }] }
    expect(compileInput(z.array(tree)).check({ value: [kids] })).toMatchObject({ ok: true })
    const list = { type: 'array', items: { $ref: '#' } } as const
    expect(compileInput(list).check({ value: [[[]]] })).toEqual({ ok: true, value: [[[]]] })
    const document = { $id: 'https://example.com/list', ...list, $defs: {} } as const
    expect(compileInput(document).check({ value: [[[]]] })).toMatchObject({ ok: true })
    expect(compileInput(document).check({ value: [[{ a: 1 }, 2]] })).toMatchObject({ ok: false })
    expect(compileInput(list).check({ value: [[{ a: 1 }, 2]] })).toMatchObject({ ok: false })
  })

  it('counts a union of objects in: providers take none at the top', () => {
    const shape = z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('a'), n: z.number() }),
      z.object({ kind: z.literal('b') }),
    ])
    expect(compileInput(shape).wrapped).toBe(true)
    expect(compileInput(shape).check({ value: { kind: 'a', n: '1' } })).toEqual({
      ok: true,
      value: { kind: 'a', n: 1 },
    })
  })

  it('does not count a definition of an object in', () => {
    const input = compileInput(z.object({ a: z.string() }).meta({ id: 'Alarm' }))
    expect(input).toMatchObject({ wrapped: false, jsonSchema: { type: 'object', required: ['a'] } })
    expect(input.jsonSchema.$ref).toBeUndefined()
  })
})
