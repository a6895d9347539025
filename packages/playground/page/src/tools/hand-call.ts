/** A call made by hand, as far as it has come. */
import type { Json, JsonObject } from 'toolwright'
import type { HandCallEnd, HandCallEvent } from '../../../src/protocol/hand-call.ts'
import type { RefusedDecision, ShownPending } from '../../../src/protocol/shown-content.ts'

export interface HandCall {
  /** Of this page. */
  readonly number: number
  readonly tool: string
  readonly input: Json
  readonly context?: JsonObject
  /** What the server calls it, as soon as it has answered. */
  readonly id?: string
  /** Milliseconds since 1970. */
  readonly startedAt: number
  /** The newest one. */
  readonly progress?: Json
  readonly pending: readonly ShownPending[]
  /** Ids of calls about which a decision is on its way. */
  readonly deciding: readonly string[]
  /** Why the last decision was refused. */
  readonly refusal?: RefusedDecision
  /** It ended before the page was loaded, and what came of it was not asked for yet. */
  readonly isResultAway?: boolean
  readonly isStopping: boolean
  readonly isLost: boolean
  readonly end?: HandCallEnd
}

export function newHandCall(
  given: Pick<HandCall, 'number' | 'tool' | 'input' | 'context' | 'startedAt'>,
): HandCall {
  return { ...given, pending: [], deciding: [], isStopping: false, isLost: false }
}

export function afterCallEvent(call: HandCall, event: HandCallEvent): HandCall {
  switch (event.type) {
    case 'progress':
      return { ...call, progress: event.value }
    case 'pending':
      return { ...call, pending: event.pending, deciding: [] }
    case 'decided':
      return { ...call, pending: [], deciding: [], refusal: undefined }
    case 'decision-refused':
      return { ...call, deciding: [], refusal: event.error }
    case 'end':
      return {
        ...call,
        pending: [],
        deciding: [],
        refusal: undefined,
        isLost: false,
        isResultAway: false,
        end: event,
      }
  }
}
