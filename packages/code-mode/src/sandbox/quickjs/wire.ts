/**
 * What passes between the host and the thread of a worker: one message for each turn, each way. It goes through a `Slot`
 * if it fits, and through the port otherwise.
 */
import type { Delivery, Program, ProgramEnd, ProgramError } from '../sandbox.ts'
import type { Shortening } from './slot.ts'

/** A program without what cannot be sent. */
export type SentProgram = Omit<Program, 'signal'>

export type AskWorker =
  | { readonly id: number; readonly start: SentProgram }
  | { readonly id: number; readonly deliver: readonly Delivery[] }

export type ToWorker = AskWorker | { readonly id: number; readonly drop: true }

/** A turn as it leaves the engine; `read-turn` checks it and makes a `Turn` of it. */
export interface WireTurn {
  /** Calls and console lines, framed as the prelude writes them. */
  readonly outbox: string
  readonly fuel: number
  readonly end?: ProgramEnd
  readonly unhandled?: readonly ProgramError[]
}

/** `LOOK`: there is something in the slot of the reader. */
export const LOOK = 'look'

export type FromWorker = typeof LOOK | 'ready' | Turns

export interface Turns {
  readonly id: number
  readonly turns: readonly WireTurn[]
}

/** What comes from a thread is not believed; `read-turn` checks each turn. */
export function areTurns(message: unknown): message is Turns {
  const { id, turns } = (message ?? {}) as Partial<Turns>
  return Number.isSafeInteger(id) && Array.isArray(turns)
}

/** One result. */
export const SHORT_ASKS: Shortening<AskWorker> = {
  short(message) {
    if (!('deliver' in message) || message.deliver.length !== 1) return undefined
    const delivery = message.deliver[0]!
    if (!delivery.ok || delivery.json === undefined) return undefined
    return { id: message.id, number: delivery.index, text: delivery.json }
  },
  whole: ({ id, number, text }) => ({ id, deliver: [{ index: number, ok: true, json: text }] }),
}

/** One turn, after which the program goes on. */
export const SHORT_TURNS: Shortening<Turns> = {
  short({ id, turns }) {
    if (turns.length !== 1) return undefined
    const { outbox, fuel, end, unhandled } = turns[0]!
    return end || unhandled ? undefined : { id, number: fuel, text: outbox }
  },
  whole: ({ id, number, text }) => ({ id, turns: [{ outbox: text, fuel: number }] }),
}

/** A compiled `WebAssembly.Module`, which can be sent to threads. */
export type EngineModule = object

/** What a worker is started with. */
export interface WorkerStart {
  /** Compiled once, for all workers. */
  readonly wasm: EngineModule
  readonly beat: SharedArrayBuffer
  /** `Slot`s of both directions. */
  readonly toWorker: SharedArrayBuffer
  readonly toHost: SharedArrayBuffer
}

/**
 * Memory that both sides see, because a thread in the midst of a turn reads no messages. `RUNNING` is the program whose
 * turn runs (0: none), `TURN` counts turns, `CANCELLED` is a program that the host has dropped. `POSTED` counts the
 * messages of the host that do not go through the slot. `PATIENCE`: how many times as long as its limit the turn may take.
 */
export const BEAT = { RUNNING: 0, TURN: 1, CANCELLED: 2, POSTED: 3, PATIENCE: 4 } as const
export const BEAT_BYTES = 5 * Int32Array.BYTES_PER_ELEMENT
