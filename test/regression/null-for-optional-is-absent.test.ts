/** Models that must fill every field send null for what they do not know: optional properties refused it. */
import { expect, it } from 'vitest'
import { ChatClient, tool, type Json, type JsonSchema } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { z } from 'zod'
import { scenario, toldByTools } from '../e2e/scenario.ts'

const call = (args: Json) => [{ toolCalls: [{ name: 'show', arguments: args }] }, 'Done.']
const show = (input: JsonSchema) =>
  tool({ name: 'show', input, execute: (given: unknown) => JSON.stringify(given) })

const text = { type: 'string' } as const
const place = { type: 'object', properties: { city: text, zip: text }, required: ['city'] } as const

const CASES: readonly (readonly [name: string, input: JsonSchema, sent: Json, got: object])[] = [
  ['at the top', place, { city: 'Oslo', zip: null }, { city: 'Oslo' }],
  [
    'nested',
    { type: 'object', properties: { at: place }, required: ['at'] },
    { at: { city: 'Oslo', zip: null } },
    { at: { city: 'Oslo' } },
  ],
  [
    'in objects of a list',
    { type: 'object', properties: { all: { type: 'array', items: place } } },
    {
      all: [
        { city: 'Oslo', zip: null },
        { city: 'Rome', zip: '1' },
      ],
    },
    { all: [{ city: 'Oslo' }, { city: 'Rome', zip: '1' }] },
  ],
  [
    'behind a reference',
    { type: 'object', properties: { at: { $ref: '#/$defs/place' } }, $defs: { place } },
    { at: { city: 'Oslo', zip: null } },
    { at: { city: 'Oslo' } },
  ],
  [
    'in parts',
    { type: 'object', allOf: [{ properties: { city: text } }, { properties: { zip: text } }] },
    { city: 'Oslo', zip: null },
    { city: 'Oslo' },
  ],
  [
    'in an alternative',
    { type: 'object', properties: { at: { anyOf: [{ type: 'number' }, place] } } },
    { at: { city: 'Oslo', zip: null } },
    { at: { city: 'Oslo' } },
  ],
  [
    'a whole optional object',
    { type: 'object', properties: { city: text, at: place } },
    { city: 'Oslo', at: null },
    { city: 'Oslo' },
  ],
  [
    'with another repair beside it',
    { type: 'object', properties: { days: { type: 'integer' }, zip: text } },
    { days: '3', zip: null },
    { days: 3 },
  ],
  [
    'an optional choice',
    { type: 'object', properties: { unit: { enum: ['C', 'F'] }, zip: text } },
    { unit: null, zip: null },
    {},
  ],
  [
    'but null stays where the schema takes it',
    { type: 'object', properties: { zip: { type: ['string', 'null'] }, any: {}, city: text } },
    { zip: null, any: null, city: null },
    { zip: null, any: null },
  ],
]

for (const [name, input, sent, got] of CASES)
  scenario(`null for an optional property is no value: ${name}`, {
    script: call(sent),
    tools: () => [show(input)],
    check({ prompts }) {
      expect(toldByTools(prompts[1])).toEqual([{ content: JSON.stringify(got) }])
    },
  })

scenario('null for what is required, and in a map, is an error for the model', {
  script: [
    {
      toolCalls: [
        { name: 'show', arguments: { city: null } },
        { name: 'map', arguments: { a: null } },
      ],
    },
    'Done.',
  ],
  tools: () => [
    show(place),
    tool({
      name: 'map',
      input: { type: 'object', additionalProperties: { type: 'string' } },
      execute: () => 'ran',
    }),
  ],
  check({ prompts }) {
    const [required, map] = toldByTools(prompts[1])
    expect(required).toMatchObject({ isError: true })
    expect(required!.content).toMatch(/\$\.city.*null/)
    expect(map).toMatchObject({ isError: true })
    expect(map!.content).toMatch(/\$\.a.*null/)
  },
})

it.each([
  ['zod', z.object({ city: z.string(), zip: z.string().optional(), n: z.number().default(7) })],
  ['arktype', type({ city: 'string', 'zip?': 'string', n: 'number = 7' })],
  [
    'valibot',
    toStandardJsonSchema(
      v.object({ city: v.string(), zip: v.optional(v.string()), n: v.optional(v.number(), 7) }),
    ),
  ],
])('a schema of %s gets no value, and its defaults apply', async (_name, input) => {
  const show = tool({ name: 'show', input, execute: (given) => JSON.stringify(given) })
  const told = await show.call('{"city":"Oslo","zip":null,"n":null}')
  expect(JSON.parse(told as string)).toEqual({ city: 'Oslo', n: 7 })
})

it('an entity may be written with nulls too', async () => {
  const client = ChatClient.create(scriptedModel(['{"city":"Oslo","zip":null}']))
  const schema = z.object({ city: z.string(), zip: z.string().optional() })
  expect(await client.prompt('Where?').call().entity(schema)).toEqual({ city: 'Oslo' })
})
