/** What a replayed run tells again, beside what its readers were told before. */
import { describe, expect, it } from 'vitest'
import type { ChatEvent, ChatResponse } from 'toolwright'
import { SeenEvents } from './seen-events.ts'

const at = { runId: 'r', round: 1 }
const call = { type: 'tool-call', id: 'c1', name: 'add', arguments: '{}' } as const
const responseWith = (content: ChatResponse['results'][number]['message']['content']) => ({
  results: [
    { message: { role: 'assistant', content }, finishReason: 'stop', metadata: {} } as const,
  ],
  usage: {},
  metadata: {},
})
const start: ChatEvent = { ...at, type: 'tool-call-start', id: 'c1', name: 'add' }
const called: ChatEvent = { ...at, type: 'tool-call', toolCall: call }
const endOfCall: ChatEvent = {
  ...at,
  type: 'round-end',
  response: responseWith([call]),
}
const text = (words: string): ChatEvent => ({ ...at, type: 'text-delta', text: words })
const endOfText: ChatEvent = { ...at, type: 'round-end', response: responseWith('one two') }
const result: ChatEvent = {
  ...at,
  type: 'tool-result',
  toolCall: call,
  response: { id: 'c1', name: 'add', content: '3' },
}

/** What the log has in the end: what was told in one life, then what another life adds. */
function log(told: readonly ChatEvent[], replayed: readonly ChatEvent[]): readonly ChatEvent[] {
  const seen = new SeenEvents(told)
  return [...told, ...replayed.flatMap((event) => seen.fresh(event))]
}

describe('a round that is replayed from its record', () => {
  const whole = [start, called, endOfCall, result]
  it.each([0, 1, 2, 3, 4])('has everything once if %i of its events were told', (told) => {
    expect(log(whole.slice(0, told), [endOfCall, result])).toEqual(whole)
  })

  it('adds the rest of a text that was told in part, and nothing of one that was told', () => {
    const words = (events: readonly ChatEvent[]): string =>
      events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('')
    expect(words(log([text('one ')], [text('one two'), endOfText]))).toBe('one two')
    expect(words(log([text('one '), text('two')], [text('one two'), endOfText]))).toBe('one two')
    expect(log([text('one two'), endOfText], [text('one two'), endOfText])).toHaveLength(2)
  })

  it('has what happened inside a tool once, too', () => {
    const inside = { ...call, id: 'c1/0' }
    const at1 = { ...at, parentCallId: 'c1' }
    const made: ChatEvent = { ...at1, type: 'tool-call', toolCall: inside }
    const given: ChatEvent = { ...at1, type: 'tool-result', toolCall: inside, response: { id: 'c1/0', name: 'add', content: '3' } } // prettier-ignore
    const whole = [start, called, endOfCall, made, given, result]
    for (let told = 0; told <= whole.length; told++)
      expect(log(whole.slice(0, told), [endOfCall, made, given, result])).toEqual(whole)
  })

  it('invents no text where the model is not streamed', () => {
    expect(log([], [endOfText])).toEqual([endOfText])
  })
})

describe('a round that is asked live', () => {
  it('is told as it comes', () => {
    expect(log([], [start, called, endOfCall])).toEqual([start, called, endOfCall])
  })

  it('is told anew after one that was cut off, calls of the same id included', () => {
    const seen = new SeenEvents([text('on'), start])
    expect(seen.restart(1)).toBe(true)
    expect([start, called, endOfCall].flatMap((event) => seen.fresh(event))).toHaveLength(3)
    expect(seen.restart(1)).toBe(false)
  })

  it('is not told anew when it had ended', () => {
    expect(new SeenEvents([start, called, endOfCall]).restart(1)).toBe(false)
  })
})
