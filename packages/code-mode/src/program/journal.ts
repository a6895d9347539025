/**
 * What brings a program back to where it was: all that its course depends on, the calls it made, and what it was told
 * of them, in that order. It is kept in the signed state of a run while one of the program's calls waits.
 */
import type { Json } from 'toolwright'
import { hashOf } from '../hash-of.ts'
import type { Delivery, ProgramCall, SandboxLimits } from '../sandbox/sandbox.ts'

/** A delivery as it is kept: the number of the call, 1 and the JSON text; or 0 and the error's code, tool and message. */
type KeptDelivery =
  | readonly [index: number, ok: 1, json?: string]
  | readonly [index: number, ok: 0, code: string, tool: string, message: string]

export interface ProgramJournal {
  readonly version: 1
  readonly engine: string
  /** The hash of the code. */
  readonly code: string
  readonly clock: number
  readonly seed: number
  readonly limits: SandboxLimits
  /** How much results may be in all. Absent in journals of earlier versions. */
  readonly journalBytes?: number
  /** A hash for each call that the program made. */
  readonly calls: readonly string[]
  readonly deliveries: readonly KeptDelivery[]
  /** How many durable steps said which result came first. */
  readonly orders: number
  /** What the model is to be told besides the result. */
  readonly notes: readonly string[]
}

export const callHashOf = ({ kind, name, arguments: text }: ProgramCall): string =>
  hashOf(kind, name, text)

export const keptDelivery = (delivery: Delivery): KeptDelivery => {
  const { index } = delivery
  if (delivery.ok) return delivery.json === undefined ? [index, 1] : [index, 1, delivery.json]
  const { code, tool, message } = delivery.error
  return [index, 0, code, tool, message]
}

export function deliveryOf(kept: KeptDelivery): Delivery {
  if (kept[1] === 0) {
    const [index, , code, tool, message] = kept
    return { index, ok: false, error: { code, tool, message } }
  }
  const [index, , json] = kept
  return json === undefined ? { index, ok: true } : { index, ok: true, json }
}

/** States are signed, so this is what was kept; another version of this package may have kept something else. */
export function readJournal(kept: Json | undefined): ProgramJournal | undefined {
  if (kept === undefined) return undefined
  const journal = kept as unknown as ProgramJournal
  return journal.version === 1 ? journal : undefined
}
