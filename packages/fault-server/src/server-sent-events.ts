/** Server-sent events, with every freedom the format leaves to a server. */
import type { StreamFormat } from './dialect.ts'

export const serverSentEvents: StreamFormat = {
  contentType: 'text/event-stream',
  textOf(frame, framing) {
    const newline = framing.newline ?? '\n'
    const gap = framing.withoutSpace ? '' : ' '
    const comment = framing.comments ? `: keep-alive${newline}${newline}:${newline}` : ''
    const event = frame.event === undefined ? '' : `event:${gap}${frame.event}${newline}`
    return `${comment}${event}data:${gap}${frame.data}${newline}${newline}`
  },
}
