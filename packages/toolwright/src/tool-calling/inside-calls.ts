/**
 * The calls that one running tool makes. Each takes the walk of a model's calls in the batch that its tool runs in. They
 * are prepared and started one after another, in the order in which they are made; then they run side by side, but that in
 * a durable run nothing is started while a tool runs that makes calls itself.
 */
import { ConfigurationError, ToolwrightError } from '../errors/errors.ts'
import { notice } from '../errors/notices.ts'
import { NONE } from '../internal/nothing.ts'
import type { Json } from '../messages/json.ts'
import type { Label, ToolCall } from '../messages/message.ts'
import { joinedLabel, labelMet } from '../messages/run-label.ts'
import type { CallJournal, PendingCall } from '../messages/run-state.ts'
import { valueAt } from '../schema/json-object.ts'
import type { NestedCall, NestedOutcome } from '../tools/nested-call.ts'
import type { ToolDefinition } from '../tools/tool-definition.ts'
import { refused } from '../tools/tool-run.ts'
import type {
  Batch,
  CallOutcome,
  InsideCall,
  LeftByTools,
  PreparedCall,
  ReadyCall,
} from './call.ts'
import { answersGiven, isComposite, jsonOf, toolNamed } from './check-call.ts'
import { compositeTools } from './composite-tools.ts'
import { stepKey } from './durable-step.ts'
import { raiseFor } from './live-mark.ts'
import { madeBy } from './made-call.ts'
import { nestedTold } from './nested-told.ts'
import { plainJson, TOO_LARGE } from './plain-json.ts'
import { saidLabel } from './record-result.ts'
import { sealedDefinition } from './sealed-definition.ts'

/** A call as its tool made it. */
interface MadeCall {
  readonly toolCall: ToolCall
  readonly line: number | undefined
  /** Its place among the calls of its tool. */
  readonly order: number
}

interface StartedCall {
  readonly batch: Batch
  readonly prepared: PreparedCall
  readonly outcome: Promise<CallOutcome>
}

/** A call that waits, and what it left. */
interface WaitingCall {
  readonly order: number
  readonly pending: readonly PendingCall[]
  readonly left: LeftByTools
}

const PENDING: NestedOutcome = Object.freeze({ pending: true })

export class InsideCalls implements InsideCall {
  readonly isAgain: boolean
  readonly isDurable: boolean
  readonly onUnknownOutcome: InsideCall['onUnknownOutcome']
  readonly #ready: ReadyCall
  readonly #earlier: CallJournal | undefined
  /** That of the tool's own call. */
  #batch: Batch
  /** That of the calls it makes. Made with the first. */
  #inside: Promise<Batch> | undefined
  /** Ends when the newest call, or step, has been started. */
  #line: Promise<unknown> = Promise.resolve()
  readonly #indexes = new Set<number>()
  /** Also before the run was suspended: what they gave then is in the journal. */
  readonly #used: Map<string, ToolDefinition>
  readonly #waiting: WaitingCall[] = []
  #running = 0
  #label: Label | undefined
  #isOver = false
  /** What ends the run, whatever the tool makes of it. */
  #fault: { readonly error: unknown } | undefined
  /** Called when a call has ended, and when the run shall. */
  #wake: (() => void) | undefined

  constructor(batch: Batch, ready: ReadyCall) {
    this.#batch = batch
    this.#ready = ready
    this.isDurable = batch.durable !== undefined
    this.onUnknownOutcome = batch.settings.durability.onUnknownOutcome
    this.#earlier = valueAt(batch.run.state?.journals, [ready.call.id]) as CallJournal | undefined
    this.isAgain = this.#earlier !== undefined
    this.#label = this.#earlier?.label
    const used = batch.reopened?.usedBy(ready.call.id) ?? []
    this.#used = new Map(used.map((definition) => [definition.name, definition]))
  }

  begin(batch: Batch): void {
    this.#batch = batch
  }

  get journal(): Json | undefined {
    return this.#earlier?.journal
  }

