import { describe, expect, it } from 'vitest'
import type { TurnEvent } from '../../../src/protocol/conversation.ts'
import type { ShownPending } from '../../../src/protocol/shown-content.ts'
import { afterEvents, NO_TURN, type CallState, type TurnState } from './turn-state.ts'

/** An event without its number and time, which it gets by its place. */
type Said = TurnEvent extends infer Event
  ? Event extends TurnEvent
    ? Omit<Event, 'seq' | 'at'>
    : never
  : never

const numbered = (said: readonly Said[]): readonly TurnEvent[] =>
  said.map((event, index) => ({ ...event, seq: index + 1, at: 1000 + index * 10 }) as TurnEvent)

const START: Said = { type: 'start', turn: 't1', text: 'How warm is it?', model: 'demo' }
const turnOf = (...said: readonly Said[]): TurnState =>
  afterEvents(NO_TURN, numbered([START, ...said]))
const text = (value: string): { parts: { type: 'text'; text: string }[] } => ({
  parts: [{ type: 'text', text: value }],
})
const callsOf = (state: TurnState): readonly CallState[] =>
  state.items.flatMap((item) => (item.type === 'call' ? [item.call] : []))
const waits = (callId: string): ShownPending => ({
  callId,
  toolName: 'pay',
  kind: 'approval',
  input: {},
})

describe('a turn made of its events', () => {
  it('begins with the question and the model that is asked', () => {
    expect(turnOf()).toMatchObject({
      question: 'How warm is it?',
      model: 'demo',
      startedAt: 1000,
      phase: 'running',
    })
  })

  it('joins pieces of one text and keeps the order of texts, reasoning, parts, calls and notices', () => {
    const state = turnOf(
      { type: 'reasoning', text: 'Let me ' },
      { type: 'reasoning', text: 'see.' },
      { type: 'text', text: 'I ' },
      { type: 'text', text: 'look.' },
      { type: 'call', id: 'c1', name: 'weather', arguments: '{}' },
      { type: 'notice', code: 'slow', message: 'It takes long.' },
      { type: 'part', part: { type: 'provider', kind: 'search', data: null } },
      { type: 'text', text: 'Warm.' },
    )
    expect(state.items.map((item) => ('text' in item ? item.text : item.type))).toEqual([
      'Let me see.',
      'I look.',
      'call',
      'notice',
      'part',
      'Warm.',
    ])
  })

  it('keeps the identity of what an event does not touch', () => {
    const before = turnOf(
      { type: 'call', id: 'c1', name: 'weather', arguments: '{}' },
      { type: 'text', text: 'So' },
    )
    const after = afterEvents(before, [{ seq: 4, at: 0, type: 'text', text: ' warm' }])
    expect(after.items[0]).toBe(before.items[0])
    expect(after.items[1]).not.toBe(before.items[1])
  })

  it('writes arguments piece by piece, and takes them whole where nothing was streamed', () => {
    const state = turnOf(
      { type: 'call-start', id: 'c1', name: 'weather' },
      { type: 'call-arguments', id: 'c1', delta: '{"city":' },
      { type: 'call', id: 'c2', name: 'time', arguments: '{"zone":1}' },
    )
    expect(callsOf(state)).toMatchObject([
      { id: 'c1', arguments: '{"city":', isComplete: false },
      { id: 'c2', arguments: '{"zone":1}', isComplete: true },
    ])
    const complete = turnOf(
      { type: 'call-start', id: 'c1', name: 'weather' },
      { type: 'call-arguments', id: 'c1', delta: '{"city":' },
      { type: 'call', id: 'c1', name: 'weather', arguments: '{"city":"Bonn"}' },
    )
    expect(callsOf(complete)).toMatchObject([{ arguments: '{"city":"Bonn"}', isComplete: true }])
  })

  it('knows of a call when it ran and ended, its newest progress and its result', () => {
    const [call] = callsOf(
      turnOf(
        { type: 'call', id: 'c1', name: 'weather', arguments: '{}' },
        { type: 'call-run', id: 'c1' },
        { type: 'call-progress', id: 'c1', value: text('half') },
        { type: 'call-progress', id: 'c1', value: text('nearly') },
        { type: 'call-result', id: 'c1', content: text('21 °C'), status: 'done' },
      ),
    )
    expect(call).toMatchObject({
      startedAt: 1010,
      ranAt: 1020,
      endedAt: 1050,
      progress: text('nearly'),
      result: text('21 °C'),
      status: 'done',
    })
  })

  it('puts calls of calls inside, however deep, and events reach them there', () => {
    const [program, ...others] = callsOf(
      turnOf(
        { type: 'call', id: 'p', name: 'run_program', arguments: '{}' },
        { type: 'call', id: 'p/1', name: 'agent', arguments: '{}', parentId: 'p' },
        { type: 'call-start', id: 'p/1/1', name: 'pay', parentId: 'p/1' },
        { type: 'call-result', id: 'p/1/1', content: text('no'), status: 'denied' },
      ),
    )
    expect(others).toEqual([])
    expect(program!.calls[0]!.calls).toMatchObject([{ name: 'pay', status: 'denied' }])
  })

  it('shows a call by itself if nobody has seen the one it belongs to', () => {
    const calls = callsOf(
      turnOf({ type: 'call', id: 'x', name: 'pay', arguments: '{}', parentId: 'lost' }),
    )
    expect(calls).toMatchObject([{ id: 'x' }])
  })

  it('takes ids as they are, whatever objects have by that name', () => {
    const calls = callsOf(
      turnOf(
        { type: 'call', id: 'constructor', name: 'pay', arguments: '{}' },
        { type: 'call', id: '__proto__', name: 'pay', arguments: '{}' },
        { type: 'call-run', id: '__proto__' },
      ),
    )
    expect(calls).toMatchObject([{ id: 'constructor' }, { id: '__proto__', ranAt: 1030 }])
  })

  it('takes no event twice, and nothing about calls it does not know', () => {
    const events = numbered([START, { type: 'text', text: 'Hi' }])
    const once = afterEvents(NO_TURN, events)
    expect(afterEvents(once, events)).toEqual(once)
    const after = afterEvents(once, [{ seq: 3, at: 0, type: 'call-run', id: 'nobody' }])
    expect(after.items).toBe(once.items)
  })

  it('begins anew with the start of another turn', () => {
    const first = turnOf({ type: 'text', text: 'Hi' })
    const second = afterEvents(first, [{ ...START, turn: 't2', seq: 1, at: 5 } as TurnEvent])
    expect(second).toMatchObject({ turn: 't2', seq: 1, items: [] })
    const again = afterEvents(first, [{ ...START, seq: 99, at: 5 } as TurnEvent])
    expect(again).toMatchObject({ turn: 't1', seq: 99, items: [] })
  })
})

