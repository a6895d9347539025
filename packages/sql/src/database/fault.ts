/** What an error of a driver means, the same for both databases. */
import type { DatabaseErrorCode } from 'toolwright'

export interface Fault {
  readonly code: DatabaseErrorCode
  /** Trying again helps, after pauses of at most so many milliseconds. Absent: it does not help. */
  readonly pauseMs?: number
  /** What a message says instead of the driver's words, which would not tell its reader what to do. */
  readonly says?: string
  /** The connection is gone: whatever was under way on it may have happened or not. */
  readonly isLost?: true
}

/** Locks are held for a moment, servers are gone for seconds. */
export const SOON_MS = 20
export const LATER_MS = 250

/** The fields that drivers give their errors, as far as they are texts. */
export function factsOf(thrown: unknown): { readonly code: string; readonly message: string } {
  const { code, message } = (typeof thrown === 'object' && thrown ? thrown : {}) as {
    readonly code?: unknown
    readonly message?: unknown
  }
  return {
    code: typeof code === 'string' ? code : '',
    message: typeof message === 'string' ? message : String(thrown),
  }
}
