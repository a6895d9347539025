/** Runs and calls inside of tools, each told as a subagent of the call it is in. */
import type { ChatEvent } from '../../messages/chat-event.ts'
import { frame } from '../stream/stream-converter.ts'
import type { AgUiEvent } from './ag-ui-event.ts'
import { AgUiLane } from './ag-ui-lane.ts'

export class Subagents {
  readonly #main: AgUiLane
  /** By the call that they are in. */
  readonly #lanes = new Map<string, AgUiLane>()
  readonly #ended = new Set<string>()

  constructor(main: AgUiLane) {
    this.#main = main
  }

  /** Nothing, if what happens inside of tools is not shown. */
  laneOf({ parentCallId }: ChatEvent): AgUiLane | undefined {
    if (!this.#main.of.options.nested || parentCallId === undefined) return undefined
    if (this.#ended.has(parentCallId)) return undefined
    return this.#lanes.get(parentCallId) ?? this.#begin(parentCallId)
  }

  finish(callId: string): void {
    const lane = this.#lanes.get(callId)
    if (!lane) return
    this.#lanes.delete(callId)
    this.#ended.add(callId)
    lane.closeStep()
    this.#send({ type: 'SUBAGENT_FINISHED', subagentRunId: lane.of.subagentRunId! })
  }

  finishAll(): void {
    // Those that began last are inside of the others.
    for (const callId of [...this.#lanes.keys()].reverse()) this.finish(callId)
  }

  #begin(parentCallId: string): AgUiLane {
    const { write, prefix, options } = this.#main.of
    const around = [...this.#lanes.values()].find((lane) => lane.toolOf(parentCallId))
    const { subagentRunId: parentSubagentRunId } = around?.of ?? {}
    const subagentRunId = `${prefix}-in-${parentCallId}`
    const lane = new AgUiLane({ write, prefix: subagentRunId, options, subagentRunId })
    this.#lanes.set(parentCallId, lane)
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
