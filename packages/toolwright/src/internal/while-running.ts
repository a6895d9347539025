/**
 * Work that emits events, as a generator: yields what is emitted while the work runs, returns its
 * result. The one place where callbacks become a pull-based stream.
 */
import type { ChatEvent } from '../messages/chat-event.ts'

/** Emits one event; a returned promise asks the sender to wait until the reader has caught up. */
export type Emit = (event: ChatEvent) => void | Promise<void>

const HIGH_WATER = 1024

export async function* whileRunning<T>(
  work: (emit: Emit, isRunning: () => boolean) => Promise<T>,
): AsyncGenerator<ChatEvent, T> {
  let waiting: ChatEvent[] = []
  let running = true
  let wake: (() => void) | undefined
  let drained: (() => void) | undefined
  let room: Promise<void> | undefined
  const emit: Emit = (event) => {
    if (!running) return
    waiting.push(event)
    wake?.()
    if (waiting.length < HIGH_WATER) return
    return (room ??= new Promise((resolve) => (drained = resolve)))
  }
  const result = work(emit, () => running).finally(() => {
    running = false
    wake?.()
  })
  // The reader may leave before the work ends; its failure is then nobody's.
  result.catch(() => {})
  try {
    while (running || waiting.length > 0) {
      if (waiting.length === 0) {
        await new Promise<void>((resolve) => (wake = resolve))
        wake = undefined
        continue
      }
      const batch = waiting
      waiting = []
      drained?.()
      room = drained = undefined
      for (const event of batch) yield event
    }
    return await result
  } finally {
    running = false
    drained?.()
  }
}

/** The same, past the generators where there is a sink: nobody between here and the readers looks at events. */
export async function* passingEvents<T>(
  sink: Emit | undefined,
  work: (emit: Emit, isRunning: () => boolean) => Promise<T>,
): AsyncGenerator<ChatEvent, T> {
  return sink ? await work(sink, () => true) : yield* whileRunning(work)
}
