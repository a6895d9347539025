/**
 * One conversation, twice: every scenario runs through `call()` and through `stream()` with a fresh
 * scripted model and fresh tools, is checked both times by the same check, and both runs are compared:
 * results, events but for deltas, and what the model was sent. Time, ids and chance are the test's own.
 */
import { expect, it } from 'vitest'
import {
  ChatClient,
  textOf,
  type ChatClientOptions,
  type ChatEvent,
  type ChatRequest,
  type Decisions,
  type Prompt,
  type RunResult,
  type RunState,
  type ToolCallback,
  type ToolSource,
} from 'toolwright'
import {
  manualClock,
  scriptedModel,
  type ManualClock,
  type ScriptedModel,
  type ScriptedStep,
} from 'toolwright/testing'
import { countingIds } from '../../packages/toolwright/src/testing/counting-ids.ts'
import { seededRandom } from '../../packages/toolwright/src/testing/seeded-random.ts'

export type Mode = 'call' | 'stream'

/** What one run of a scenario may use: fresh each time. */
export interface Stage {
  readonly mode: Mode
  readonly clock: ManualClock
  readonly model: ScriptedModel
  /** Effects and sightings, written by tools and hooks. */
  readonly log: unknown[]
  /** For `request(r => r.signal(stage.abort.signal))`. */
  readonly abort: AbortController
}

/** One leg of a run: from its start or a resume to its end or the next suspension. */
export interface Leg {
  readonly result?: RunResult
  readonly error?: unknown
  readonly events: readonly ChatEvent[]
  /** All text that a reader got; of a stream, joined. */
  readonly text?: string
  /** Why there is no text. */
  readonly textError?: unknown
}

export interface Outcome extends Stage {
  readonly legs: readonly Leg[]
  /** Of the last leg. */
  readonly result: RunResult
  readonly error: unknown
  /** Of the last leg. */
  readonly events: readonly ChatEvent[]
  readonly textError: unknown
  readonly prompts: readonly Prompt[]
}

export interface Scenario {
  readonly script:
    readonly ScriptedStep[] | ((stage: Pick<Stage, 'log'>) => readonly ScriptedStep[])
  readonly tools?: (stage: Stage) => readonly ToolSource[]
  readonly client?: (stage: Stage) => ChatClientOptions
  /** What is asked. Default: the words "Go". */
  readonly request?: (client: ChatClient, stage: Stage) => ChatRequest
  /** Runs beside each leg, to move the clock or abort. */
  readonly during?: (stage: Stage) => Promise<void>
  /** Decisions for each suspension in turn; the state travels as JSON. */
  readonly resume?: readonly ((suspended: RunResult) => Decisions)[]
  /** With `streamToolCallResponses` set either way: the answer is all text that was shown. */
  readonly answerHoldsAllText?: true
  readonly check: (outcome: Outcome) => void | Promise<void>
}

export function scenario(name: string, spec: Scenario): void {
  it(name, async () => void (await playBoth(spec)))
}

/** Plays it in call and in stream, checks both and compares them. Gives what came of the call. */
export async function playBoth(spec: Scenario): Promise<Outcome> {
  const called = await play(spec, 'call')
  await spec.check(called)
  const streamed = await play(spec, 'stream')
  await spec.check(streamed)
  compare(called, streamed, spec.answerHoldsAllText ?? false)
  return called
}

async function play(spec: Scenario, mode: Mode): Promise<Outcome> {
  const clock = manualClock()
  const log: unknown[] = []
  const steps = typeof spec.script === 'function' ? spec.script({ log }) : spec.script
  const model = scriptedModel(steps, { clock })
  const stage: Stage = { mode, clock, model, log, abort: new AbortController() }
  const client = clientFor(spec, stage)
  const tools = spec.tools?.(stage)
  const offered = (request: ChatRequest): ChatRequest => (tools ? request.tools(...tools) : request)
  const legs = [
    await playLeg(spec, stage, offered(spec.request?.(client, stage) ?? client.prompt('Go'))),
  ]
  for (const decide of spec.resume ?? []) {
    const suspended = legs.at(-1)!.result!
    if (!suspended?.state)
      throw new Error(`nothing to resume: ${String(legs.at(-1)!.error ?? suspended?.status)}`)
    const state = JSON.parse(JSON.stringify(suspended.state)) as RunState
    legs.push(await playLeg(spec, stage, offered(client.resume(state, decide(suspended)))))
  }
  const last = legs.at(-1)!
  return {
    ...stage,
    legs,
    result: last.result!,
    error: last.error,
    events: last.events,
    textError: last.textError,
    prompts: model.prompts,
  }
}

