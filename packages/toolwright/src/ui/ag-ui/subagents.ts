/** Runs and calls inside of tools, each told as a subagent of the call it is in. */
import type { ChatEvent } from '../../messages/chat-event.ts'
import { frame } from '../stream/stream-converter.ts'
import type { AgUiEvent } from './ag-ui-event.ts'
import { AgUiLane } from './ag-ui-lane.ts'

export class Subagents {
  readonly #main: AgUiLane
  /** By their subagent ids: that of the one around and the call that they are in. */
  readonly #lanes = new Map<string, AgUiLane>()
  readonly #ended = new Set<string>()
  /** The subagent of each run, in each call that it has told of. */
  readonly #places = new Map<string, string>()
  #runId: string | undefined

  constructor(main: AgUiLane) {
    this.#main = main
  }

  /** `runId` is that of the run itself, not of those inside of its tools. */
  isOf(runId: string | undefined): void {
    this.#runId ??= runId
  }

  /** Nothing, if what happens inside of tools is not shown. */
  laneOf({ runId, parentCallId }: ChatEvent): AgUiLane | undefined {
    if (!this.#main.of.options.nested || parentCallId === undefined) return undefined
    const place = JSON.stringify([runId, parentCallId])
    const known = this.#places.get(place)
    if (known !== undefined) return this.#lanes.get(known)
    const isOfRun = runId === undefined || runId === this.#runId
    const around = this.#around(parentCallId, isOfRun)
    const subagentRunId = within((around ?? this.#main).of.prefix, parentCallId)
    this.#places.set(place, subagentRunId)
    if (this.#ended.has(subagentRunId)) return undefined
    return this.#lanes.get(subagentRunId) ?? this.#begin(parentCallId, around)
  }

  /** A call of the run itself has ended, and with it all that is inside of it. */
  finish(callId: string): void {
    const ended = within(this.#main.of.prefix, callId)
    const isInside = (id: string): boolean => id === ended || id.startsWith(within(ended, ''))
    this.#finish([...this.#lanes.keys()].filter(isInside))
  }

  finishAll(): void {
    this.#finish([...this.#lanes.keys()])
  }

  #finish(subagentRunIds: readonly string[]): void {
    // Those that began last are inside of the others.
    for (const subagentRunId of subagentRunIds.toReversed()) {
      this.#lanes.get(subagentRunId)!.closeStep()
      this.#lanes.delete(subagentRunId)
      this.#ended.add(subagentRunId)
      this.#send({ type: 'SUBAGENT_FINISHED', subagentRunId })
    }
  }

  /**
   * Whose call it is. Runs inside of each other may have calls of the same id: it is the first of them that nothing has
   * been told of yet. Nobody: the run itself.
   */
  #around(callId: string, isOfRun: boolean): AgUiLane | undefined {
    const lanes = [...this.#lanes.values()].filter((lane) => lane.toolOf(callId) !== undefined)
    if (this.#main.toolOf(callId) === undefined) return lanes[0]
    if (isOfRun || !this.#isTold(this.#main, callId)) return undefined
    return lanes.find((lane) => !this.#isTold(lane, callId))
  }

  #isTold(around: AgUiLane, callId: string): boolean {
    const subagentRunId = within(around.of.prefix, callId)
    return this.#lanes.has(subagentRunId) || this.#ended.has(subagentRunId)
  }

  #begin(parentCallId: string, around: AgUiLane | undefined): AgUiLane {
    const { write, options } = this.#main.of
    const { subagentRunId: parentSubagentRunId } = around?.of ?? {}
    const subagentRunId = within((around ?? this.#main).of.prefix, parentCallId)
    const lane = new AgUiLane({ write, prefix: subagentRunId, options, subagentRunId })
    this.#lanes.set(subagentRunId, lane)
    this.#send({
      type: 'SUBAGENT_STARTED',
      subagentRunId,
      // Of a call of an earlier run nobody here knows the tool.
      name: (around ?? this.#main).toolOf(parentCallId) ?? parentCallId,
      parentToolCallId: parentCallId,
      ...(parentSubagentRunId !== undefined && { parentSubagentRunId }),
    })
    return lane
  }

  #send(event: AgUiEvent): void {
    this.#main.of.write(frame(event))
  }
}

const within = (prefix: string, callId: string): string => `${prefix}-in-${callId}`
