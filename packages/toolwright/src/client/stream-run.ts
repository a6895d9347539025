/** A run as it happens. */
import type { ChatEvent } from '../messages/chat-event.ts'
import type { RunIterator } from './event-reader.ts'
import { Run } from './run.ts'
import { TextReader } from './text-reader.ts'

export class StreamRun extends Run {
  /**
   * The answer's text, live. Text of a round that turns out to call tools ends at its first call. Rejects at
   * its end with `RunSuspendedError` or `RunLimitError` when there is no answer.
   */
  content(): RunIterator<string> {
    return new TextReader(this.run)
  }

  /** The events as lines of JSON, for `new Response(run.toReadableStream())`. Cancelling it aborts the run. */
  toReadableStream(): ReadableStream<Uint8Array> {
    const events = this.events()
    const encoder = new TextEncoder()
    return new ReadableStream({
      async pull(controller) {
        const step = await events.next()
        if (step.done) controller.close()
        else controller.enqueue(encoder.encode(`${lineOf(step.value)}\n`))
      },
      cancel: () => void events.return(),
    })
  }
}

/** What a tool took, returned or reported may have no JSON form; the event itself always has. */
function lineOf(event: ChatEvent): string {
  try {
    return JSON.stringify(event)
  } catch {
    return JSON.stringify({ ...event, value: undefined, input: undefined, progress: undefined })
  }
}