function clientFor(spec: Scenario, stage: Stage): ChatClient {
  const options = spec.client?.(stage) ?? {}
  if (options.manager) return ChatClient.create(stage.model, options)
  return ChatClient.create(stage.model, {
    clock: stage.clock,
    ids: countingIds(),
    random: seededRandom(1),
    ...options,
  })
}

async function playLeg(spec: Scenario, stage: Stage, request: ChatRequest): Promise<Leg> {
  const run = stage.mode === 'call' ? request.call() : request.stream()
  const events: ChatEvent[] = []
  const reading = (async () => {
    for await (const event of run) events.push(event)
  })()
  reading.catch(() => {})
  await spec.during?.(stage)
  let error: unknown
  try {
    await reading
  } catch (thrown) {
    return { error: thrown, events }
  }
  const result = await run.result()
  try {
    const content = run.content()
    const text =
      typeof content === 'object' && Symbol.asyncIterator in content
        ? await joined(content)
        : await content
    return { result, error, events, text }
  } catch (textError) {
    return { result, error, events, textError }
  }
}

async function joined(pieces: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const piece of pieces) text += piece
  return text
}

function compare(called: Outcome, streamed: Outcome, answerHoldsAllText: boolean): void {
  expect(streamed.legs.length, 'legs').toBe(called.legs.length)
  streamed.legs.forEach((leg, index) => {
    const other = called.legs[index]!
    expect(comparableError(leg.error), 'error').toEqual(comparableError(other.error))
    expect(comparableError(leg.textError), 'text error').toEqual(comparableError(other.textError))
    expect(comparableResult(leg.result), 'result').toEqual(comparableResult(other.result))
    expect(leg.events.filter(isWhole).map(comparableEvent), 'events').toEqual(
      other.events.map(comparableEvent),
    )
    if (leg.text === undefined) return
    const from = index === 0 ? 0 : called.legs[index - 1]!.result!.rounds.length
    const expected = answerHoldsAllText ? other.text : shownText(other, from)
    expect(leg.text, 'streamed text').toBe(expected)
  })
  expect(streamed.prompts.map(comparablePrompt), 'prompts').toEqual(
    called.prompts.map(comparablePrompt),
  )
  expect(streamed.log, 'log').toEqual(called.log)
  for (const { events } of called.legs)
    expect(
      events.filter((event) => !isWhole(event)),
      'deltas of a call',
    ).toEqual([])
}

/** What a stream shows: the text of each round, and the answer, with a blank line between two that say something. */
function shownText({ result, text = '' }: Leg, from: number): string {
  const said = result!.rounds.slice(from).map(textOf)
  const isDirect = result!.response.results[0]?.finishReason === 'return-direct'
  const before = isDirect ? said : said.slice(0, -1)
  return [...before, text].filter((each) => each !== '').join('\n\n')
}

const isWhole = (event: ChatEvent): boolean => !event.type.endsWith('-delta')

function comparableEvent(event: ChatEvent): unknown {
  if (event.type === 'suspended') return { ...event, state: comparableState(event.state) }
  return event.type === 'tool-result' ? { ...event, value: comparableValue(event.value) } : event
}

/** Tools may return what cannot be compared, or not even looked at. */
function comparableValue(value: unknown): unknown {
  try {
    return JSON.stringify(value) ?? typeof value
  } catch {
    return typeof value
  }
}

const comparableState = (state: RunState | undefined): unknown => {
  if (!state) return undefined
  const { signature: _signature, id: _id, ...rest } = state
  return rest
}

const comparableResult = (result: RunResult | undefined): unknown =>
  result && { ...result, state: comparableState(result.state) }

const comparablePrompt = ({ messages, options }: Prompt): unknown => ({
  messages,
  options: {
    ...options,
    tools: (options?.tools as readonly ToolCallback[] | undefined)?.map((tool) => tool.definition),
  },
})

function comparableError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  return { name: error.name, message: error.message, code: (error as { code?: unknown }).code }
}

/** The last tool message the model was sent: what it was told by its tools. */
export function toldByTools(
  prompt: Prompt | undefined,
): readonly { content: unknown; isError?: boolean }[] {
  const message = prompt?.messages.findLast((each) => each.role === 'tool')
  return (message?.responses ?? []).map(({ content, isError }) => ({
    content,
    ...(isError && { isError }),
  }))
}

/** Names of the event types, in order. */
export const typesOf = (events: readonly ChatEvent[]): readonly string[] =>
  events.map((event) => event.type)

/** The events of one type. */
export function eventsOf<Type extends ChatEvent['type']>(
  events: readonly ChatEvent[],
  type: Type,
): readonly Extract<ChatEvent, { type: Type }>[] {
  return events.filter((event): event is Extract<ChatEvent, { type: Type }> => event.type === type)
}
