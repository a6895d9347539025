/**
 * A run between two processes: sealed into signed JSON when it suspends, opened and checked when it
 * resumes. Nothing is used up here; that happens once every decision was found good.
 */
import { ResumeError } from '../errors/errors.ts'
import { canonicalJson } from '../internal/canonical-json.ts'
import type { Json } from '../messages/json.ts'
import type {
  Decision,
  Decisions,
  PendingCall,
  RunProgress,
  RunState,
} from '../messages/run-state.ts'
import type { Random } from '../ports/random.ts'
import type { ToolCallback } from '../tools/tool-callback.ts'
import type { ToolDefinition } from '../tools/tool-definition.ts'
import type { ManagerSettings } from './manager-settings.ts'

export interface Suspending {
  readonly progress: RunProgress
  readonly runId: string
  readonly conversation?: Json
  readonly tools: readonly ToolCallback[]
}

export async function sealState(
  settings: ManagerSettings,
  suspending: Suspending,
): Promise<RunState> {
  const { progress, runId, conversation, tools } = suspending
  const hashes = await Promise.all(
    tools.map(async (tool) => [tool.definition.name, await definitionHash(tool.definition)]),
  )
  const unsigned = {
    ...progress,
    version: 1 as const,
    id: settings.ids.next('state'),
    runId,
    ...(conversation !== undefined && { conversation }),
    tools: Object.fromEntries(hashes) as RunState['tools'],
  }
  // Through JSON once, so that what the caller holds is what was signed.
  const plain = JSON.parse(JSON.stringify(unsigned)) as typeof unsigned
  return { ...plain, signature: await sign(settings, plain) }
}

export interface Resuming {
  readonly state: RunState
  readonly decisions: Decisions
  readonly tools: readonly ToolCallback[]
}

/** Rejects a state that is malformed, altered, signed by another key, made with other tools, or decided wrongly. */
export async function openState(settings: ManagerSettings, resuming: Resuming): Promise<void> {
  const { state, decisions, tools } = resuming
  checkShape(state)
  const { signature, ...unsigned } = state
  if (!sameText(signature, await sign(settings, unsigned))) {
    const hint =
      settings.stateSecret === undefined
        ? ' No stateSecret is set, so only the process that suspended it can resume it.'
        : ''
    throw new ResumeError(
      'state-signature',
      `The state was changed, or signed with another secret.${hint}`,
    )
  }
  await checkTools(state, tools)
  checkDecisions(state, decisions)
}

function checkShape(state: unknown): asserts state is RunState {
  const isState =
    typeof state === 'object' &&
    state !== null &&
    'version' in state &&
    state.version === 1 &&
    'signature' in state &&
    typeof state.signature === 'string' &&
    'pending' in state &&
    Array.isArray(state.pending)
  if (isState) return
  const kind =
    typeof state === 'string' ? 'a string; parse it first' : 'no state of a suspended run'
  throw new ResumeError('state-invalid', `What was given is ${kind}.`)
}

async function checkTools(state: RunState, tools: readonly ToolCallback[]): Promise<void> {
  const offered = new Map(tools.map((tool) => [tool.definition.name, tool.definition]))
  for (const [name, hash] of Object.entries(state.tools)) {
    const definition = offered.get(name)
    if (!definition)
      throw new ResumeError('state-tools-changed', `Tool "${name}" is not offered any more.`)
    if ((await definitionHash(definition)) !== hash) {
      throw new ResumeError(
        'state-tools-changed',
        `The definition of tool "${name}" changed since the run was suspended.`,
      )
    }
  }
}

const FITTING: { readonly [kind in PendingCall['kind']]: readonly string[] } = {
  approval: ['approve', 'deny', 'edit'],
  result: ['result', 'deny'],
  question: ['answer', 'deny'],
}

function checkDecisions(state: RunState, decisions: Decisions | undefined): void {
  const entries = Object.entries(decisions ?? {})
  const waiting = state.pending.map((call) => call.callId).join(', ')
  if (entries.length === 0)
    throw new ResumeError('decision-missing', `Nothing was decided. Pending: ${waiting}.`)
  for (const [callId, decision] of entries) {
    const pending = state.pending.find((call) => call.callId === callId)
    if (!pending)
      throw new ResumeError(
        'decision-unknown-call',
        `"${callId}" is not pending. Pending: ${waiting}.`,
      )
    const kind = kindOfDecision(decision)
    if (kind === undefined || !FITTING[pending.kind].includes(kind)) {
      const given = kind ?? (JSON.stringify(decision) as string | undefined) ?? String(decision)
      throw new ResumeError(
        'decision-wrong-kind',
        `Call ${callId} waits for ${pending.kind}; the decision is ${given}.`,
      )
    }
  }
}

function kindOfDecision(decision: Decision): string | undefined {
  if (decision === 'approve') return 'approve'
  if (typeof decision !== 'object' || decision === null) return undefined
  const keys = Object.keys(decision)
  if (keys.length !== 1) return undefined
  return 'deny' in decision && typeof decision.deny !== 'string' ? undefined : keys[0]
}

const hashes = new WeakMap<ToolDefinition, Promise<string>>()

/** Of the whole definition: a changed description or default is another tool. */
function definitionHash(definition: ToolDefinition): Promise<string> {
  let hash = hashes.get(definition)
  if (!hash) {
    hash = crypto.subtle.digest('SHA-256', bytesOf(canonicalJson(definition))).then(base64url)
    hashes.set(definition, hash)
  }
  return hash
}

const keys = new WeakMap<ManagerSettings, ReturnType<typeof crypto.subtle.importKey>>()
let processKey: Uint8Array<ArrayBuffer> | undefined

async function sign(settings: ManagerSettings, unsigned: object): Promise<string> {
  let key = keys.get(settings)
  if (!key) {
    const secret =
      settings.stateSecret === undefined
        ? keyOfProcess(settings.random)
        : bytesOf(settings.stateSecret)
    key = crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
    keys.set(settings, key)
  }
  return base64url(await crypto.subtle.sign('HMAC', await key, bytesOf(canonicalJson(unsigned))))
}

const keyOfProcess = (random: Random): Uint8Array<ArrayBuffer> =>
  (processKey ??= new Uint8Array(random.bytes(32)))

const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(new TextEncoder().encode(text))

const base64url = (buffer: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/[+/=]/g, (c) =>
    c === '+' ? '-' : c === '/' ? '_' : '',
  )

/** Takes as long for a near miss as for a far one. */
function sameText(a: string, b: string): boolean {
  let difference = a.length ^ b.length
  for (let index = 0; index < b.length; index++)
    difference |= a.charCodeAt(index) ^ b.charCodeAt(index)
  return difference === 0
}