describe('what waits in a turn', () => {
  const PENDING: Said = { type: 'pending', pending: [waits('c1'), waits('c2')] }

  it('waits, and goes on with what was decided while the rest still waits', () => {
    const asked = turnOf({ type: 'call', id: 'c1', name: 'pay', arguments: '{}' }, PENDING)
    expect(asked.phase).toBe('waiting')
    const on = afterEvents(asked, [{ seq: 4, at: 0, type: 'resumed', decided: { c1: 'approved' } }])
    expect(on.phase).toBe('running')
    expect(on.pending).toEqual([waits('c2')])
    expect(callsOf(on)).toMatchObject([{ id: 'c1', decided: 'approved' }])
  })

  it('waits for all of it again if decisions were refused, and says why until something is decided', () => {
    const error = { code: 'bad', message: 'Does not fit.' }
    const refused = turnOf(
      PENDING,
      { type: 'resumed', decided: { c1: 'edited' } },
      { type: 'decision-refused', error },
    )
    expect(refused).toMatchObject({ phase: 'waiting', refused: error })
    expect(refused.pending).toEqual([waits('c1'), waits('c2')])
    const on = afterEvents(refused, [{ seq: 9, at: 0, type: 'resumed', decided: {} }])
    expect(on.refused).toBeUndefined()
  })

  it('waits for nothing once it is over', () => {
    const over = turnOf(PENDING, { type: 'end', status: 'stopped', durationMs: 7 })
    expect(over).toMatchObject({ phase: 'over', pending: [], end: { status: 'stopped' } })
  })
})
