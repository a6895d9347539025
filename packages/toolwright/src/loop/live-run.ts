/**
 * A run as it stands, held by reference: the loop writes it, and whoever asks what there is so far reads it
 * (`run.partial`, a run that ran out of time). Nothing is copied until somebody asks.
 */
import { NONE } from '../internal/nothing.ts'
import type { ChatResponse } from '../messages/chat-response.ts'
import type { Label, Message, ToolResponse } from '../messages/message.ts'
import { toolCallsOf } from '../messages/reading.ts'
import { labelMet } from '../messages/run-label.ts'
import type { RunProgress } from '../messages/run-state.ts'
import { TakenIds } from './taken-ids.ts'

export class LiveRun {
  /** Undefined until the loop has started. */
  progress: RunProgress | undefined
  /** The responses of the batch under way that are there. Undefined between batches. */
  batch: ToolResponse[] | undefined
  /** The model's answer whose calls were given their ids, until the loop has recorded it. */
  named: ChatResponse | undefined
  /** The high-water mark of what advisors inside the loop sent besides its messages. */
  met: Label | undefined
  /** Made with the first call. */
  #taken: TakenIds | undefined

  /** What the model is sent: that of the loop, or what an advisor made of it. */
  sending(messages: readonly Message[]): void {
    if (messages !== this.progress?.messages) this.met = labelMet(messages, this.met)
  }

  /** The run's high-water mark, but for what its open batch has brought. Undefined if there is nothing to know. */
  get label(): Label | undefined {
    const { messages = NONE, answered = NONE, label } = this.progress ?? {}
    return labelMet(messages, label, this.met, ...answered.map((each) => each.label))
  }

  /** Of the calls of this run, and of those in what its model was sent. */
  get takenIds(): TakenIds {
    return (this.#taken ??= new TakenIds())
  }
}

/** The progress with what the batch under way has given so far. Its other calls get a response that says `why` they have none. */
export function withOpenBatch(
  progress: RunProgress,
  batch: LiveRun['batch'],
  why: string,
): RunProgress {
  const called = progress.messages.at(-1)
  if (!batch || !called) return progress
  const responses = toolCallsOf(called).map(
    ({ id, name }): ToolResponse =>
      batch.find((response) => response.id === id) ?? { id, name, content: why, isError: true },
  )
  const messages = progress.messages.concat({ role: 'tool', responses })
  return { ...progress, messages, answered: NONE }
}
