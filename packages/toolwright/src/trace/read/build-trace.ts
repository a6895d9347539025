/** From observations to runs: legs of one run come together, exchanges and calls into their rounds. */
import { addUsage, type Usage } from '../../messages/chat-response.ts'
import type {
  Trace,
  TraceAdvisor,
  TraceCall,
  TraceEvent,
  TraceExchange,
  TraceLeg,
  TracePending,
  TraceRound,
  TraceRun,
  TraceRunStatus,
} from '../trace.ts'
import { callOf, type Inside } from './call-of.ts'
import { exchangeOf } from './exchange-of.ts'
import { LegEvents } from './leg-events.ts'
import { failureIn, listIn, numberIn, textIn, textsIn, type Fields } from './line-fields.ts'
import { timesOf, type TraceNode } from './trace-node.ts'

export function buildTrace(
  outer: readonly TraceNode[],
  known: Pick<Trace, 'content' | 'problems'>,
): Trace {
  const inside = insideOf(outer)
  return { ...known, runs: inside.runs, calls: inside.calls }
}

/** `events`: those of the run that the nodes stand in. */
function insideOf(nodes: readonly TraceNode[], events = new LegEvents([])): Inside {
  const clients: TraceNode[] = []
  const calls: TraceCall[] = []
  const walk = (node: TraceNode): void => {
    if (node.kind === 'client') clients.push(node)
    else if (node.kind === 'tool') calls.push(callIn(node, events))
    // What stands in nothing that is known: the lines around it were lost.
    else node.children.forEach(walk)
  }
  nodes.forEach(walk)
  return { runs: runsOf(clients), calls }
}

/** A call, with those that its tool made. */
const callIn = (tool: TraceNode, events: LegEvents): TraceCall =>
  callOf(tool, events.about(tool), insideOf(tool.children, events))

function runsOf(clients: readonly TraceNode[]): readonly TraceRun[] {
  const legs = new Map<string, TraceNode[]>()
  for (const client of clients) {
    const id = client.runId ?? ''
    const same = legs.get(id)
    if (same) same.push(client)
    else legs.set(id, [client])
  }
  return [...legs].map(([id, nodes]) => runOf(id, nodes))
}

function runOf(id: string, nodes: readonly TraceNode[]): TraceRun {
  const ordered = nodes.toSorted((a, b) => a.startedAt - b.startedAt)
  const legs: TraceLeg[] = []
  for (const node of ordered) legs.push(legOf(node, legs.at(-1)))
  const [first, last] = [ordered[0]!, legs.at(-1)!]
  const { conversation } = first.start
  return {
    id,
    model: first.name,
    provider: textIn(first.start, 'provider') ?? '',
    ...(conversation !== undefined && { conversation }),
    startedAt: first.startedAt,
    ...(last.endedAt !== undefined && { endedAt: last.endedAt }),
    status: last.status,
    legs,
    usage: usageOf(legs),
  }
}

const usageOf = (legs: readonly TraceLeg[]): Usage =>
  legs
    .flatMap(({ rounds }) => rounds)
    .flatMap(({ exchanges }) => exchanges)
    .reduce<Usage>((sum, { usage = {} }) => addUsage(sum, usage), {})

/** What a leg is put together from. */
interface LegParts {
  readonly rounds: RoundParts[]
  readonly advisors: TraceAdvisor[]
  readonly clients: TraceNode[]
}

interface RoundParts {
  readonly node: TraceNode | undefined
  readonly number: number
  readonly models: TraceNode[]
  readonly tools: TraceNode[]
  readonly advisors: TraceAdvisor[]
}

function legOf(client: TraceNode, before: TraceLeg | undefined): TraceLeg {
  const parts: LegParts = { rounds: [], advisors: [], clients: [] }
  for (const child of client.children) collect(child, parts, undefined)
  const { start, end = {} as Fields } = client
  const toolNames = textsIn(start, 'toolNames') ?? []
  const events = sortedEvents(client.events, parts)
  const legEvents = new LegEvents(events.all)
  const rounds = parts.rounds.map((round) => roundOf(round, { toolNames, events: legEvents }))
  const failure = failureIn(end)
  const finishReason = textIn(end, 'finishReason')
  const isWaiting = before?.status === 'suspended' && before.endedAt !== undefined
  return {
    ...timesOf(client),
    phase: textIn(start, 'phase') === 'resume' ? 'resume' : 'start',
    mode: textIn(start, 'mode') === 'stream' ? 'stream' : 'call',
    writer: client.writer,
    status: statusOf(client),
    toolNames,
    ...(finishReason !== undefined && { finishReason }),
    ...(failure && { failure }),
    ...(isWaiting && { waitedMs: Math.max(0, client.startedAt - before.endedAt) }),
    pending: pendingOf(client),
    rounds,
    advisors: parts.advisors,
    runs: runsOf(parts.clients),
    events: events.own,
    ...(end['answer'] !== undefined && { answer: end['answer'] }),
  }
}

function statusOf({ end }: TraceNode): TraceRunStatus {
  if (!end) return 'open'
  if (end['failed'] === true) return 'failed'
  const reason = textIn(end, 'finishReason')
  return reason === 'suspended' || reason === 'limit' ? reason : 'done'
}

