import { describe, expect, it } from 'vitest'
import type { Json, JsonSchema } from 'toolwright'
import { fillArguments } from './fill-arguments.ts'

const now = { instant: new Date('2026-05-04T09:00:00Z'), timezone: 0 }
const text = { type: 'string' } as const
const integer = { type: 'integer' } as const
const date = { type: 'string', format: 'date' } as const
const moment = { type: 'string', format: 'date-time' } as const
const email = { type: 'string', format: 'email' } as const

type Properties = { readonly [name: string]: JsonSchema }

function fill(sentence: string, properties: Properties, more: Partial<JsonSchema> = {}) {
  const required = Object.keys(properties)
  const inputSchema: JsonSchema = { type: 'object', properties, required, ...more }
  return fillArguments(
    { name: 'perform_task', description: '', inputSchema },
    { text: sentence, now },
  )
}

const CASES: readonly (readonly [string, Properties, { readonly [name: string]: Json }])[] = [
  ['Deliver to Oslo', { city: text }, { city: 'Oslo' }],
  ['Deliver to New York', { city: text }, { city: 'New York' }],
  ['Deliver to Portland, OR', { city: text }, { city: 'Portland, OR' }],
  ['Deliver it to san francisco please', { city: text }, { city: 'san francisco' }],
  ['A train to Paris from Berlin', { from: text, to: text }, { from: 'Berlin', to: 'Paris' }],
  ['Play "Let it be" by The Beatles', { artist: text, song: text }, { artist: 'The Beatles', song: 'Let it be' }],
  ['Trace parcel KX-4410 in Leeds', { city: text, trackingCode: text }, { city: 'Leeds', trackingCode: 'KX-4410' }],
  ['Write to ann@lake.example about solar power', { topic: text, recipient: email }, { topic: 'solar power', recipient: 'ann@lake.example' }],
  ['Fetch https://lake.example/a?b=1 now', { page: { type: 'string', format: 'uri' } }, { page: 'https://lake.example/a?b=1' }],
  ['Open 7f2c1d3e-1111-4222-8333-abcdefabcdef', { id: { type: 'string', format: 'uuid' } }, { id: '7f2c1d3e-1111-4222-8333-abcdefabcdef' }],
  ['Ping 10.0.0.7 twice', { host: { type: 'string', format: 'ipv4' } }, { host: '10.0.0.7' }],
  ['Clean room 204', { room: text }, { room: '204' }],
  ['Take gate B12 at noon', { gate: { type: 'string', pattern: '^[A-Z]\\d+$' } }, { gate: 'B12' }],
  ['Pack 12 boxes with 3 labels', { labels: integer, boxes: integer }, { labels: 3, boxes: 12 }],
  ['Pack twenty-five boxes', { boxes: integer }, { boxes: 25 }],
  ['Pack a dozen boxes', { boxes: integer }, { boxes: 12 }],
  ['Spend 2,500 euros', { amount: { type: 'number' } }, { amount: 2500 }],
  ['Spend $2.5k', { amount: { type: 'number' } }, { amount: 2500 }],
  ['Cool down to -18 degrees', { temperature: { type: 'number' } }, { temperature: -18 }],
  ['Room 7, no, 204', { room: { type: 'integer', minimum: 100 } }, { room: 204 }],
  ['An extra large one', { size: { enum: ['large', 'extra_large'] } }, { size: 'extra_large' }],
  ['Paint it blue', { colour: { enum: ['red', 'blue'] } }, { colour: 'blue' }],
  ['Send it insured', { insured: { type: 'boolean' } }, { insured: true }],
  ['Send it, but not insured', { insured: { type: 'boolean' } }, { insured: false }],
  ["Don't make it public", { isPublic: { type: 'boolean' } }, { isPublic: false }],
  ['Come on Thursday', { day: date }, { day: '2026-05-07' }],
  ['Come in three days', { day: date }, { day: '2026-05-07' }],
  ['Ring in twenty minutes', { time: moment }, { time: '2026-05-04T09:20:00.000Z' }],
  ['Ring tomorrow at 5pm', { time: moment }, { time: '2026-05-05T17:00:00.000Z' }],
  ['Stay from May 10 to May 14', { from: date, to: date }, { from: '2026-05-10', to: '2026-05-14' }],
  ['Ring in 2 hours for 30 minutes', { time: moment, minutes: integer }, { time: '2026-05-04T11:00:00.000Z', minutes: 30 }],
  ['Invite Ann, Bob and Carla', { guests: { type: 'array', items: text } }, { guests: ['Ann', 'Bob', 'Carla'] }],
  ['Mix 3, 5 and 8', { parts: { type: 'array', items: integer } }, { parts: [3, 5, 8] }],
  ['With milk and sugar', { extras: { type: 'array', items: { enum: ['milk', 'sugar', 'ice'] } } }, { extras: ['milk', 'sugar'] }],
  ['Remind me to buy milk and eggs', { task: text }, { task: 'buy milk and eggs' }],
  ['Post a note saying lunch is at noon', { message: text }, { message: 'lunch is at noon' }],
  ['Deliver to Oslo', { city: { type: ['string', 'null'] } }, { city: 'Oslo' }],
  ['Deliver to Oslo', { city: { anyOf: [{ type: 'null' }, text] } }, { city: 'Oslo' }],
  ['Deliver to Oslo', { city: text, country: { type: 'string', default: 'Norway' } }, { city: 'Oslo', country: 'Norway' }],
  ['Deliver to Oslo', { kind: { const: 'parcel' }, city: text }, { kind: 'parcel', city: 'Oslo' }],
] // prettier-ignore

