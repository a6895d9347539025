/** What a model is shown of a tool's input, and what reaches the tool of what it sends. */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  ChatClient,
  Tool,
  tool,
  type JsonSchema,
  type ToolCallback,
  type ToolContext,
} from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { scenario, toldByTools } from './scenario.ts'

const TREE = z.object({
  name: z.string(),
  get children() {
    return z.array(TREE)
  },
})
const POINT = z.object({ lat: z.number().describe('North'), lon: z.number() }).meta({ id: 'Point' })
const PLAN = z.object({
  title: z.string().describe('inner').optional().describe('outer'),
  note: z.string().nullable(),
  unit: z.enum(['km', 'mi']).default('km'),
  prices: z.record(z.string(), z.number()),
  from: POINT.describe('Where to start'),
  to: POINT,
  pair: z.tuple([z.string(), z.number()]),
  at: z.iso.datetime().describe('When'),
  tree: TREE,
})

class Planner {
  readonly plans: unknown[] = []

  @Tool({ input: PLAN, context: z.object({ tenant: z.string() }) })
  plan(input: z.infer<typeof PLAN>, context: ToolContext<{ tenant: string }>): string {
    this.plans.push(input)
    return context.get('tenant')
  }
}

async function shown(source: object): Promise<JsonSchema> {
  const model = scriptedModel(['Done.'])
  const client = ChatClient.create(model, { toolContext: { tenant: 'acme' } })
  await client.prompt('Go').tools(source).call().content()
  return (model.prompts[0]!.options!.tools as readonly ToolCallback[])[0]!.definition.inputSchema
}

type Properties = { readonly [name: string]: { readonly [keyword: string]: unknown } }
const propertiesOf = async (): Promise<Properties> =>
  (await shown(new Planner())).properties as Properties

describe('the schema a model is shown', () => {
  it('is draft 2020-12, without saying so', async () => {
    expect((await propertiesOf()).pair).toHaveProperty('prefixItems')
    expect(JSON.stringify(await shown(new Planner()))).not.toContain('$schema')
  })

  it('requires what is neither optional nor has a default', async () => {
    const { required } = await shown(new Planner())
    expect(required).toEqual(['note', 'prices', 'from', 'to', 'pair', 'at', 'tree'])
  })

  it('lets a nullable be null, and still requires it', async () => {
    expect((await propertiesOf()).note).toEqual({ type: ['string', 'null'] })
  })

  it('describes at every depth, by the outermost description', async () => {
    const { title, from } = await propertiesOf()
    expect(title!.description).toBe('outer')
    expect(from!.description).toBe('Where to start')
    const { $defs } = await shown(new Planner())
    expect($defs!.Point).toMatchObject({ properties: { lat: { description: 'North' } } })
  })

  it('is closed at every depth, but for maps', async () => {
    const { additionalProperties, $defs, properties } = await shown(new Planner())
    expect(additionalProperties).toBe(false)
    for (const definition of Object.values($defs!))
      expect(definition).toMatchObject({ type: 'object', additionalProperties: false })
    expect((properties as Properties).prices!.additionalProperties).toEqual({ type: 'number' })
    const anything = { type: 'object' } as const
    const plain = { type: 'object', properties: { anything } } as const
    const json = await shown(tool({ name: 'plain', input: plain, execute: () => 'ok' }))
    expect(json).toEqual({ ...plain, additionalProperties: false })
  })

  it('holds shared and recursive types once, in $defs of the root', async () => {
    const { $defs, properties } = await shown(new Planner())
    const { from, to, tree } = properties as Properties
    expect(from!.$ref).toBe('#/$defs/Point')
    expect(to!.$ref).toBe('#/$defs/Point')
    expect(Object.keys($defs!)).toHaveLength(2)
    expect(JSON.stringify($defs)).toContain(`"items":{"$ref":"${String(tree!.$ref)}"}`)
  })

  it('keeps the format of a parameter', async () => {
    expect((await propertiesOf()).at).toMatchObject({ format: 'date-time', description: 'When' })
  })

  it('shows nothing of the context', async () => {
    expect(JSON.stringify(await shown(new Planner()))).not.toMatch(/tenant|context|callId/)
  })

  it('is the same however many ask for it at once', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => shown(new Planner())))
    for (const schema of all) expect(schema).toEqual(all[0])
  })
})

