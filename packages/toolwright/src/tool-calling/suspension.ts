/**
 * A run between two processes: sealed into signed JSON when it suspends, opened and checked when it
 * resumes. Nothing is used up before every decision was found good. Loaded with the first suspension or
 * resume.
 */
import { ResumeError } from '../errors/errors.ts'
import { base64 } from '../internal/base64.ts'
import { canonicalJson } from '../internal/canonical-json.ts'
import { frozenCopy } from '../internal/frozen-copy.ts'
import { jsonCopy } from '../internal/json-copy.ts'
import { sha256 } from '../internal/sha256.ts'
import type { Json, JsonObject } from '../messages/json.ts'
import { toolCallsOf } from '../messages/reading.ts'
import type {
  Decision,
  Decisions,
  PendingCall,
  RunProgress,
  RunState,
} from '../messages/run-state.ts'
import { runDirectly } from '../ports/durability.ts'
import type { RunSettings } from '../run/run-settings.ts'
import type { ToolCallback } from '../tools/tool-callback.ts'
import type { ToolDefinition } from '../tools/tool-definition.ts'
import type { BatchRun } from './call.ts'
import { compositeTools } from './composite-tools.ts'
import { durableStepOf } from './durable-step.ts'
import { plainJson } from './plain-json.ts'
import { sealedDefinition } from './sealed-definition.ts'
import type { ToolExecutionResult } from './tool-calling-manager.ts'

/** The tools of a round. */
export interface RoundTools {
  readonly offered: readonly ToolCallback[]
  /** Those that the client itself offers. */
  readonly own: readonly ToolCallback[]
}

export interface Suspending extends RoundTools {
  /** The tools that waiting tools of the batch have called. */
  readonly nested?: ToolExecutionResult['nestedTools']
  /** Of the state: another for each suspension. */
  readonly id: string
  readonly progress: RunProgress
  readonly runId: string
  readonly conversation?: Json
  /** What those who watch want to have back. */
  readonly observed?: JsonObject | undefined
}

export async function sealState(
  settings: RunSettings,
  { id, progress, offered, own, nested = {}, runId, conversation, observed }: Suspending,
): Promise<RunState> {
  const sign = await signer(settings)
  const hashesOf = async (definitions: readonly ToolDefinition[]): Promise<RunState['tools']> => {
    // Of the whole definition: a changed description or default is another tool.
    const hashed = definitions.map(async (each) => [each.name, await sign('tool', each)])
    return Object.fromEntries(await Promise.all(hashed)) as RunState['tools']
  }
  const hashes = (tools: readonly ToolCallback[]): Promise<RunState['tools']> =>
    hashesOf(tools.map(sealedDefinition))
  const added = offered.filter((tool) => !own.includes(tool))
  const inside: [callId: string, hashes: RunState['tools']][] = []
  for (const [callId, used] of Object.entries(nested)) inside.push([callId, await hashesOf(used)])
  const unsigned = {
    ...progress,
    // What an advisor left there must not cost the run.
    context: plainJson(progress.context) as RunProgress['context'],
    version: 1 as const,
    id,
    runId,
    conversation,
    tools: await hashes(offered.filter((tool) => own.includes(tool))),
    ...(added.length > 0 && { addedTools: await hashes(added) }),
    ...(inside.length > 0 && { nestedTools: Object.fromEntries(inside) }),
    ...(observed && { observed }),
  }
  // Through JSON once, so that what the caller holds is what was signed.
  const plain = JSON.parse(JSON.stringify(unsigned)) as typeof unsigned
  return { ...plain, signature: await sign('state', plain) }
}

export interface Resuming {
  readonly state: RunState
  readonly decisions: Decisions
  readonly tools: readonly ToolCallback[]
  /** The conversation that the resuming request names, if any. It must be the run's. */
  readonly conversation?: Json | undefined
}

export interface Resumed {
  readonly state: RunState
  readonly decisions: Decisions
}

/**
 * Rejects a state that is malformed, altered, signed by another key, made with other tools, or decided wrongly.
 * Gives copies that nobody can change any more: what was checked is what runs.
 */
export async function openState(settings: RunSettings, resuming: Resuming): Promise<Resumed> {
  const { tools, conversation } = resuming
  const state = copyOfState(resuming.state)
  const { signature, ...unsigned } = state
  const sign = await signer(settings)
  // Compared as signatures of themselves: the time it takes tells nothing about them.
  const isOurs =
    (await sign('compare', [signature])) ===
    (await sign('compare', [await sign('state', unsigned)]))
  if (!isOurs) {
    const hint = settings.stateSecret === undefined ? ' No stateSecret is set.' : ''
    throw new ResumeError(
      'state-signature',
      `The state was changed, or signed with another secret.${hint}`,
    )
  }
  const differences: ToolDifference[] = []
  for (const [name, hash] of comparedTools(settings, state, state.tools)) {
    const offered = tools.find(({ definition }) => definition.name === name)
    const isSame = offered && (await sign('tool', sealedDefinition(offered))) === hash
    if (!isSame) differences.push([name, offered])
  }
  refuseDifferences([...differences, ...(await insideDifferences(settings, state, differences))])
  if (
    conversation !== undefined &&
    canonicalJson([conversation]) !== canonicalJson([state.conversation])
  )
    throw new ResumeError(
      'state-invalid',
      'The state belongs to another conversation than the request names.',
    )
  return Object.freeze({ state, decisions: checkedDecisions(state, resuming.decisions) })
}