describe('fillArguments', () => {
  it.each(CASES)('%s', (sentence, properties, expected) => {
    const { calls, missing } = fill(sentence, properties)
    expect(calls).toEqual([expected])
    expect(missing).toEqual([])
  })

  it('fills nested objects, through references', () => {
    const $defs = { Place: { type: 'object', properties: { city: text }, required: ['city'] } }
    const { calls } = fill(
      'Deliver 3 boxes to Oslo',
      { place: { $ref: '#/$defs/Place' }, boxes: integer },
      { $defs },
    )
    expect(calls).toEqual([{ place: { city: 'Oslo' }, boxes: 3 }])
  })

  it('ends at a schema that refers to itself', () => {
    const $defs = {
      Node: { type: 'object', properties: { label: text, next: { $ref: '#/$defs/Node' } } },
    }
    expect(fill('Something else', { node: { $ref: '#/$defs/Node' } }, { $defs }).count).toBe(0)
    expect(fill('Something else', { node: { $ref: '#/nowhere/at/all' } }).missing).toEqual([])
  })

  it('leaves optional parameters alone unless the sentence speaks of them', () => {
    const properties = { city: text, days: integer, mood: text }
    const required = ['city']
    expect(fill('Deliver to Oslo', properties, { required }).calls).toEqual([{ city: 'Oslo' }])
    const spoken = fill('Deliver to Oslo within 4 days', properties, { required })
    expect(spoken.calls).toEqual([{ city: 'Oslo', days: 4 }])
  })

  it('gives one set of arguments for each of several values', () => {
    const { calls } = fill('Deliver to Oslo and to Bergen', { city: text })
    expect(calls).toEqual([{ city: 'Oslo' }, { city: 'Bergen' }])
  })

  it('names what is missing', () => {
    const { missing } = fill('Deliver to Oslo', { city: text, day: date, boxes: integer })
    expect(missing).toEqual([['day'], ['boxes']])
  })

  it('says whether a value counts from now', () => {
    expect(fill('Come tomorrow', { day: date }).needsNow).toBe(true)
    expect(fill('Come on 2026-06-01', { day: date }).needsNow).toBe(false)
  })

  it('takes no names from the prototype', () => {
    const { calls } = fill('Deliver to Oslo', {
      constructor: { type: 'object', properties: { city: text }, required: ['city'] },
    } as never)
    expect(calls).toEqual([{ constructor: { city: 'Oslo' } }])
  })

  it('survives a pattern that is no expression, and an empty sentence', () => {
    expect(fill('', { city: text }).missing).toEqual([['city']])
    expect(fill('Deliver to Oslo', { city: { type: 'string', pattern: '[' } }).missing).toEqual([
      ['city'],
    ])
  })
})
