/** Deltas in a row become one line: how many, how much, from when to when. */
import type { ChatEvent } from '../../messages/chat-event.ts'
import type { TraceEventFacts } from '../trace-line.ts'

type Delta = Extract<
  ChatEvent,
  { readonly type: 'text-delta' | 'reasoning-delta' | 'tool-call-delta' }
>

export const isDelta = (event: ChatEvent): event is Delta => event.type.endsWith('-delta')

export class DeltaRun {
  readonly #first: Delta
  readonly #firstAt: number
  #count = 0
  #characters = 0
  lastAt: number

  constructor(first: Delta, at: number) {
    this.#first = first
    this.#firstAt = at
    this.lastAt = at
  }

  /** False: it belongs to another row. */
  add(delta: Delta, at: number): boolean {
    const { type, runId, round } = this.#first
    const isSame = delta.type === type && delta.runId === runId && delta.round === round
    if (!isSame || callOf(delta) !== callOf(this.#first)) return false
    this.#count++
    this.#characters += textOf(delta).length
    this.lastAt = at
    return true
  }

  get facts(): TraceEventFacts {
    const callId = callOf(this.#first)
    return {
      type: 'deltas',
      of: this.#first.type,
      ...(callId !== undefined && { callId }),
      count: this.#count,
      characters: this.#characters,
      firstAt: this.#firstAt,
    }
  }

  get origin(): ChatEvent {
    return this.#first
  }
}

const callOf = (delta: Delta): string | undefined =>
  delta.type === 'tool-call-delta' ? delta.id : undefined

const textOf = (delta: Delta): string =>
  String((delta.type === 'tool-call-delta' ? delta.delta : delta.text) ?? '')