const ARGUMENTS = {
  note: null,
  prices: { tea: 3.5 },
  from: { lat: 55.7, lon: 12.6 },
  to: { lat: 56.2, lon: 10.2 },
  pair: ['a', 1],
  at: '2026-01-01T06:00:00Z',
  tree: { name: 'a', children: [{ name: 'b', children: [] }] },
}

describe('what a model sends', () => {
  const planner = (log: unknown[]): Planner => Object.assign(new Planner(), { plans: log })
  const acme = {
    request: (client: ChatClient) => client.prompt('Go').toolContext({ tenant: 'acme' }),
  }

  scenario('reaches the method whole: lists, maps, nested and recursive objects', {
    ...acme,
    script: [{ toolCalls: [{ name: 'plan', arguments: ARGUMENTS }] }, 'Planned.'],
    tools: ({ log }) => [planner(log)],
    check({ prompts, log }) {
      expect(log).toEqual([{ ...ARGUMENTS, unit: 'km' }])
      expect(toldByTools(prompts[1])).toEqual([{ content: 'acme' }])
    },
  })

  scenario('is asserted against formats too', {
    ...acme,
    script: [{ toolCalls: [{ name: 'plan', arguments: { ...ARGUMENTS, at: 'soon' } }] }, 'Well.'],
    tools: ({ log }) => [planner(log)],
    check({ prompts, log }) {
      expect(log).toEqual([])
      expect(toldByTools(prompts[1])).toEqual([
        { content: expect.stringContaining('$.at'), isError: true },
      ])
    },
  })

  scenario('is asserted against the formats of a plain JSON Schema, which nobody else checks', {
    script: [
      { toolCalls: ['soon', '2026-01-01'].map((day) => ({ name: 'book', arguments: { day } })) },
      'Booked.',
    ],
    tools: ({ log }) => [
      tool({
        name: 'book',
        input: {
          type: 'object',
          properties: { day: { type: 'string', format: 'date' } },
          required: ['day'],
        },
        execute: ({ day }) => void log.push(day),
      }),
    ],
    check({ prompts, log }) {
      expect(log).toEqual(['2026-01-01'])
      expect(toldByTools(prompts[1])).toEqual([
        { content: expect.stringMatching(/\$\.day.*date/), isError: true },
        { content: 'Done' },
      ])
    },
  })

  scenario('is converted without loss: numbers and dates written as text', {
    script: [
      {
        toolCalls: [
          {
            name: 'book',
            rawArguments: '{"seats":1.0E7,"price":"12.5","day":"2026-01-01","ok":"true"}',
          },
          { name: 'book', arguments: { seats: '1.0E7', price: 1, day: '2026-01-01', ok: true } },
        ],
      },
      'Booked.',
    ],
    tools: ({ log }) => [
      new (class {
        @Tool({
          input: z.object({
            seats: z.int(),
            price: z.number(),
            day: z.iso.date().transform((text) => new Date(text)),
            ok: z.boolean(),
          }),
        })
        book(input: { seats: number; price: number; day: Date; ok: boolean }): void {
          log.push(input)
        }
      })(),
    ],
    check({ log, prompts }) {
      expect(toldByTools(prompts[1])).toEqual([
        { content: 'Done' },
        { content: expect.stringContaining('$.seats: expected integer'), isError: true },
      ])
      expect(log).toEqual([
        { seats: 10_000_000, price: 12.5, day: new Date('2026-01-01'), ok: true },
      ])
    },
  })
})
