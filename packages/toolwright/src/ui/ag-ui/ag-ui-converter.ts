/** Converts the events of a run to those of AG-UI 1.0. */
import type { ChatEvent } from '../../messages/chat-event.ts'
import type { Usage } from '../../messages/chat-response.ts'
import type { JsonObject } from '../../messages/json.ts'
import type { PendingCall } from '../../messages/run-state.ts'
import { isAbort, shownError } from '../shown/shown-error.ts'
import { spokenText } from '../shown/spoken-text.ts'
import type { PageStreamOptions } from '../stream/page-stream-options.ts'
import { frame, type StreamConverter } from '../stream/stream-converter.ts'
import type { AgUiEvent, OfRun, AgUiOutcome } from './ag-ui-event.ts'
import { AG_UI_HANDLERS } from './ag-ui-handlers.ts'
import { AgUiLane } from './ag-ui-lane.ts'
import { toAgUiOutcome } from './interrupts.ts'
import { Subagents } from './subagents.ts'

export class AgUiConverter implements StreamConverter {
  readonly #run: OfRun
  readonly #options: PageStreamOptions
  readonly #main: AgUiLane
  readonly #subagents: Subagents
  #unsent = ''
  #pending: readonly PendingCall[] = []

  constructor(run: OfRun, options: PageStreamOptions) {
    this.#run = run
    this.#options = options
    const write = (text: string): void => void (this.#unsent += text)
    this.#main = new AgUiLane({ write, prefix: run.runId, options })
    this.#subagents = new Subagents(this.#main)
  }

  begin(): string {
    this.#send({ type: 'RUN_STARTED', ...this.#run, protocolVersion: '1.0' })
    return this.#take()
  }

  of(event: ChatEvent): string {
    const lane = this.#laneOf(event)
    if (!lane) return this.#take()
    if (event.type !== 'notice' && event.type !== 'suspended') lane.inRound(event.round)
    // A program that gives events of its own may give some that nobody knows.
    const handle = AG_UI_HANDLERS[event.type] as Handle | undefined
    handle?.(lane, event)
    if (lane === this.#main) this.#follow(event)
    return this.#take()
  }

  failed(thrown: unknown): string {
    this.#close()
    if (isAbort(thrown)) this.#finish({ type: 'cancelled' })
    else this.#send({ type: 'RUN_ERROR', ...shownError(thrown, this.#options) })
    return this.#take()
  }

  end(): string {
    return ''
  }

  #laneOf(event: ChatEvent): AgUiLane | undefined {
    if (event.parentCallId !== undefined) return this.#subagents.laneOf(event)
    this.#subagents.isOf(event.runId)
    return this.#main
  }

  /** What only the run itself has. */
  #follow(event: ChatEvent): void {
    if (event.type === 'suspended') this.#pending = event.pending
    else if (event.type === 'tool-result') this.#subagents.finish(event.toolCall.id)
    else if (event.type === 'response') {
      const { response } = event
      const isDirect = response.results[0]?.finishReason === 'return-direct'
      // The results of tools are the answer, and no model said them.
      if (isDirect) this.#main.say('text', spokenText(response))
      this.#close()
      this.#finish(toAgUiOutcome(this.#pending), usageOf(response.usage, response.model))
    }
  }

  #close(): void {
    this.#subagents.finishAll()
    this.#main.closeStep()
  }

  #finish(outcome: AgUiOutcome, usage: readonly JsonObject[] = []): void {
    const used = usage.length > 0 && { usage }
    this.#send({ type: 'RUN_FINISHED', ...this.#run, outcome, ...used })
  }

  #send(event: AgUiEvent): void {
    this.#unsent += frame(event)
  }

  #take(): string {
    const text = this.#unsent
    this.#unsent = ''
    return text
  }
}

type Handle = (lane: AgUiLane, event: ChatEvent) => void

/** AG-UI's names, where they differ. */
const USAGE_NAMES: { readonly [field in keyof Usage]?: string } = {
  cacheReadTokens: 'cachedInputTokens',
  cacheWriteTokens: 'cacheWriteInputTokens',
}

function usageOf(usage: Usage, model: string | undefined): readonly JsonObject[] {
  const counted = Object.entries(usage) as [keyof Usage, number | undefined][]
  const known = counted.filter(([, count]) => count !== undefined)
  if (known.length === 0) return []
  const counts = known.map(([field, count]) => [USAGE_NAMES[field] ?? field, count!] as const)
  return [{ ...(model !== undefined && { model }), ...Object.fromEntries(counts) }]
}
