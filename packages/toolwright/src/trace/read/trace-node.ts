/** An observation as its lines tell it, inside the one around it: what the runs of a trace are made from. */
import type { JsonObject } from '../../messages/json.ts'
import type { ObservationKind } from '../../observation/observer.ts'
import type { TraceEvent, TraceTimes } from '../trace.ts'
import type { Fields } from './line-fields.ts'

export interface TraceNode {
  readonly kind: ObservationKind
  readonly name: string
  readonly writer: string
  readonly runId: string | undefined
  readonly startedAt: number
  readonly start: Fields
  readonly parent: TraceNode | undefined
  /** How many are around it. */
  readonly depth: number
  readonly children: TraceNode[]
  readonly events: TraceEvent[]
  end?: Fields
  endedAt?: number
  messages?: readonly JsonObject[]
}

export const timesOf = ({ startedAt, endedAt }: TraceNode): TraceTimes => ({
  startedAt,
  ...(endedAt !== undefined && { endedAt }),
})
