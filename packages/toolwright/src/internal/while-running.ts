/**
 * Work that emits events, as a generator: yields what is emitted while the work runs, returns its
 * result. The one place where callbacks become a pull-based stream.
 */
import type { ChatEvent } from '../messages/chat-event.ts'

export type Emit = (event: ChatEvent) => void

export async function* whileRunning<T>(
  work: (emit: Emit) => Promise<T>,
): AsyncGenerator<ChatEvent, T> {
  const waiting: ChatEvent[] = []
  let running = true
  let wake: (() => void) | undefined
  const result = work((event) => {
    waiting.push(event)
    wake?.()
  }).finally(() => {
    running = false
    wake?.()
  })
  // The reader may leave before the work ends; its failure is then nobody's.
  result.catch(() => {})
  while (running || waiting.length > 0) {
    if (waiting.length === 0) await new Promise<void>((resolve) => (wake = resolve))
    for (const event of waiting.splice(0)) yield event
  }
  return await result
}

/** The same, past the generators where there is a sink: nobody between here and the readers looks at events. */
export async function* passingEvents<T>(
  sink: Emit | undefined,
  work: (emit: Emit) => Promise<T>,
): AsyncGenerator<ChatEvent, T> {
  return sink ? await work(sink) : yield* whileRunning(work)
}
