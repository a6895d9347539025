/** One call of a tool, with the runs and calls inside it and what its events tell. */
import type { TraceCall, TraceCallStatus, TraceEvent, TraceRun, TraceWait } from '../trace.ts'
import { failureIn, fieldsIn, numberIn, textIn, type Fields } from './line-fields.ts'
import { timesOf, type TraceNode } from './trace-node.ts'

/** The runs and calls that stand in something. */
export interface Inside {
  readonly runs: readonly TraceRun[]
  readonly calls: readonly TraceCall[]
}

/** `events`: those of the run around it that are about this call. */
export function callOf(node: TraceNode, events: readonly TraceEvent[], inside: Inside): TraceCall {
  const { start, end = {} as Fields } = node
  const text = textIn(start, 'arguments')
  const refusal = textIn(end, 'refusal')
  const failure = failureIn(end)
  const own = events.filter((event) => isDuring(node, event))
  const id = textIn(start, 'callId') ?? ''
  const isOwn = ({ callId, runId }: TraceEvent): boolean => callId === id && runId === undefined
  const runs = own.filter((event) => event.type === STARTED && isOwn(event))
  return {
    ...timesOf(node),
    id,
    name: node.name,
    isOffered: start['isOffered'] !== false,
    ...(start['edited'] === true && { edited: true as const }),
    status: statusOf(node),
    ...(refusal !== undefined && { refusal }),
    ...(failure && { failure }),
    ...(runs.length > 0 && { ranAt: runs[0]!.at }),
    attempts: runs.length,
    waits: node.events.flatMap(waitOf),
    ...inside,
    events: [
      ...own.filter((event) => isShown(event, isOwn(event))),
      ...node.events.filter(({ code }) => code !== 'waited'),
    ].sort((a, b) => a.at - b.at),
    ...(text !== undefined && { arguments: text }),
    ...(end['result'] !== undefined && { result: end['result'] }),
  }
}

const STARTED = 'tool-execution-start'

/** A call that waited for a decision may come again, in a later leg or round. */
const isDuring = ({ startedAt, endedAt = Infinity }: TraceNode, { at }: TraceEvent): boolean =>
  at >= startedAt && at <= endedAt

/** The call itself says when it was sent, started and ended; of runs inside, only events do. */
const isShown = ({ type }: TraceEvent, isOwn: boolean): boolean =>
  type === 'tool-progress' || type === 'notice' || (!isOwn && INSIDE.includes(type))

const INSIDE: readonly string[] = [STARTED, 'tool-result', 'round-end']

function statusOf({ end }: TraceNode): TraceCallStatus {
  if (!end) return 'open'
  if (end['refused'] === true) return 'refused'
  if (end['suspended'] === true) return 'suspended'
  return end['failed'] === true ? 'failed' : 'done'
}

function waitOf(event: TraceEvent): readonly TraceWait[] {
  const data = fieldsIn(event as unknown as Fields, 'data') ?? {}
  const ms = numberIn(data, 'ms')
  const what = textIn(data, 'for')
  if (event.code !== 'waited' || ms === undefined) return []
  if (what !== 'place' && what !== 'lock' && what !== 'rate') return []
  const callId = textIn(data, 'callId')
  const toolName = textIn(data, 'toolName')
  return [
    {
      for: what,
      ms,
      ...(callId !== undefined && { callId }),
      ...(toolName !== undefined && { toolName }),
    },
  ]
}
