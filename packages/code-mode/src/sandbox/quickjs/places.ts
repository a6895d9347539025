/** Where programs run: in workers, or in the thread of their host. */
import type { Delivery, Program, Turn } from '../sandbox.ts'
import type { SentProgram, WireTurn } from './wire.ts'

export interface Places {
  /** The most stack that a program has here, in bytes. */
  readonly stackBytes: number
  take(signal: Program['signal']): Promise<Place>
  close(): Promise<void>
}

/** A place of one program. */
export interface Place {
  /** Runs a turn for each delivery, or the first one. */
  ask(asked: Asked, turnMs: number): Promise<Answer>
  /** The program is not wanted any more. `isOver`: it had ended, and nothing could be delivered to it. */
  drop(isOver: boolean): void
  /** What came out was not sound: whatever it came from is not used again. */
  condemn(): void
}

export type Asked = { readonly start: SentProgram } | { readonly deliver: readonly Delivery[] }

/** What came of it: turns as they left the engine, or the turn that takes their place. */
export type Answer = { readonly turns: readonly WireTurn[] } | { readonly instead: Turn }
