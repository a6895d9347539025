/**
 * A run between two processes: sealed into signed JSON when it suspends, opened and checked when it
 * resumes. Nothing is used up here; that happens once every decision was found good. Loaded with the first
 * suspension or resume.
 */
import { ResumeError } from '../errors/errors.ts'
import { base64 } from '../internal/base64.ts'
import { canonicalJson } from '../internal/canonical-json.ts'
import type { Json } from '../messages/json.ts'
import type { Decisions, PendingCall, RunProgress, RunState } from '../messages/run-state.ts'
import type { ToolCallback } from '../tools/tool-callback.ts'
import type { RunSettings } from '../run/run-settings.ts'

export interface Suspending {
  readonly progress: RunProgress
  readonly runId: string
  readonly conversation?: Json
  readonly tools: readonly ToolCallback[]
}

export async function sealState(
  settings: RunSettings,
  { progress, tools, runId, conversation }: Suspending,
): Promise<RunState> {
  const sign = await signer(settings)
  // Of the whole definition: a changed description or default is another tool.
  const hashed = tools.map(async ({ definition }) => [definition.name, await sign(definition)])
  const unsigned = {
    ...progress,
    version: 1 as const,
    id: settings.ids.next('state'),
    runId,
    conversation,
    tools: Object.fromEntries(await Promise.all(hashed)) as RunState['tools'],
  }
  // Through JSON once, so that what the caller holds is what was signed.
  const plain = JSON.parse(JSON.stringify(unsigned)) as typeof unsigned
  return { ...plain, signature: await sign(plain) }
}

export interface Resuming {
  readonly state: RunState
  readonly decisions: Decisions
  readonly tools: readonly ToolCallback[]
  /** The conversation that the resuming request names, if any. It must be the run's. */
  readonly conversation?: Json | undefined
}

/** Rejects a state that is malformed, altered, signed by another key, made with other tools, or decided wrongly. */
export async function openState(settings: RunSettings, resuming: Resuming): Promise<void> {
  const { state, decisions, tools, conversation } = resuming
  const { signature, ...unsigned } = (state ?? {}) as Partial<RunState>
  const { version, pending } = unsigned
  if (version !== 1 || typeof signature !== 'string' || !Array.isArray(pending))
    throw new ResumeError('state-invalid', 'This is no state.')
  const sign = await signer(settings)
  // Compared as signatures of themselves: the time it takes tells nothing about them.
  if ((await sign([signature])) !== (await sign([await sign(unsigned)]))) {
    const hint = settings.stateSecret === undefined ? ' No stateSecret is set.' : ''
    throw new ResumeError(
      'state-signature',
      `The state was changed, or signed with another secret.${hint}`,
    )
  }
  for (const [name, hash] of Object.entries(state.tools)) {
    const offered = tools.find(({ definition }) => definition.name === name)
    if (!offered || (await sign(offered.definition)) !== hash)
      throw new ResumeError('state-tools-changed', `Tool "${name}" changed or is not offered.`)
  }
  if (
    conversation !== undefined &&
    canonicalJson([conversation]) !== canonicalJson([state.conversation])
  )
    throw new ResumeError(
      'state-invalid',
      'The state belongs to another conversation than the request names.',
    )
  checkDecisions(state, decisions)
}

/** Each state is good for one resume. */
export async function useUp({ runStore }: RunSettings, { id }: RunState): Promise<void> {
  if (!(await runStore.use(id)))
    throw new ResumeError('state-used', 'This state was resumed before.')
}

const FITTING: { readonly [kind in PendingCall['kind']]: readonly string[] } = {
  approval: ['approve', 'deny', 'edit'],
  result: ['result', 'deny'],
  question: ['answer', 'deny'],
}

function checkDecisions(state: RunState, decisions: Decisions | undefined): void {
  const entries = Object.entries(decisions ?? {})
  if (entries.length === 0) throw new ResumeError('decision-missing', 'Nothing was decided.')
  for (const [callId, decision] of entries) {
    const pending = state.pending.find((call) => call.callId === callId)
    if (!pending) throw new ResumeError('decision-unknown-call', `"${callId}" is not pending.`)
    const kind = decision === 'approve' ? decision : Object.keys(decision ?? {}).join()
    const { deny = '' } = Object(decision) as { readonly deny?: unknown }
    if (!FITTING[pending.kind].includes(kind) || typeof deny !== 'string')
      throw new ResumeError('decision-wrong-kind', `"${callId}" waits for ${pending.kind}.`)
  }
}

let processKey: Uint8Array | undefined

async function signer(settings: RunSettings): Promise<(value: object) => Promise<string>> {
  const { stateSecret, random } = settings
  const secret = stateSecret === undefined ? (processKey ??= random.bytes(32)) : utf8(stateSecret)
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', secret as Uint8Array<ArrayBuffer>, hmac, false, [
    'sign',
  ])
  return async (value) =>
    base64(new Uint8Array(await crypto.subtle.sign('HMAC', key, utf8(canonicalJson(value)))))
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
