/**
 * Runs the calls of an answer through any tool-calling manager, in waves: a call that reads what another
 * call writes waits for it, all others run together. The results of a wave are appended to the context
 * before the next wave. The manager does the checks, limits, approval, timeouts and events, as for any
 * other call.
 */
import { isWithin } from '../../internal/is-within.ts'
import type { ChatEvent } from '../../messages/chat-event.ts'
import type { ChatResponse, Generation } from '../../messages/chat-response.ts'
import type { Message, ToolCall, ToolResponse } from '../../messages/message.ts'
import { toolCallsOf } from '../../messages/reading.ts'
import type { PendingCall } from '../../messages/run-state.ts'
import type { Prompt } from '../../model/chat-model.ts'
import { definitionsOf, settingsOf } from '../../tool-calling/default-tool-calling-manager.ts'
import type { ManagerSettings } from '../../tool-calling/manager-options.ts'
import { labelMet } from '../../messages/run-label.ts'
import type {
  ToolCallingManager,
  ToolExecutionResult,
  ToolExecutionRun,
} from '../../tool-calling/tool-calling-manager.ts'
import type { ToolCallback } from '../../tools/tool-callback.ts'
import { problemWithRedefinedTool } from './agent-callbacks.ts'
import type { Call } from '../agent-message.ts'
import type { AgentSession } from '../session/agent-session.ts'
import { callResult, type CallResult, type SettledCall } from './call-results.ts'
import { feeds, nextCalls, orderedCall, type OrderedCall } from './call-order.ts'
import { overlaps, type DataPath } from '../context/data-path.ts'
import { resolveCall } from './resolve-call.ts'

export function agentManager(
  inner: ToolCallingManager,
  session: AgentSession,
  maxTurns: number,
): ToolCallingManager {
  const innerSettings = settingsOf(inner)
  const settings: ManagerSettings = {
    ...innerSettings,
    limits: { ...innerSettings.limits, rounds: maxTurns },
    // An output that comes together with calls also ends the loop before its next round, which is no
    // failure.
    onLimit: innerSettings.onLimit === 'throw' ? 'stop' : innerSettings.onLimit,
  }
  return {
    settings,
    resolveToolDefinitions: definitionsOf(inner),
    executeToolCalls: (prompt, response, run = {}) =>
      new CallWaves({ inner, settings, session, prompt, response, run }).execute(),
  }
}

interface WavesRequest {
  readonly inner: ToolCallingManager
  readonly settings: ManagerSettings
  readonly session: AgentSession
  readonly prompt: Prompt
  readonly response: ChatResponse
  readonly run: ToolExecutionRun
}

/** Runs the calls of one answer. */
class CallWaves {
  readonly #request: WavesRequest
  readonly #generation: Generation
  readonly #calls: ReadonlyMap<string, { readonly toolCall: ToolCall; readonly order: OrderedCall }>
  readonly #responses = new Map<string, ToolResponse>()
  readonly #pending = new Map<string, PendingCall>()
  /** The result of the last wave, which holds the counters; and the answers given to tools that ask again. */
  #lastResult: ToolExecutionResult | undefined
  #answers: ToolExecutionResult['answers'] = {}
  /** What tools that call tools left, and which tools they have called. */
  #journals: ToolExecutionResult['journals']
  #nestedTools: ToolExecutionResult['nestedTools']

