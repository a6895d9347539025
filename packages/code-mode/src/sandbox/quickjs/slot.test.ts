/** What goes through a slot comes out as it was, with JSON around it or without. */
import { describe, expect, it } from 'vitest'
import { newSlot, Slot } from './slot.ts'
import { SHORT_ASKS, SHORT_TURNS, type AskWorker, type Turns } from './wire.ts'

const failed = { code: 'denied', tool: 'pay', message: 'No.' }
const asks: { readonly [what: string]: AskWorker } = {
  'a result': { id: 1, deliver: [{ index: 3, ok: true, json: '{"a":"ü€😀\u0000"}' }] },
  'a result without a text': { id: 1, deliver: [{ index: 0, ok: true, json: '' }] },
  'nothing as a result': { id: 1, deliver: [{ index: 3, ok: true }] },
  'half a character': { id: 1, deliver: [{ index: 3, ok: true, json: '"\ud800"' }] },
  'a failure': { id: 1, deliver: [{ index: 3, ok: false, error: failed }] },
  'two results': {
    id: 1,
    deliver: [
      { index: 3, ok: true, json: '1' },
      { index: 4, ok: true, json: '2' },
    ],
  },
}
const turns: { readonly [what: string]: Turns } = {
  'a turn': { id: 1, turns: [{ outbox: 'T4,2,0;look{}', fuel: 2 }] },
  'a turn in which nothing was said': { id: 1, turns: [{ outbox: '', fuel: 0 }] },
  'a turn after much work': { id: 1, turns: [{ outbox: '', fuel: 2 ** 40 }] },
  'the last turn': { id: 1, turns: [{ outbox: '', fuel: 2, end: { ok: true, json: '1' } }] },
}

describe('A slot passes on', () => {
  it.each(Object.entries(asks))('%s', (_, message) => {
    const slot = new Slot(newSlot(), SHORT_ASKS)
    expect(slot.put(message, 10)).toBe(true)
    expect(slot.take()).toEqual(message)
    expect(slot.take()).toBeUndefined()
  })

  it.each(Object.entries(turns))('%s', (_, message) => {
    const slot = new Slot(newSlot(), SHORT_TURNS)
    expect(slot.put(message, 10)).toBe(true)
    expect(slot.put(message, 10)).toBe(false)
    expect(slot.take()).toEqual(message)
  })
})
