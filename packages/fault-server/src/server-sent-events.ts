/** Server-sent events, with every freedom the format leaves to a server. */
import type { StreamFormat } from './dialect.ts'
import { lineEnd } from './line-end.ts'

export const serverSentEvents: StreamFormat = {
  contentType: 'text/event-stream',
  textOf(frame, framing) {
    const newline = lineEnd(framing)
    const gap = framing.withoutSpace ? '' : ' '
    const comment = framing.comments ? `: keep-alive${newline}${newline}:${newline}` : ''
    const event = frame.event === undefined ? '' : `event:${gap}${frame.event}${newline}`
    const fields = framing.fields
      ? `id:${gap}7${newline}retry:${gap}1${newline}strange:${gap}x${newline}`
      : ''
    // A line break after the first brace changes nothing for JSON.
    const data = framing.fields ? frame.data.replace(/^\{/, `{${newline}data:${gap}`) : frame.data
    return `${comment}${fields}${event}data:${gap}${data}${newline}${newline}`
  },
}
