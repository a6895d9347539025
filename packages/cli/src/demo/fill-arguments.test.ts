import { describe, expect, it } from 'vitest'
import type { Json, JsonSchema } from 'toolwright'
import { fillArguments } from './fill-arguments.ts'

const now = new Date(2026, 4, 4, 9)
const at = (day: number, hour: number, minute = 0): string =>
  new Date(2026, 4, day, hour, minute).toISOString()
const text = { type: 'string' } as const
const integer = { type: 'integer' } as const
const date = { type: 'string', format: 'date' } as const
const moment = { type: 'string', format: 'date-time' } as const
const email = { type: 'string', format: 'email' } as const

type Properties = { readonly [name: string]: JsonSchema }

function fill(sentence: string, properties: Properties, required = Object.keys(properties)) {
  const inputSchema: JsonSchema = { type: 'object', properties, required }
  return fillArguments({ name: 'perform_task', description: '', inputSchema }, sentence, now)
}

const CASES: readonly (readonly [string, Properties, { readonly [name: string]: Json }])[] = [
  ['Deliver to Oslo', { city: text }, { city: 'Oslo' }],
  ['Deliver to New York', { city: text }, { city: 'New York' }],
  ['Deliver it to san francisco please', { city: text }, { city: 'san francisco' }],
  ['A train to Paris from Berlin', { from: text, to: text }, { from: 'Berlin', to: 'Paris' }],
  ['Play "Two of us" in Oslo', { city: text, song: text }, { city: 'Oslo', song: 'Two of us' }],
  ['Trace parcel KX-4410 in Leeds', { city: text, trackingCode: text }, { city: 'Leeds', trackingCode: 'KX-4410' }],
  ['Write to ann@lake.example about solar power', { topic: text, recipient: email }, { topic: 'solar power', recipient: 'ann@lake.example' }],
  ['Fetch https://lake.example/a?b=1 now', { page: { type: 'string', format: 'uri' } }, { page: 'https://lake.example/a?b=1' }],
  ['Clean room 204', { room: text }, { room: '204' }],
  ['Pack eighteen boxes', { boxes: integer }, { boxes: 18 }],
  ['Invite Ann', { guests: { type: 'array', items: text } }, { guests: 'Ann' }],
  ['Pack 12 boxes with 3 labels', { labels: integer, boxes: integer }, { labels: 3, boxes: 12 }],
  ['Spend 2,500 euros', { amount: { type: 'number' } }, { amount: 2500 }],
  ['Cool down to -18 degrees', { temperature: { type: 'number' } }, { temperature: -18 }],
  ['An extra large one', { size: { enum: ['large', 'extra_large'] } }, { size: 'extra_large' }],
  ['Paint it blue', { colour: { enum: ['red', 'blue'] } }, { colour: 'blue' }],
  ['Send it insured', { insured: { type: 'boolean' } }, { insured: true }],
  ['Send it, but not insured', { insured: { type: 'boolean' } }, { insured: false }],
  ["Don't make it public", { isPublic: { type: 'boolean' } }, { isPublic: false }],
  ['Come on Thursday', { day: date }, { day: '2026-05-07' }],
  ['Come in three days', { day: date }, { day: '2026-05-07' }],
  ['Ring in twenty minutes', { time: moment }, { time: at(4, 9, 20) }],
  ['Ring tomorrow at 5pm', { time: moment }, { time: at(5, 17) }],
  ['Ring in 2 hours for 30 minutes', { time: moment, minutes: integer }, { time: at(4, 11), minutes: 30 }],
] // prettier-ignore

describe('fillArguments', () => {
  it.each(CASES)('%s', (sentence, properties, expected) => {
    const { args, missing } = fill(sentence, properties)
    expect(args).toEqual(expected)
    expect(missing).toEqual([])
  })

  it('leaves optional parameters alone unless the sentence speaks of them', () => {
    const properties = { city: text, days: integer, mood: text }
    expect(fill('Deliver 7 to Oslo for Ann', properties, ['city']).args).toEqual({ city: 'Oslo' })
    const spoken = fill('Deliver to Oslo for 4 days', properties, ['city'])
    expect(spoken.args).toEqual({ city: 'Oslo', days: 4 })
  })

  it('names what is missing', () => {
    const { missing } = fill('Deliver to Oslo', { city: text, day: date, boxes: integer })
    expect(missing).toEqual(['day', 'boxes'])
  })

  it('takes no loose words for a value', () => {
    expect(fill('Deliver the parcel quickly', { city: text }).missing).toEqual(['city'])
  })

  it('says whether a value counts from now', () => {
    expect(fill('Come tomorrow', { day: date }).usesNow).toBe(true)
    expect(fill('Come on 2026-06-01', { day: date }).usesNow).toBe(false)
  })

  it('takes no names from the prototype', () => {
    const properties = JSON.parse(
      '{"constructor":{"type":"string"},"__proto__":{"type":"integer"}}',
    )
    const { args, missing } = fill('Deliver 3 to Oslo', properties as Properties)
    expect(JSON.stringify(args)).toContain('"constructor":"Oslo"')
    expect(Object.getPrototypeOf(args)).toBe(Object.prototype)
    expect(missing).toEqual([])
  })

  it('asks for what it cannot read: objects, and schemas that say nothing it knows', () => {
    const properties = {
      place: { type: 'object' },
      other: { type: 'null' },
      any: true as never,
    } as const
    expect(fill('Deliver 3 to Oslo', { ...properties }).missing).toEqual(['place', 'other'])
  })

  it('survives patterns that are no expressions, odd choices and an empty sentence', () => {
    const odd = {
      city: { type: 'string', pattern: '[' },
      size: { enum: ['(', '', null, 'a.b'] },
    } as const
    expect(fill('', odd).missing).toEqual(['city', 'size'])
    expect(fill('Deliver a b to Oslo', odd).args).toEqual({ city: 'Oslo', size: 'a.b' })
  })
})
