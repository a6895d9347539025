/** What passes between the host and the thread of a worker: one message for each turn, each way. */
import type { Delivery, Program, ProgramEnd, ProgramError } from '../sandbox.ts'

/** A program without what cannot be sent. */
export type SentProgram = Omit<Program, 'signal'>

export type ToWorker =
  | { readonly id: number; readonly start: SentProgram }
  | { readonly id: number; readonly deliver: readonly Delivery[] }
  | { readonly id: number; readonly drop: true }

/** A turn as it leaves the engine; `read-turn` checks it and makes a `Turn` of it. */
export interface WireTurn {
  /** Calls and console lines, framed as the prelude writes them. */
  readonly outbox: string
  readonly fuel: number
  readonly end?: ProgramEnd
  readonly unhandled?: readonly ProgramError[]
}

export type FromWorker =
  { readonly ready: true } | { readonly id: number; readonly turns: readonly WireTurn[] }

/** A compiled `WebAssembly.Module`, which can be sent to threads. */
export type EngineModule = object

/** What a worker is started with. */
export interface WorkerStart {
  /** Compiled once, for all workers. */
  readonly wasm: EngineModule
  readonly beat: SharedArrayBuffer
}

/**
 * Memory that both sides see, because a thread in the midst of a turn reads no messages. `RUNNING` is the program whose
 * turn runs (0: none), `TURN` counts turns, `CANCELLED` is a program that the host has dropped. `SENT` counts the
 * messages of the host.
 */
export const BEAT = { RUNNING: 0, TURN: 1, CANCELLED: 2, SENT: 3 } as const
export const BEAT_BYTES = 4 * Int32Array.BYTES_PER_ELEMENT
