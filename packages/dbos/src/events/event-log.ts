/**
 * What readers of a run are told, on its way into the database. Events gather here and leave in batches, so that
 * neither a step nor the text of a model waits for them.
 */
import type { ChatEvent } from 'toolwright'
import { eventJson } from './event-json.ts'
import { SeenEvents } from './seen-events.ts'

/** Events that are written together. */
export interface EventBatch {
  /** The number of the first of them in its run. */
  readonly first: number
  readonly events: string
}

export interface LoggedBatch extends EventBatch {
  readonly segment: number
}

export interface EventLogParts {
  readonly runId: string
  readonly segment: number
  readonly isStreamed: boolean
  /** What is in the log, of all segments. */
  readonly logged: readonly LoggedBatch[]
  /** False when the place of the batch is taken. */
  write(batch: EventBatch): Promise<boolean>
  /** What is in the log now. */
  read(): Promise<readonly LoggedBatch[]>
}

/** How long an event waits for its batch: while a model is streamed somebody may be reading along. */
const STREAMED_MS = 100
const WHOLE_MS = 500

export class EventLog {
  readonly #parts: EventLogParts
  /** What was told of this run and of those inside its tools, by their ids. */
  readonly #seen = new Map<string, SeenEvents>()
  #next: number
  readonly #waiting: string[] = []
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(parts: EventLogParts) {
    this.#parts = parts
    const { logged, segment } = parts
    this.#next = endOf(logged)
    const told = logged.filter((batch) => batch.segment === segment).flatMap(eventsIn)
    for (const runId of new Set(told.map(this.#runOf)))
      this.#seen.set(runId, new SeenEvents(told.filter((event) => this.#runOf(event) === runId)))
  }

  /** Some events of a model's own do not say where they belong. */
  readonly #runOf = ({ runId = this.#parts.runId }: ChatEvent): string => runId

  #seenIn(runId: string): SeenEvents {
    const seen = this.#seen.get(runId) ?? new SeenEvents([])
    this.#seen.set(runId, seen)
    return seen
  }

  emit(event: ChatEvent): void {
    const seen = this.#seenIn(this.#runOf(event))
    for (const fresh of seen.fresh(event)) this.#waiting.push(eventJson(fresh))
    const { isStreamed } = this.#parts
    if (this.#waiting.length > 0)
      this.#timer ??= setTimeout(() => void this.flush(), isStreamed ? STREAMED_MS : WHOLE_MS)
  }

  /** The model is asked anew in this step: what was told of its answer before a crash is void. */
  restart(step: string, round: number): void {
    const runId = this.#runIn(step)
    if (!this.#seenIn(runId).restart(round)) return
    const message = `Round ${round} was cut off, and is asked anew; what was told of its answer is void.`
    this.emit({ type: 'notice', code: 'round-restarted', message, data: { round }, runId, round })
  }

  /** The innermost run that a step belongs to: keys are paths, in which each run has its id. */
  #runIn(step: string): string {
    const places = [...this.#seen.keys()].map((id) => [step.lastIndexOf(`/${id}/`), id] as const)
    const [place, runId] = places.toSorted(([one], [other]) => other - one)[0] ?? [-1, '']
    return place < 0 ? this.#parts.runId : runId
  }

  /** Never rejects: what cannot be written because another worker owns the run is that worker's to tell. */
  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#writing = this.#writing.then(() => this.#write()).catch(() => {})
    return this.#writing
  }

  /** One batch at a time, so that each knows its place. */
  async #write(): Promise<void> {
    const waiting = this.#waiting.splice(0)
    if (waiting.length === 0) return
    const events = `[${waiting.join(',')}]`
    const { write, read } = this.#parts
    if (!(await write({ first: this.#next, events }))) {
      // An earlier owner has written there before it lost the run: this goes behind everything that is there.
      this.#next = endOf(await read())
      await write({ first: this.#next, events })
    }
    this.#next += waiting.length
  }
}

/** The number of the event that comes next. */
function endOf(logged: readonly LoggedBatch[]): number {
  const last = logged.at(-1)
  return last ? last.first + eventsIn(last).length : 0
}

export const eventsIn = ({ events }: EventBatch): readonly ChatEvent[] =>
  JSON.parse(events) as readonly ChatEvent[]
