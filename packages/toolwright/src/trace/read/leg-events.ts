/**
 * The events of a leg, by what they are about. Put in order once: a file of many calls has many events, and each call
 * looking through all of them would take the square of that.
 */
import type { TraceEvent } from '../trace.ts'
import { textIn } from './line-fields.ts'
import { StreamedPieces } from './streamed-pieces.ts'
import type { TraceNode } from './trace-node.ts'

export class LegEvents {
  readonly #byCall = new Map<string, TraceEvent[]>()
  readonly #streamed: ReadonlyMap<number | undefined, StreamedPieces>

  constructor(events: readonly TraceEvent[]) {
    const deltas = new Map<number | undefined, TraceEvent[]>()
    for (const event of events) {
      const { type, callId, parentCallId, runId, round } = event
      const ids = new Set([parentCallId ?? callId, ...(runId === undefined ? [callId] : [])])
      for (const id of ids) if (id !== undefined) add(this.#byCall, id, event)
      if (type === 'deltas' && runId === undefined) add(deltas, round, event)
    }
    this.#streamed = new Map([...deltas].map(([round, own]) => [round, new StreamedPieces(own)]))
  }

  /** What is told of a call; also of runs inside it that have no lines of their own. */
  about(tool: TraceNode): readonly TraceEvent[] {
    const id = textIn(tool.start, 'callId')
    const made = new Set(tool.children.map(({ start }) => textIn(start, 'callId')))
    const events = id === undefined ? [] : (this.#byCall.get(id) ?? [])
    return events.filter(({ callId, parentCallId, runId }) => {
      if (runId === undefined && callId === id) return true
      return id === (parentCallId ?? callId) && (runId !== undefined || !made.has(callId))
    })
  }

  streamedIn(round: number): StreamedPieces {
    return this.#streamed.get(round) ?? new StreamedPieces([])
  }
}

function add<Key>(map: Map<Key, TraceEvent[]>, key: Key, event: TraceEvent): void {
  const known = map.get(key)
  if (known) known.push(event)
  else map.set(key, [event])
}
