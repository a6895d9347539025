/** One call that a person makes by hand: the same walk as a call of a model, with its events kept for whoever follows. */
import {
  ChatClient,
  oneCallModel,
  type ChatEvent,
  type Decisions,
  type Json,
  type ToolCallback,
  type ToolResponse,
} from 'toolwright'
import type { HandCallEnd, HandCallEvent } from '../protocol/hand-call.ts'
import type { CallRow } from '../protocol/routes.ts'
import { deniedIn } from '../runs/denied-in.ts'
import { DecidableRun, type RunOutcome } from '../runs/decidable-run.ts'
import type { Warn } from '../server/answer-error.ts'
import { EventLog } from '../server/event-log.ts'
import { callStatus } from '../shown/call-status.ts'
import { shownContent, shownJson } from '../shown/shown-content.ts'
import { shownError } from '../shown/shown-error.ts'
import { shownPending } from '../shown/shown-pending.ts'

export interface HandCallOptions {
  readonly id: string
  readonly tool: ToolCallback
  readonly input: Json
  readonly context: { readonly [key: string]: unknown }
  readonly warn: Warn
}

/** Nothing is cut, and only the tool's own timeout applies: whoever called can stop it. */
const LIMITS = {
  argumentBytes: 'unlimited',
  resultBytes: 'unlimited',
  toolTimeoutMs: 'unlimited',
} as const

/** Older progress is forgotten. */
const PROGRESS_KEPT = 500

export class HandCall {
  readonly id: string
  readonly log = new EventLog<HandCallEvent>()
  readonly #tool: ToolCallback
  readonly #input: Json
  readonly #startedAt = Date.now()
  readonly #warn: Warn
  readonly #run: DecidableRun
  readonly #denied = new Set<string>()
  readonly #began = performance.now()
  #response: ToolResponse | undefined
  #progress = 0
  #ended: CallRow['end']

  constructor({ id, tool, input, context, warn }: HandCallOptions) {
    this.id = id
    this.#tool = tool
    this.#input = input
    this.#warn = warn
    const call = { tool: tool.definition.name, arguments: JSON.stringify(input) }
    const client = ChatClient.create(oneCallModel(call), {
      tools: [tool],
      toolContext: context,
      limits: LIMITS,
    })
    this.#run = new DecidableRun({
      resume: (state, decisions) => client.resume(state, decisions),
      discard: async () => {},
      onEvent: (event) => this.#show(event),
      onPending: async (pending) => () =>
        this.log.append({
          type: 'pending',
          pending: pending.map((each) => shownPending(each, [this.#tool])),
        }),
      onResumed: (decisions, pending) => {
        for (const callId of deniedIn(decisions, pending)) this.#denied.add(callId)
        this.log.append({ type: 'decided' })
      },
      onRefused: (error) => this.log.append({ type: 'decision-refused', error }),
      warn,
      onEnd: async (outcome) => this.#end(outcome),
    })
    this.#run.start(client.prompt('One call'))
  }

  get isEnded(): boolean {
    return this.#run.status === 'ended'
  }

  get row(): CallRow {
    return {
      id: this.id,
      tool: this.#tool.definition.name,
      input: this.#input,
      startedAt: this.#startedAt,
      status: this.#run.status,
      ...(this.#ended && { end: this.#ended }),
    }
  }

  decide(requestId: string, decisions: Decisions): Promise<void> {
    return this.#run.decide(requestId, decisions)
  }

  stop(): Promise<void> {
    return this.#run.stop()
  }

  #show(event: ChatEvent): void {
    // What happens in calls that the tool makes belongs to the tool.
    if (event.parentCallId !== undefined) return
    if (event.type === 'tool-progress') {
      this.log.append({ type: 'progress', value: shownJson(event.progress) })
      if (++this.#progress > PROGRESS_KEPT) this.log.forget(({ type }) => type === 'progress')
    }
    if (event.type === 'tool-result') this.#response = event.response
  }

  #end(outcome: RunOutcome): void {
    const end = { ...this.#outcome(outcome), durationMs: performance.now() - this.#began }
    this.#ended = { status: end.status, durationMs: end.durationMs }
    this.log.append(end)
    this.log.end()
  }

  #outcome(outcome: RunOutcome): Omit<HandCallEnd, 'durationMs'> {
    const type = 'end'
    if (outcome.status === 'stopped') return { type, status: 'stopped' }
    if (outcome.status === 'failed')
      return { type, status: 'failed', error: shownError(outcome.error, this.#warn) }
    const response = this.#response!
    const status = callStatus(response, this.#denied)
    return { type, status, content: shownContent(response.content) }
  }
}