/** What waiting tools declare may be all that changed of them: it is named, too. */
async function insideDifferences(
  settings: RunSettings,
  state: RunState,
  differences: readonly ToolDifference[],
): Promise<readonly ToolDifference[]> {
  const now = new Map<string, readonly ToolCallback[]>()
  for (const [callId, { toolName }] of Object.entries(state.journals ?? {})) {
    const tool = differences.find(([name]) => name === toolName)?.[1]
    const asking = { clock: settings.clock, ms: settings.limits.toolTimeoutMs, signal: undefined }
    if (tool?.metadata?.composite) now.set(callId, await compositeTools(tool, asking))
  }
  return nestedDifferences(settings, state, now)
}

/**
 * The sealed tools that must be the same now. A durable run may wait for days and through deploys, so only those count
 * that it has called; what it was merely offered may change.
 */
function comparedTools(
  { durability }: RunSettings,
  { messages, pending }: RunState,
  sealed: RunState['tools'],
): readonly (readonly [name: string, hash: string])[] {
  const all = Object.entries(sealed)
  if (durability === runDirectly) return all
  const used = new Set(pending.map(({ toolName }) => toolName))
  for (const message of messages) for (const { name } of toolCallsOf(message)) used.add(name)
  return all.filter(([name]) => used.has(name))
}

function copyOfState(given: unknown): RunState {
  try {
    const state = frozenCopy(JSON.parse(JSON.stringify(given)) as Partial<RunState> | null)
    const { version, signature, pending, tools } = state ?? {}
    const isState = version === 1 && typeof signature === 'string' && Array.isArray(pending)
    if (isState && tools) return state as RunState
  } catch {
    // It has no JSON form, so it is none.
  }
  throw new ResumeError('state-invalid', 'This is no state.')
}

/**
 * Compares the tools of a round that is formed again with those that were sealed. The client's own were
 * compared when the state was opened.
 */
export async function checkRoundTools(
  settings: RunSettings,
  state: RunState,
  { offered, own }: RoundTools,
): Promise<void> {
  const { tools, addedTools, pending, journals = {} } = state
  const waiting = new Set([...pending, ...Object.values(journals)].map(({ toolName }) => toolName))
  const sign = await signer(settings)
  const differences: ToolDifference[] = []
  for (const [name, hash] of comparedTools(settings, state, { ...tools, ...addedTools })) {
    const tool = offered.find(({ definition }) => definition.name === name)
    if (tool && own.includes(tool) && tools[name] === hash) continue
    const isSame = tool ? (await sign('tool', sealedDefinition(tool))) === hash : !waiting.has(name)
    if (!isSame) differences.push([name, tool])
  }
  refuseDifferences(differences)
}

/** Compares the tools that waiting tools have called with those that they may call now, by the ids of their calls. */
export async function checkNestedTools(
  settings: RunSettings,
  state: RunState,
  now: ReadonlyMap<string, readonly ToolCallback[]>,
): Promise<void> {
  refuseDifferences(await nestedDifferences(settings, state, now))
}

async function nestedDifferences(
  settings: RunSettings,
  { nestedTools = {} }: RunState,
  now: ReadonlyMap<string, readonly ToolCallback[]>,
): Promise<readonly ToolDifference[]> {
  const sign = await signer(settings)
  const differences: ToolDifference[] = []
  for (const [callId, tools] of now)
    for (const [name, hash] of Object.entries(nestedTools[callId] ?? {})) {
      const tool = tools.find(({ definition }) => definition.name === name)
      const isSame = tool && (await sign('tool', sealedDefinition(tool))) === hash
      if (!isSame) differences.push([name, tool])
    }
  return differences
}

/** A tool that was sealed, and what is offered under its name now. */
type ToolDifference = readonly [name: string, offered: ToolCallback | undefined]

/** Names them all, so that whoever deploys sees at once what is missing. */
function refuseDifferences(differences: readonly ToolDifference[]): void {
  if (differences.length === 0) return
  const named = differences.map(([name, offered]) => `"${name}" (${howDifferent(offered)})`)
  throw new ResumeError(
    'state-tools-changed',
    `The tools are not those of the suspended run: ${named.join(', ')}.`,
  )
}

