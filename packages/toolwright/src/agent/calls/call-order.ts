/** Which calls of one answer may run now: a call waits while something it reads is still to be written by another. */
import type { Call } from '../agent-message.ts'
import { outputPlaces, overlaps, referencesIn, type DataPath } from '../context/data-path.ts'
import { isParameter } from '../registry/tool-spec.ts'

export interface OrderedCall {
  readonly id: string
  readonly reads: readonly DataPath[]
  readonly writes: readonly DataPath[]
  readonly instance: string | undefined
}

export function orderedCall(id: string, call: Call): OrderedCall {
  const parameters = Object.entries(call).filter(([field]) => isParameter(field))
  return {
    id,
    reads: parameters.flatMap(([, value]) => referencesIn(value)).flatMap(({ places }) => places),
    writes: call._outputPath === undefined ? [] : outputPlaces(call._outputPath),
    instance: call._instance,
  }
}

/** Whether what one call writes can be what another reads: instances do not see each other. */
export function feeds(writer: OrderedCall, reader: OrderedCall): boolean {
  if (writer === reader) return false
  const isVisible = writer.instance === undefined || writer.instance === reader.instance
  return (
    isVisible && writer.writes.some((path) => reader.reads.some((read) => overlaps(path, read)))
  )
}

/**
 * The calls that wait for none of the others. If all wait for each other, the first of the list goes: the
 * order the model gave them in is the best guess left. Empty when all wait for one that is `pending`.
 */
export function nextCalls(
  waiting: readonly OrderedCall[],
  pending: readonly OrderedCall[],
): readonly OrderedCall[] {
  const free = withoutBlocked(waiting, pending)
  const ready = free.filter((reader) => !free.some((writer) => feeds(writer, reader)))
  return ready.length > 0 ? ready : free.slice(0, 1)
}

/** Whoever waits for a pending call, or for one that waits for it, has to wait too. */
function withoutBlocked(
  waiting: readonly OrderedCall[],
  pending: readonly OrderedCall[],
): readonly OrderedCall[] {
  const blocked = waiting.filter((reader) => pending.some((writer) => feeds(writer, reader)))
  if (blocked.length === 0) return waiting
  const rest = waiting.filter((call) => !blocked.includes(call))
  return withoutBlocked(rest, [...pending, ...blocked])
}
