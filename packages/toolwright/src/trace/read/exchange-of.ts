/** One exchange with a model, with what its events tell of the stream. */
import type { TraceExchange } from '../trace.ts'
import { failureIn, fieldsIn, textIn, textsIn, usageIn, type Fields } from './line-fields.ts'
import type { StreamedPieces } from './streamed-pieces.ts'
import { timesOf, type TraceNode } from './trace-node.ts'

/** `toolNames`: what the client offers; `streamed`: in the round. */
export function exchangeOf(
  node: TraceNode,
  toolNames: readonly string[],
  streamed: StreamedPieces,
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
    ...(textIn(start, 'mode') === 'stream' && streamed.during(node)),
    ...(messages && { messages }),
    ...(end['answer'] !== undefined && { answer: end['answer'] }),
  }
}