  constructor(request: WavesRequest) {
    this.#request = request
    const { response, run } = request
    this.#generation = response.results.find((each) => toolCallsOf(each).length > 0)!
    this.#calls = new Map(
      toolCallsOf(this.#generation).map((toolCall) => [
        toolCall.id,
        { toolCall, order: orderedCall(toolCall.id, callOf(toolCall)) },
      ]),
    )
    for (const answered of run.answered ?? []) this.#responses.set(answered.id, answered)
  }

  async execute(): Promise<ToolExecutionResult> {
    const { run, session } = this.#request
    const decided = waitingOf(this.#calls.keys(), run.state?.pending)
    // Calls that waited for a decision come first: the state belongs to them only.
    let wave = decided.length > 0 ? this.#orders(decided) : this.#next()
    let { state } = run
    while (wave.length > 0) {
      await this.#runWave(wave, state)
      if (session.fault) throw session.fault.error
      state = undefined
      wave = this.#next()
    }
    return this.#result()
  }

  #orders(ids: readonly string[]): readonly OrderedCall[] {
    return ids.flatMap((id) => this.#calls.get(id)?.order ?? [])
  }

  #next(): readonly OrderedCall[] {
    const open = [...this.#calls.keys()].filter((id) => !this.#responses.has(id))
    const pending = waitingOf(open, [...this.#pending.values()])
    const waiting = open.filter((id) => !pending.includes(id))
    return nextCalls(this.#orders(waiting), this.#orders(pending))
  }

  async #runWave(wave: readonly OrderedCall[], state: ToolExecutionRun['state']): Promise<void> {
    const settled: SettledCall[] = []
    const history = this.#history()
    this.#request.session.label = labelMet(history, this.#request.run.label)
    const runnable = wave.flatMap((order) => this.#prepare(order, settled))
    if (runnable.length > 0)
      await this.#runTogether(runnable, settled, {
        state,
        prompt: { ...this.#request.prompt, messages: history },
      })
    if (settled.length > 0) await this.#record(settled)
  }

  /** The conversation including the results of earlier waves: policies and labels depend on them. */
  #history(): readonly Message[] {
    const { messages } = this.#request.prompt
    const responses = this.#settledResponses()
    if (responses.length === 0) return messages
    const settledCalls = responses.map(({ id }) => this.#calls.get(id)!.toolCall)
    return [
      ...messages,
      { ...this.#generation.message, content: settledCalls },
      { role: 'tool', responses },
    ]
  }

  /** The responses so far, in call order. */
  #settledResponses(): readonly ToolResponse[] {
    return [...this.#calls.keys()].flatMap((id) => this.#responses.get(id) ?? [])
  }

  /** Resolves the references of a call. A call that cannot run is settled here, with an error. */
  #prepare(order: OrderedCall, settled: SettledCall[]): readonly ToolCall[] {
    const { session, run, settings } = this.#request
    const { toolCall } = this.#calls.get(order.id)!
    // What a failed call should have written counts as missing, even if an older value is there.
    const failed = this.#settledResponses().filter(({ isError }) => isError)
    const isBroken = (place: DataPath): boolean =>
      this.#orders(failed.map(({ id }) => id)).some(
        (writer) => feeds(writer, order) && writer.writes.some((path) => overlaps(path, place)),
      )
    const resolved = resolveCall(callOf(toolCall), session.store, {
      isBroken,
      argumentBytes: settings.limits.argumentBytes,
    })
    const problem = resolved.ok
      ? problemWithRedefinedTool(session.compose(), resolved.call)
      : resolved.problem
    if (resolved.ok && problem === undefined)
      return [{ ...toolCall, arguments: argumentsOf(resolved.call) }]
    const content = `Not run: ${problem}. Correct the call.`
    const response: ToolResponse = { id: toolCall.id, name: toolCall.name, content, isError: true }
    run.emit?.({ type: 'tool-result', toolCall, response })
    settled.push({ call: callOf(toolCall), response })
    return []
  }

  async #runTogether(
    toolCalls: readonly ToolCall[],
    settled: SettledCall[],
    { state, prompt }: Pick<ToolExecutionRun, 'state'> & { readonly prompt: Prompt },
  ): Promise<void> {
    const { inner, response, run } = this.#request
    const { decisions: _decisions, answered: _answered, state: _state, ...rest } = run
    const emit = (event: ChatEvent): void => {
      // Results of calls inside belong to the tool that made them.
      if (event.type === 'tool-result' && event.parentCallId === undefined)
        settled.push({ call: callOf(event.toolCall), response: event.response, value: event.value })
      run.emit?.(event)
    }
    const message = { ...this.#generation.message, content: toolCalls }
    const waveResponse = { ...response, results: [{ ...this.#generation, message }] }
    const result = await inner.executeToolCalls(prompt, waveResponse, {
      ...rest,
      emit,
      counters: this.#lastResult?.counters ?? run.state?.counters ?? run.counters,
      ...(state && { state, decisions: run.decisions }),
    })
    this.#lastResult = {
      ...result,
      ...(this.#lastResult?.limit && { limit: this.#lastResult.limit }),
    }
    for (const pending of result.pending ?? []) this.#pending.set(pending.callId, pending)
    this.#answers = { ...this.#answers, ...result.answers }
    if (result.journals) this.#journals = { ...this.#journals, ...result.journals }
    if (result.nestedTools) this.#nestedTools = { ...this.#nestedTools, ...result.nestedTools }
  }

  /**
   * Appends the results in the order in which the calls ended. This is one durable step, so a replay
   * appends the same.
   */
  async #record(settled: readonly SettledCall[]): Promise<void> {
    const { session, settings, run } = this.#request
    const { resultsWithoutPath = 'append' } = session.settings.config
    const date = new Date(settings.clock.now()).toISOString()
    const work = async (): Promise<readonly RecordedCall[]> =>
      settled.map((each) => {
        const { response } = each
        const label = session.labels.get(response.id) ?? response.label
        const isMessage = session.returnedMessages.has(response.id)
        const result = callResult(each, { date, withoutPath: resultsWithoutPath, isMessage })
        return { ...result, response: { ...response, ...(label && { label }) } }
      })
    // The step is named after the first of the calls, in call order; every call ends only once.
    const first = [...this.#calls.keys()].find((id) =>
      settled.some(({ response }) => response.id === id),
    )
    const recorded = await (run.step ? run.step(`agent-record/${first}`, work) : work())
    session.append(recorded.flatMap(({ messages }) => messages))
    session.record.errors.push(...recorded.flatMap(({ error }) => error ?? []))
    for (const { response } of recorded) this.#responses.set(response.id, response)
  }

  #result(): ToolExecutionResult {
    const { prompt, session, run } = this.#request
    const responses = this.#settledResponses()
    const isPending = this.#pending.size > 0
    const history = [...prompt.messages, this.#generation.message]
    const { counters = run.counters, limit } = this.#lastResult ?? {}
    return {
      responses,
      conversationHistory: isPending ? history : [...history, { role: 'tool', responses }],
      returnDirect: !isPending && session.record.output === null && responses.every(this.#isDirect),
      ...(counters && { counters }),
      ...(limit && { limit }),
      ...(isPending && { pending: [...this.#pending.values()], answers: this.#answers }),
      ...(isPending && this.#journals && { journals: this.#journals }),
      ...(isPending && this.#nestedTools && { nestedTools: this.#nestedTools }),
    }
  }

  readonly #isDirect = ({ isError, name }: ToolResponse): boolean => {
    const tools = (this.#request.prompt.options?.tools ?? []) as readonly ToolCallback[]
    const tool = tools.find(({ definition }) => definition.name === name)
    return !isError && tool?.metadata?.returnDirect === true
  }
}

/** Those of the calls that wait, or whose tools made calls that do. */
const waitingOf = (
  ids: Iterable<string>,
  pending: readonly PendingCall[] = [],
): readonly string[] => [...ids].filter((id) => pending.some(({ callId }) => isWithin(callId, id)))

interface RecordedCall extends CallResult {
  readonly response: ToolResponse
}

/** This package wrote the arguments, so they are a JSON object. */
const callOf = ({ name, arguments: text }: ToolCall): Call => ({
  _tool: name,
  ...(JSON.parse(text) as { readonly [field: string]: never }),
})

export function argumentsOf({ _tool, ...rest }: Call): string {
  return JSON.stringify(rest)
}
