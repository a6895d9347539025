/**
 * Decides which calls of one answer may run now: a call waits while another call has yet to write what it
 * reads.
 */
import type { Call } from '../agent-message.ts'
import { outputPlaces, overlaps, referencesIn, type DataPath } from '../context/data-path.ts'
import { parametersOf } from '../registry/tool-spec.ts'

export interface OrderedCall {
  readonly id: string
  readonly reads: readonly DataPath[]
  readonly writes: readonly DataPath[]
  readonly instance: string | undefined
}

export function orderedCall(id: string, call: Call): OrderedCall {
  return {
    id,
    reads: referencesIn(parametersOf(call)).flatMap(({ places }) => places),
    writes: outputPlaces(call._outputPath),
    instance: call._instance,
  }
}

/** Whether one call writes what another reads. Instances do not see each other's data. */
export function feeds(writer: OrderedCall, reader: OrderedCall): boolean {
  if (writer === reader) return false
  const isVisible = writer.instance === undefined || writer.instance === reader.instance
  return (
    isVisible && writer.writes.some((path) => reader.reads.some((read) => overlaps(path, read)))
  )
}

/**
 * The calls that wait for no other call. If all wait for each other, the first in the model's order goes.
 * Empty when all wait for a `pending` call.
 */
export function nextCalls(
  waiting: readonly OrderedCall[],
  pending: readonly OrderedCall[],
): readonly OrderedCall[] {
  const free = withoutBlocked(waiting, pending)
  const ready = free.filter((reader) => !free.some((writer) => feeds(writer, reader)))
  return ready.length > 0 ? ready : free.slice(0, 1)
}

/** Removes the calls that wait for a pending call, directly or through other calls. */
function withoutBlocked(
  waiting: readonly OrderedCall[],
  pending: readonly OrderedCall[],
): readonly OrderedCall[] {
  const blocked = waiting.filter((reader) => pending.some((writer) => feeds(writer, reader)))
  if (blocked.length === 0) return waiting
  const rest = waiting.filter((call) => !blocked.includes(call))
  return withoutBlocked(rest, [...pending, ...blocked])
}