function pendingOf({ events }: TraceNode): readonly TracePending[] {
  const suspended = events.findLast(({ type }) => type === 'suspended')
  if (!suspended) return []
  return listIn(suspended as unknown as Fields, 'pending').flatMap(
    ({ callId, parentCallId, line, toolName, kind, ...content }) =>
      typeof callId === 'string' && typeof toolName === 'string'
        ? {
            callId,
            ...(typeof parentCallId === 'string' && { parentCallId }),
            ...(typeof line === 'number' && { line }),
            toolName,
            kind: typeof kind === 'string' ? kind : 'approval',
            ...(Object.keys(content).length > 0 && { content }),
          }
        : [],
  )
}

/** Goes through what stands in a leg, but not into its calls and the runs inside. */
function collect(node: TraceNode, parts: LegParts, round: RoundParts | undefined): void {
  const within = (): RoundParts => round ?? impliedRound(parts, numberIn(node.start, 'round') ?? 1)
  if (node.kind === 'client') return void parts.clients.push(node)
  if (node.kind === 'tool') return void within().tools.push(node)
  if (node.kind === 'advisor') (round ?? parts).advisors.push(advisorOf(node))
  if (node.kind === 'model') within().models.push(node)
  const inner = node.kind === 'round' ? openRound(parts, node) : round
  for (const child of node.children) collect(child, parts, inner)
}

function openRound(parts: LegParts, node: TraceNode): RoundParts {
  const number = numberIn(node.start, 'round') ?? parts.rounds.length + 1
  const round: RoundParts = { node, number, models: [], tools: [], advisors: [] }
  parts.rounds.push(round)
  return round
}

/** Without a loop there are no rounds, and the model is asked all the same. */
function impliedRound(parts: LegParts, number: number): RoundParts {
  const last = parts.rounds.at(-1)
  if (last && !last.node && last.number === number) return last
  const round: RoundParts = { node: undefined, number, models: [], tools: [], advisors: [] }
  parts.rounds.push(round)
  return round
}

const advisorOf = (node: TraceNode): TraceAdvisor => ({
  ...timesOf(node),
  name: node.name,
  order: numberIn(node.start, 'order') ?? 0,
  failed: node.end?.['failed'] === true,
})

interface LegFacts {
  readonly toolNames: readonly string[]
  readonly events: LegEvents
}

function roundOf(parts: RoundParts, { toolNames, events }: LegFacts): TraceRound {
  const { node, number } = parts
  const streamed = events.streamedIn(number)
  const exchanges = parts.models.map((model) => exchangeOf(model, toolNames, streamed))
  const calls = parts.tools.map((tool) => callIn(tool, events))
  const waitedFor = calls.length > 1 ? lastOf(calls) : undefined
  return {
    ...(node ? timesOf(node) : spanOf([...exchanges, ...calls])),
    number,
    failed: node?.end?.['failed'] === true,
    exchanges,
    calls,
    advisors: parts.advisors,
    ...(waitedFor && { waitedFor: waitedFor.id }),
  }
}

function spanOf(parts: readonly (TraceExchange | TraceCall)[]): Pick<TraceRound, 'startedAt'> {
  const ends = parts.map(({ endedAt }) => endedAt)
  const isOver = ends.every((end) => end !== undefined)
  // There may be more than a function takes arguments.
  return {
    startedAt: parts.reduce((least, { startedAt }) => Math.min(least, startedAt), Infinity),
    ...(isOver && { endedAt: ends.reduce((most, end) => Math.max(most, end), -Infinity) }),
  }
}

function lastOf(calls: readonly TraceCall[]): TraceCall | undefined {
  if (calls.some(({ endedAt }) => endedAt === undefined)) return undefined
  return calls.reduce((last, call) => (call.endedAt! > last.endedAt! ? call : last))
}

/** Events of a run that are about one of its calls stand there; those of runs that the file tells of itself are left out. */
function sortedEvents(events: readonly TraceEvent[], parts: LegParts) {
  const traced = new Set<string>()
  const callIds = new Set<string>()
  const tools = parts.rounds.flatMap((round) => round.tools)
  const note = (node: TraceNode): void => {
    if (node.kind === 'client' && node.runId !== undefined) traced.add(node.runId)
    const callId = node.kind === 'tool' ? textIn(node.start, 'callId') : undefined
    if (callId !== undefined) callIds.add(callId)
    node.children.forEach(note)
  }
  for (const node of [...tools, ...parts.clients]) note(node)
  const all = events.filter(({ runId }) => runId === undefined || !traced.has(runId))
  const own = all.filter(({ type, callId, parentCallId = callId }) => {
    const isOfCall = parentCallId !== undefined && callIds.has(parentCallId)
    return !UNSHOWN.includes(type) && !isOfCall
  })
  return { all, own }
}

/** What is told elsewhere: in exchanges and calls, and in the end of the leg. */
const UNSHOWN: readonly string[] = [
  'deltas',
  'part',
  'round-end',
  'tool-call',
  'tool-call-start',
  'tool-execution-start',
  'tool-result',
  'suspended',
]
