/** One thing under observation, as lines of a trace. */
import type { ChatEvent } from '../../messages/chat-event.ts'
import type { JsonObject } from '../../messages/json.ts'
import type { Message } from '../../messages/message.ts'
import type {
  Observation,
  ObservationInfo,
  ObservationOutcome,
  ObservedEvent,
} from '../../observation/observer.ts'
import type { Ambient } from '../node/ambient.ts'
import type { StartFacts, TraceEventFacts } from '../trace-line.ts'
import { contentOf } from '../../observation/content-of.ts'
import { DeltaRun, isDelta } from './delta-run.ts'
import { eventFacts, observedFacts } from './event-facts.ts'
import { endFacts, startFacts } from './observation-facts.ts'

/** What an observation writes with. */
export interface TraceWriting {
  readonly writer: string
  readonly content: boolean
  now(): number
  /** Whether a run inside another writes lines of its own. */
  tells(runId: string): boolean
  /** Throws if the line cannot be written. */
  write(line: object, at?: number): void
  /** To be told once of each observation that ended. */
  ended(): void
}

export class TracedObservation implements Observation, Ambient {
  readonly writer: string
  readonly id: number
  readonly #writing: TraceWriting
  /** The client that it belongs to, which may be itself. */
  readonly #client: TracedObservation | undefined
  readonly #runId: string | undefined
  /** Of a client: what its run offers, and has offered in a round. */
  readonly #offered: Set<string>
  readonly #toolNames: readonly string[]
  /** Of a client: what its model was sent last, as the file has it. */
  #sent: readonly Message[] = []
  #deltas: DeltaRun | undefined

  constructor(writing: TraceWriting, id: number, info: ObservationInfo) {
    this.#writing = writing
    this.writer = writing.writer
    this.id = id
    this.#runId = info.runId
    const parent = info.parent as TracedObservation | undefined
    this.#client = info.kind === 'client' ? this : parent && parent.#client
    const toolNames = 'toolNames' in info ? info.toolNames : []
    this.#toolNames = toolNames
    this.#offered = new Set(info.kind === 'client' ? toolNames : [])
    // Tools may be found in the middle of a run, and tools may call others that no model is offered.
    const called = info.kind === 'tool' && info.definition ? [info.definition.name] : toolNames
    if (this.#client) for (const name of called) this.#client.#offered.add(name)
  }

  started(info: ObservationInfo): StartFacts {
    const client = this.#client === this ? undefined : this.#client
    return startFacts(info, this.#writing.content, client && client.#toolNames)
  }

  end(outcome: ObservationOutcome): void {
    this.#writing.ended()
    this.#endDeltas()
    const { content } = this.#writing
    this.#writing.write({ type: 'end', id: this.id, ...endFacts(outcome, content) })
  }

  event(event: ObservedEvent): void {
    this.#event(observedFacts(event, this.#writing.content))
  }

  emitted(event: ChatEvent): void {
    const { runId, parentCallId } = event
    const isInner = parentCallId !== undefined && runId !== undefined && runId !== this.#runId
    if (isInner && this.#writing.tells(runId)) return
    if (isDelta(event)) return this.#delta(event)
    this.#endDeltas()
    const { content } = this.#writing
    const facts = eventFacts(event, { content, isOffered: (name) => this.#offered.has(name) })
    if (facts) this.#event({ ...facts, ...this.#originOf(event) })
  }

  sent(messages: readonly Message[]): void {
    const client = this.#client ?? this
    const same = commonLength(client.#sent, messages)
    const others = messages.slice(same).map((message) => contentOf(message) as JsonObject)
    this.#writing.write({ type: 'sent', id: this.id, same, messages: others })
    // Not before: the next line must not build on one that was lost.
    client.#sent = messages
  }

  #delta(delta: Parameters<DeltaRun['add']>[0]): void {
    const at = this.#writing.now()
    if (this.#deltas?.add(delta, at)) return
    this.#endDeltas()
    this.#deltas = new DeltaRun(delta, at)
    this.#deltas.add(delta, at)
  }

  #endDeltas(): void {
    const deltas = this.#deltas
    this.#deltas = undefined
    if (deltas) this.#event({ ...deltas.facts, ...this.#originOf(deltas.origin) }, deltas.lastAt)
  }

  #event(event: TraceEventFacts, at?: number): void {
    this.#writing.write({ type: 'event', id: this.id, event }, at)
  }

  /** Where an event belongs, as far as that is not clear. */
  #originOf({ runId, parentCallId, round }: ChatEvent) {
    return {
      ...(runId !== undefined && runId !== this.#runId && { runId }),
      ...(parentCallId !== undefined && { parentCallId }),
      ...(round !== undefined && { round }),
    }
  }
}

/** Messages that stay are the same objects: a conversation only grows. */
function commonLength(before: readonly unknown[], now: readonly unknown[]): number {
  const differing = now.findIndex((each, index) => each !== before[index])
  return differing < 0 ? now.length : differing
}
