/**
 * One case, twice: a model that calls the tools directly, and a program that calls them. What must be the same is
 * compared: the events of every call, effects, what whoever called is told, pending calls, counters, sealed tools, ends.
 */
import { expect, it } from 'vitest'
import type {
  ChatClientOptions,
  ChatEvent,
  Json,
  PendingCall,
  RunState,
  ToolSource,
} from 'toolwright'
import { playBoth, toldByTools, type Leg, type Outcome, type Stage } from '../e2e/scenario.ts'
import { decisionsOf, WAYS, type NumberedDecisions, type Rounds, type Way } from './ways.ts'

/** What became of a call, as whoever made it was told. */
export interface Told {
  readonly ok?: Json
  readonly error?: string
}

/** What must be the same both ways. Ids are those of direct calls: `c0`, `c1`. */
export interface Seen {
  /** Of each call, in order. */
  readonly events: { readonly [callId: string]: readonly unknown[] }
  readonly notices: readonly unknown[]
  readonly log: readonly unknown[]
  readonly legs: readonly SeenLeg[]
  /** Nothing if the run did not come to its end. */
  readonly told: readonly Told[] | undefined
}

interface SeenLeg {
  readonly status: string | undefined
  readonly error: unknown
  readonly pending: readonly unknown[] | undefined
  readonly state: unknown
}

export interface Case {
  readonly calls: Rounds
  readonly tools: (stage: Stage, way: Way) => readonly ToolSource[]
  readonly client?: (stage: Stage, way: Way) => ChatClientOptions
  /** Aborts with `stage.abort` reach the run. */
  readonly during?: (stage: Stage, way: Way) => Promise<void>
  /** Decisions for each suspension in turn, by the numbers of the calls. */
  readonly resume?: readonly NumberedDecisions[]
  /** What is seen, either way. */
  readonly check: (seen: Seen, outcome: Outcome) => void
  /** The codes that the program was told, call by call. */
  readonly codes?: readonly (string | undefined)[]
  /** Calls of one round end as they will: effects are compared as a set. */
  readonly anyOrder?: true
}

export function bothWays(name: string, each: Case): void {
  it(name, async () => {
    const [direct, nested] = [await seenOn(WAYS[0], each), await seenOn(WAYS[1], each)]
    expect(nested).toEqual(direct)
  })
}

async function seenOn(way: Way, each: Case): Promise<Seen> {
  const { calls, tools, client, during, resume, check } = each
  let last: Seen | undefined
  await playBoth({
    script: way.script(calls),
    tools: (stage) => way.offered(tools(stage, way)),
    ...(client && { client: (stage) => client(stage, way) }),
    request: (asked, { abort }) => asked.prompt('Go').signal(abort.signal),
    ...(during && { during: (stage) => during(stage, way) }),
    ...(resume && { resume: resume.map((numbered) => () => decisionsOf(way, numbered)) }),
    check(outcome) {
      last = seenIn(outcome, way, each)
      check(last, outcome)
    },
  })
  return last!
}

function seenIn(outcome: Outcome, way: Way, { codes, anyOrder }: Case): Seen {
  const { legs, log } = outcome
  const isNested = way.name === 'in a program'
  const all = legs.flatMap(({ events }) => events)
  const own = all.filter((event) => !isNested || event.parentCallId !== undefined)
  const effects = alike(log.filter((entry) => !isOfProgram(entry))) as readonly unknown[]
  const told = toldOf(outcome, isNested)
  if (isNested && codes) expect(told?.map(({ code }) => code)).toEqual(codes)
  return {
    events: byCall(own),
    notices: all.flatMap((event) => (event.type === 'notice' ? [alike(withoutOrigin(event))] : [])),
    log: anyOrder ? effects.map((entry) => JSON.stringify(entry)).sort() : effects,
    legs: legs.map((leg) => seenLeg(leg, isNested)),
    told: told?.map(({ ok, error }) => ({
      ...(ok !== undefined && { ok }),
      ...(error !== undefined && { error: alike(error) as string }),
    })),
  }
}

/** What policies, hooks and observers say of the program itself. */
const isOfProgram = (entry: unknown): boolean =>
  (Object(entry) as { readonly callId?: unknown }).callId === 'p'

function byCall(events: readonly ChatEvent[]): Seen['events'] {
  const calls: { [callId: string]: unknown[] } = {}
  for (const event of events) {
    if (!('toolCall' in event)) continue
    const seen = alike(withoutOrigin(event)) as { readonly toolCall: { readonly id: string } }
    ;(calls[seen.toolCall.id] ??= []).push(seen)
  }
  return calls
}

function withoutOrigin(event: ChatEvent): object {
  const { runId: _run, round: _round, parentCallId: _parent, ...rest } = event
  return rest
}

/** As JSON, with the ids of direct calls. */
const alike = (value: unknown): unknown => {
  const text = JSON.stringify(value, (_key, each: unknown) =>
    each === undefined ? '(undefined)' : each,
  )
  return JSON.parse(text.replaceAll(/\bp\/(\d+)/g, 'c$1')) as unknown
}

function seenLeg({ result, error }: Leg, isNested: boolean): SeenLeg {
  return {
    status: result?.status,
    error: seenError(error),
    pending: result?.pending?.map(seenPending),
    state: result?.state && seenState(result.state, isNested),
  }
}

function seenError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  return alike({
    name: error.name,
    message: error.message,
    code: (error as { code?: unknown }).code,
  })
}

function seenPending({
  parentCallId: _parent,
  line: _line,
  made: _made,
  ...rest
}: PendingCall): unknown {
  return alike(rest)
}

/** Counters without the program's own call; the hashes of the tools that wait; answers that were given. */
function seenState(state: RunState, isNested: boolean): unknown {
  const { counters, pending, answers, tools, nestedTools } = state
  const { runProgram: _own, ...perTool } = counters.perTool
  const sealed = isNested ? nestedTools!.p! : tools
  return {
    counters: { total: counters.total - (isNested ? 1 : 0), perTool },
    pending: pending.map(seenPending),
    answers: alike(answers),
    sealed: Object.fromEntries(pending.map(({ toolName }) => [toolName, sealed[toolName]])),
  }
}

/** As the program was told, or the model. */
function toldOf(
  { result, prompts }: Outcome,
  isNested: boolean,
): readonly (Told & { readonly code?: string })[] | undefined {
  if (result?.status !== 'done') return undefined
  if (isNested) {
    const [{ content }] = toldByTools(prompts.at(-1)) as [{ content: string }]
    const { result: told } = JSON.parse(content) as { readonly result: readonly Told[] }
    return told
  }
  const told = prompts
    .at(-1)!
    .messages.flatMap((message) => (message.role === 'tool' ? message.responses : []))
  return told.map(({ content, isError }) =>
    isError ? { error: content as string } : { ok: valueOf(content) },
  )
}

const NOTE = '\n\nThe arguments were changed before it ran'

function valueOf(content: unknown): Json {
  if (typeof content !== 'string') return content as Json
  const [text = ''] = content.split(NOTE)
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}