function howDifferent(offered: ToolCallback | undefined): string {
  if (!offered) return 'not offered'
  // The definition of a tool that calls tools may hold theirs, as that of a program does.
  return offered.metadata?.composite?.tools ? 'changed, or a tool that it may call' : 'changed'
}

/**
 * Each state is good for one resume. That is a step of the run: a run that is replayed after a crash gets the
 * answer it got before, and everybody else is refused.
 */
export async function useUp(settings: RunSettings, run: BatchRun): Promise<void> {
  const { state, decisions, signal } = run
  const { id } = state!
  const { runStore, ids } = settings
  const use = async (by?: string): Promise<void> => {
    // Nothing has run so far: an aborted resume leaves its state usable.
    signal?.throwIfAborted()
    if (!(await runStore.use(id, by))) throw stateUsed()
  }
  const step = durableStepOf(settings, run)
  if (!step) return use()
  // Named in a step of its own: a store that was told who uses the state tells a replay from another resume.
  const by = await step(`resume/${id}`, async () => ids.next('resume'))
  const own = await digest(decisions)
  const decided = await step(`use-state/${id}`, async () => (await use(by), own))
  if (decided !== own) throw stateUsed()
}

const digest = async (decisions: Decisions | undefined): Promise<string> =>
  sha256(canonicalJson(plainJson(decisions)))

const stateUsed = (): ResumeError => new ResumeError('state-used', 'This state was resumed before.')

const FITTING: { readonly [kind in PendingCall['kind']]: readonly string[] } = {
  approval: ['approve', 'deny', 'edit'],
  result: ['result', 'deny'],
  question: ['answer', 'deny'],
  'unknown-outcome': ['result', 'retry', 'deny'],
}

/** The decisions that are a word alone. */
const WORDS = ['approve', 'retry']

function checkedDecisions(state: RunState, decisions: Decisions | undefined): Decisions {
  const entries = Object.entries(decisions ?? {})
  if (entries.length === 0) throw new ResumeError('decision-missing', 'Nothing was decided.')
  const checked = entries.map(([callId, decision]): readonly [string, Decision] => {
    const pending = state.pending.find((call) => call.callId === callId)
    if (!pending)
      throw new ResumeError('decision-unknown-call', notPending(callId, state.pending), { callId })
    const given = (typeof decision === 'string' ? { [decision]: true } : { ...decision }) as {
      readonly [kind: string]: unknown
    }
    const kind = Object.keys(given).join()
    const isReason = kind !== 'deny' || typeof given.deny === 'string'
    // { approve: false } must not approve, nor 'result' run a tool again.
    const isWord = WORDS.includes(kind) === (typeof decision === 'string')
    if (!FITTING[pending.kind].includes(kind) || !isReason || !isWord)
      throw new ResumeError('decision-wrong-kind', `"${callId}" waits for ${pending.kind}.`, {
        callId,
      })
    if (typeof decision === 'string') return [callId, decision]
    const own = kind === 'answer' || kind === 'edit' ? { [kind]: keptJson(given[kind]) } : given
    if (kind === 'answer' && own[kind] === undefined)
      throw new ResumeError(
        'decision-wrong-kind',
        `The answer to "${callId}" has no JSON form; null stands for none.`,
        { callId },
      )
    return [callId, Object.freeze(own) as unknown as Decision]
  })
  return Object.freeze(Object.fromEntries(checked))
}

/** How many calls are named that wait. */
const MOST_NAMED = 5

function notPending(callId: string, pending: readonly PendingCall[]): string {
  const named = pending.slice(0, MOST_NAMED).map((call) => `"${call.callId}" (${call.toolName})`)
  const more = pending.length - named.length
  const all = more > 0 ? `${named.join(', ')} and ${more} more` : named.join(', ')
  return `"${callId}" is not pending. Pending: ${all}.`
}

/** As the state will keep it; undefined if it has no JSON form, or one without end. */
function keptJson(value: unknown): Json | undefined {
  try {
    if (jsonCopy(value).isCut) return undefined
    const text = JSON.stringify(value) as string | undefined
    return text === undefined ? undefined : frozenCopy(JSON.parse(text) as Json)
  } catch {
    return undefined
  }
}

let processKey: Uint8Array | undefined

/** What a signature is for. One that was made for something else never counts, whatever its text looks like. */
type Purpose = 'state' | 'tool' | 'compare'

async function signer(
  settings: RunSettings,
): Promise<(purpose: Purpose, value: object) => Promise<string>> {
  const { stateSecret, random } = settings
  const secret = stateSecret === undefined ? (processKey ??= random.bytes(32)) : utf8(stateSecret)
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', secret as Uint8Array<ArrayBuffer>, hmac, false, [
    'sign',
  ])
  return async (purpose, value) => {
    const text = `toolwright ${purpose} 1\n${canonicalJson(value)}`
    return base64(new Uint8Array(await crypto.subtle.sign('HMAC', key, utf8(text))))
  }
}

const utf8 = (text: string) => new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>
