/**
 * Sends a log as server-sent events. A reader takes the next event when its connection has room: one that is slow keeps
 * nobody waiting and nothing in memory.
 */
import type { ServerResponse } from 'node:http'
import type { EventLog, Numbered } from './event-log.ts'
import { jsonText } from './json-text.ts'
import { SECURITY_HEADERS } from './security-headers.ts'

export interface EventStream {
  readonly log: EventLog<Numbered>
  /** The number of the last event that the reader has. */
  readonly after: number
  /** Said before the log. */
  readonly first?: Numbered
  /** Whether a reader that has read all is done, although more may come. */
  readonly isPaused?: () => boolean
}

/** A reader that takes nothing for so many heartbeats is gone. */
const MOST_MISSED = 4

/** Resolves when the log has ended or paused, or the reader has left. */
export async function sendEvents(
  response: ServerResponse,
  { log, after, first, isPaused }: EventStream,
  heartbeatMs: number,
): Promise<void> {
  response.writeHead(200, { ...SECURITY_HEADERS, 'content-type': 'text/event-stream' })
  let isReady = response.write(first ? frame(first) : ': here\n\n')
  let seq = after
  await new Promise<void>((resolve) => {
    const push = (): void => {
      for (let event = log.after(seq); isReady && event; event = log.after(seq)) {
        seq = event.seq
        isReady = response.write(frame(event))
      }
      if (isReady && (log.isEnded || isPaused?.())) done()
    }
    let missed = 0
    const beat = setInterval(() => {
      missed = isReady ? 0 : missed + 1
      if (missed > MOST_MISSED) response.destroy()
      else response.write(': still here\n\n')
    }, heartbeatMs)
    const leave = log.onMore(push)
    const done = (): void => {
      clearInterval(beat)
      leave()
      resolve()
    }
    response.on('drain', () => ((isReady = true), push()))
    response.on('close', done)
    push()
  })
  response.end()
}

const frame = (event: Numbered): string => `id: ${event.seq}\ndata: ${jsonText(event)}\n\n`
