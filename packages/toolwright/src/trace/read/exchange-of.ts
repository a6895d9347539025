/** One exchange with a model, with what its events tell of the stream. */
import type { TraceEvent, TraceExchange } from '../trace.ts'
import { failureIn, fieldsIn, textIn, textsIn, usageIn, type Fields } from './line-fields.ts'
import { timesOf, type TraceNode } from './trace-node.ts'

/** `toolNames`: what the client offers; `events`: those of the round. */
export function exchangeOf(
  node: TraceNode,
  toolNames: readonly string[],
  events: readonly TraceEvent[],
): TraceExchange {
  const { start, end = {} as Fields, messages } = node
  const answeredBy = textIn(end, 'model')
  const responseId = textIn(end, 'responseId')
  const finishReason = textIn(end, 'finishReason')
  const usage = usageIn(end)
  const failure = failureIn(end)
  const options = fieldsIn(start, 'options') ?? {}
  return {
    ...timesOf(node),
    // A request may ask for another than the one that the model was made for.
    model: textIn(options, 'model') ?? node.name,
    provider: textIn(start, 'provider') ?? '',
    ...(answeredBy !== undefined && { answeredBy }),
    ...(responseId !== undefined && { responseId }),
    ...(usage && { usage }),
    ...(finishReason !== undefined && { finishReason }),
    ...(failure && { failure }),
    failed: end['failed'] === true,
    toolNames: textsIn(start, 'toolNames') ?? toolNames,
    options,
    ...streamOf(node, events),
    ...(messages && { messages }),
    ...(end['answer'] !== undefined && { answer: end['answer'] }),
  }
}

/** An advisor may ask more than once in a round, so it is the time that tells whose deltas they are. */
function streamOf(
  { start, startedAt, endedAt = Infinity }: TraceNode,
  events: readonly TraceEvent[],
) {
  if (textIn(start, 'mode') !== 'stream') return {}
  const own = events.filter(
    ({ type, runId, at, firstAt = at }) =>
      type === 'deltas' && runId === undefined && firstAt >= startedAt && firstAt <= endedAt,
  )
  if (own.length === 0) return {}
  return {
    firstChunkAt: Math.min(...own.map(({ at, firstAt = at }) => firstAt)),
    chunks: own.reduce((sum, { count = 1 }) => sum + count, 0),
  }
}