  get label(): Label | undefined {
    return saidLabel(this.#ready.tool, this.#label)
  }

  mark(label: Label): void {
    if (!labelMet(NONE, label)) return
    this.#label = joinedLabel(label, this.#label)
    this.#batch.mark?.raise(label)
  }

  readonly step: InsideCall['step'] = (key, work, tool) => {
    const { durable } = this.#batch
    if (!durable) return work()
    const whole = `${stepKey(this.#batch, 'inside-call', this.#ready.call.id)}/${key}`
    let own: { readonly thrown: unknown } | undefined
    const noted: typeof work = () =>
      work().catch((thrown: unknown) => {
        own = { thrown }
        throw thrown
      })
    // After the calls that were made before it: steps start in the same order at every replay.
    const stepping = this.#inLine(async () => ({
      running: durable.step(whole, noted, tool && { ...tool, isUndoable: false }),
    })).then(({ running }) => running)
    stepping.catch((thrown: unknown) => {
      if (isOfEngine(thrown, own)) this.#break(thrown)
    })
    return stepping
  }

  call(given: NestedCall): Promise<NestedOutcome> {
    let made: MadeCall
    try {
      made = this.#made(given)
    } catch (thrown) {
      return refused(thrown)
    }
    this.#running += 1
    const settling = this.#walk(made)
    // Also of a call that its tool does not wait for.
    settling.then(
      () => this.#ended(),
      (thrown: unknown) => this.#ended({ error: thrown }),
    )
    return settling
  }

  leaving(journal: Json): Json {
    if (this.#running > 0)
      throw this.#misused('nested-suspend', `it suspends while ${this.#running} of its calls run`)
    if (this.#waiting.length === 0)
      throw this.#misused('nested-suspend', 'it suspends, and none of its calls waits')
    const kept = plainJson(journal)
    if (kept === TOO_LARGE) throw this.#misused('nested-suspend', 'its journal is too large')
    return kept
  }

  /** Resolves when the tool and all its calls have settled. Rejects with what ends the run, without waiting for the tool. */
  async ended(running: Promise<unknown>): Promise<void> {
    let isRunning = true
    const over = (): void => {
      isRunning = false
      this.#isOver = true
      this.#wake?.()
    }
    running.then(over, over)
    while ((isRunning && !this.#fault) || this.#running > 0)
      await new Promise<void>((resolve) => (this.#wake = resolve))
    this.#isOver = true
    if (!this.#fault) return
    const { error } = this.#fault
    for (const context of this.#batch.running)
      if (context.callId === this.#ready.call.id) context.abort(error)
    throw error
  }

  /** What is left of this call and of those it made, until somebody has decided. `own`: what the tool itself asks. */
  waiting(own: readonly PendingCall[], journal?: Json): CallOutcome {
    const waiting = this.#waiting.toSorted((one, other) => one.order - other.order)
    const pending = [...own, ...waiting.flatMap((each) => each.pending)]
    // A run of its own that asks has made no calls here.
    if (waiting.length === 0 && this.#used.size === 0 && !this.#label) return { pending }
    const { call, edited } = this.#ready
    const { nesting } = this.#batch
    const left: CallJournal = {
      toolName: call.name,
      ...(nesting && { parentCallId: nesting.parentCallId }),
      ...(nesting && journal !== undefined && { input: jsonOf(this.#ready) }),
      ...(journal !== undefined && { journal }),
      ...(edited !== undefined && { edited }),
      ...(this.#label && { label: this.#label }),
    }
    return {
      pending,
      left: {
        calls: [
          { callId: call.id, journal: left, used: [...this.#used.values()] },
          ...waiting.flatMap((each) => each.left.calls),
        ],
        answers: waiting.flatMap((each) => each.left.answers),
      },
    }
  }

  /** The tool has ended: calls that still wait, or that were decided and not made again, do not run. */
  tellDropped(): void {
    const { run } = this.#batch
    const { call } = this.#ready
    const prefix = `${call.id}/`
    const unmade = (run.state?.pending ?? []).filter(
      ({ callId }) => callId.startsWith(prefix) && !this.#indexes.has(indexIn(callId, prefix)),
    )
    const dropped = [...unmade, ...this.#waiting.flatMap(({ pending }) => pending)]
    if (dropped.length === 0) return
    const named = dropped.map(({ callId, toolName }) => `${callId} of "${toolName}"`).join(', ')
    const message = `Tool "${call.name}" ended, and these calls of it do not run: ${named}.`
    run.emit?.(notice('nested-call-dropped', message, { callId: call.id }))
  }

  #made({ index, name, arguments: given, line }: NestedCall): MadeCall {
    if (this.#fault) throw this.#fault.error
    if (this.#isOver) throw this.#misused('nested-call', 'it makes a call after it has ended')
    if (!Number.isSafeInteger(index) || index < 0)
      throw this.#misused('nested-call', `index is ${String(index)}; it is a whole number from 0`)
    if (this.#indexes.has(index))
      throw this.#misused('nested-call', `it makes two calls with the index ${index}`)
    const text = typeof given === 'string' ? given : JSON.stringify(given)
    if (typeof name !== 'string' || typeof text !== 'string')
      throw this.#misused('nested-call', `call ${index} needs a name, and arguments as JSON`)
    const order = this.#indexes.size
    this.#indexes.add(index)
    const id = `${this.#ready.call.id}/${index}`
    return { toolCall: { type: 'tool-call', id, name, arguments: text }, line, order }
  }

  /** Begins when everything before it has been started. */
  #inLine<T>(start: () => Promise<T>): Promise<T> {
    const starting = this.#line.then(start)
    this.#line = starting.catch(() => {})
    return starting
  }

  async #start({ toolCall }: MadeCall): Promise<StartedCall> {
    const batch = await (this.#inside ??= this.#open())
    batch.run.signal?.throwIfAborted()
    if (this.#fault) throw this.#fault.error
    const tool = toolNamed(batch, toolCall.name)
    const isAgain = batch.run.state !== undefined && (await this.#checkSame(batch, toolCall))
    if (!isAgain) batch.run.emit?.({ type: 'tool-call', toolCall })
    if (tool && !this.#used.has(toolCall.name))
      this.#used.set(toolCall.name, sealedDefinition(tool))
    const { walk } = batch.shared!
    const prepared = await walk.prepare(batch, toolCall)
    raiseFor(batch.mark!, prepared)
    const outcome = Promise.resolve(walk.settle(batch, prepared))
    // Nobody knows when it comes to its next step, and steps start in the same order at every replay.
    if (this.isDurable && isComposite(prepared)) await outcome
    // In a list, because it is not waited for.
    return { batch, prepared, outcome }
  }

  async #open(): Promise<Batch> {
    const batch = this.#batch
    const { call, tool, watched } = this.#ready
    const { settings, run } = batch
    const { id: parentCallId } = call
    const emit: Batch['run']['emit'] = run.emit && ((event) => run.emit!({ parentCallId, ...event })) // prettier-ignore
    const tools =
      batch.reopened?.toolsOf(parentCallId) ??
      (await compositeTools(tool, {
        clock: settings.clock,
        ms: settings.limits.toolTimeoutMs,
        signal: run.signal,
        notice: (...told) => emit?.(notice(...told)),
      }))
    return {
      ...batch,
      tools,
      run: emit ? { ...run, emit } : run,
      watcher: watched ?? batch.watcher,
      nesting: { parentCallId, told: nestedTold },
    }
  }

  /** Whether the call waited before. What was decided is about that very call, and no other may take its place. */
  async #checkSame(batch: Batch, call: ToolCall): Promise<boolean> {
    const { state } = batch.run
    if (!state) return false
    const pending = state.pending.find(({ callId }) => callId === call.id)
    const journal = valueAt(state.journals, [call.id]) as CallJournal | undefined
    const { toolName, made } = pending ?? journal ?? {}
    if (toolName === undefined) return false
    if (toolName === call.name && made === (await madeBy(batch, call))) return true
    throw this.#misused('nested-call', `call ${call.id} is another than the one that waited`)
  }

  async #walk(made: MadeCall): Promise<NestedOutcome> {
    const { batch, prepared, outcome: settling } = await this.#inLine(() => this.#start(made))
    const outcome = await settling
    if (!outcome.pending) return this.#told(prepared, outcome)
    const { line, order } = made
    this.#waiting.push(await waitingCall({ batch, prepared, outcome, line, order }))
    return PENDING
  }

  #told(prepared: PreparedCall, { response, json, code }: CallOutcome): NestedOutcome {
    const { label, content, isError } = response!
    if (label) this.#label = joinedLabel(label, this.#label)
    const edited = 'edited' in prepared ? prepared.edited : undefined
    const noted = { ...(label && { label }), ...(edited !== undefined && { edited }) }
    if (isError) return { ok: false, code: code ?? 'failed', message: wordsOf(content), ...noted }
    return { ok: true, ...(json !== undefined && { json }), ...noted }
  }

  #ended(fault?: { readonly error: unknown }): void {
    this.#running -= 1
    if (fault) this.#break(fault.error)
    else this.#wake?.()
  }

  #break(error: unknown): void {
    this.#fault ??= { error }
    this.#wake?.()
  }

  #misused(code: 'nested-call' | 'nested-suspend', what: string): ConfigurationError {
    const { id: callId, name } = this.#ready.call
    const error = new ConfigurationError(code, `Tool "${name}" cannot do this: ${what}.`)
    // The model cannot mend it, and whoever wrote the tool does not read what models are told.
    this.#batch.run.emit?.(notice('nested-misuse', error.message, { callId, error: code }))
    return error
  }
}

/** Whether a step failed by itself: such a run cannot go on, and no model must be told of it as of a failed tool. */
const isOfEngine = (thrown: unknown, own: { readonly thrown: unknown } | undefined): boolean =>
  own
    ? own.thrown !== thrown
    : ToolwrightError.is(thrown) &&
      thrown.name === 'DurabilityError' &&
      thrown.code !== 'unknown-outcome'

interface WaitingParts extends Omit<StartedCall, 'outcome'> {
  readonly outcome: CallOutcome
  readonly line: number | undefined
  readonly order: number
}

/** With what the state keeps of a call that a tool made. */
async function waitingCall(parts: WaitingParts): Promise<WaitingCall> {
  const { batch, prepared, outcome, line, order } = parts
  const { call } = prepared
  const { parentCallId } = batch.nesting!
  const made = await madeBy(batch, call)
  const pending = outcome.pending!.map((each) =>
    each.callId === call.id
      ? { ...each, parentCallId, ...(line !== undefined && { line }), made }
      : each,
  )
  const given = prepared.kind === 'ready' ? prepared.answers : answersGiven(batch, call.id)
  const { calls = [], answers = [] } = outcome.left ?? {}
  return {
    order,
    pending,
    left: {
      calls: calls.map((left) =>
        left.callId === call.id ? { ...left, journal: { ...left.journal, made } } : left,
      ),
      answers: given.length > 0 ? [[call.id, given], ...answers] : answers,
    },
  }
}

const wordsOf = (
  content: string | readonly { readonly type: string; readonly text?: string }[],
): string =>
  // prettier-ignore
  typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('')

const indexIn = (callId: string, prefix: string): number =>
  Number(callId.slice(prefix.length).split('/')[0])
