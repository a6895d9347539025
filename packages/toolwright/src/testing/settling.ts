/**
 * Waiting on what may never settle. Every await of a contract suite goes through here, so that an
 * implementation that hangs fails its case in words instead of stalling the test run.
 */
import { inspect } from 'node:util'
import { wrong } from './contract-case.ts'
import { patience } from './patience.ts'

/** How long an implementation may take on an idle machine before it counts as hanging, in ms. */
export const DEFAULT_PATIENCE_MS = 5_000

export interface Awaiting<T> {
  readonly work: Promise<T>
  /** Names the work in the words of a failure. */
  readonly what: string
  readonly patienceMs: number
}

export type Settled<T> =
  | { readonly kind: 'resolved'; readonly value: T }
  | { readonly kind: 'rejected'; readonly reason: unknown }

/** How the work ended; hanging is a failure. */
async function settled<T>({ work, what, patienceMs }: Awaiting<T>): Promise<Settled<T>> {
  const guard = new AbortController()
  const hanging = patience(patienceMs, guard.signal).then(() => 'hangs' as const)
  const outcome = work.then(
    (value): Settled<T> => ({ kind: 'resolved', value }),
    (reason: unknown): Settled<T> => ({ kind: 'rejected', reason }),
  )
  const first = await Promise.race([outcome, hanging])
  guard.abort()
  if (first === 'hangs') throw wrong(`${what} did not settle within ${patienceMs} ms.`)
  return first
}

/** The value; hanging or rejecting is a failure. */
export async function resolved<T>(awaiting: Awaiting<T>): Promise<T> {
  const end = await settled(awaiting)
  if (end.kind === 'resolved') return end.value
  throw wrong(`${awaiting.what} rejected with ${inspect(end.reason)}.`, end.reason)
}

/** The reason; hanging or resolving is a failure. */
export async function rejected(awaiting: Awaiting<unknown>): Promise<unknown> {
  const end = await settled(awaiting)
  if (end.kind === 'rejected') return end.reason
  throw wrong(`${awaiting.what} resolved with ${inspect(end.value)}; it should reject.`)
}

/** Settles like the work, so that a failed check keeps its own words; hanging is a failure. */
export async function inPatience<T>(awaiting: Awaiting<T>): Promise<T> {
  const end = await settled(awaiting)
  if (end.kind === 'resolved') return end.value
  throw end.reason
}
