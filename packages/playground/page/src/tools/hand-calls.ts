/** The calls made by hand in this page, and those that the server still knew when it was loaded. They go on when another view is opened. */
import type { Decision, Json, JsonObject } from 'toolwright'
import type { HandCallEvent } from '../../../src/protocol/hand-call.ts'
import type { CallList, Started } from '../../../src/protocol/routes.ts'
import { toApiError } from '../api/api-error.ts'
import { api } from '../api/api.ts'
import { follow } from '../api/follow.ts'
import { postOnce } from '../api/post-once.ts'
import { createStore, useStore } from '../shell/store.ts'
import { afterCallEvent, type HandCall, newHandCall } from './hand-call.ts'

export interface CallWish {
  readonly tool: string
  readonly input: Json
  readonly context?: JsonObject
}

const KEPT_PER_TOOL = 20
const NONE: readonly HandCall[] = []

/** Of each tool, newest first. */
const store = createStore<{ readonly [tool: string]: readonly HandCall[] }>({})
let made = 0

export const useHandCalls = (tool: string): readonly HandCall[] =>
  useStore(store, (calls) => calls[tool] ?? NONE)

/** Rejects with an `ApiError` if the server does not take the call; then there was none. */
export async function startHandCall(wish: CallWish): Promise<void> {
  made += 1
  const call = newHandCall({ ...wish, number: made, startedAt: Date.now() })
  store.set((calls) => ({
    ...calls,
    [wish.tool]: [call, ...(calls[wish.tool] ?? NONE)].slice(0, KEPT_PER_TOOL),
  }))
  try {
    const { id } = await postOnce<Started>('/api/calls', wish)
    change(call, (before) => ({ ...before, id }))
  } catch (thrown) {
    forget(call)
    throw thrown
  }
}

/** Whoever loads the page again can decide and stop what is open, and has the earlier ones as before. */
export async function takeUpHandCalls(): Promise<void> {
  // Without the list the page is as good as before.
  const { calls: rows } = await api.get<CallList>('/api/calls').catch(() => ({ calls: [] }))
  for (const { id, tool, input, startedAt, end } of rows) {
    const known = store.get()[tool] ?? NONE
    if (known.length >= KEPT_PER_TOOL || known.some((call) => call.id === id)) continue
    made += 1
    const call = newHandCall({ number: made, tool, input, startedAt })
    const ended = end && { end: { type: 'end', ...end } as const, isResultAway: true }
    store.set((calls) => ({ ...calls, [tool]: [...known, { ...call, id, ...ended }] }))
  }
}

/** Browsers open six connections to a server, so a call is followed only while it is shown. */
export function followWhileShown(call: HandCall | undefined): () => void {
  const shown = new AbortController()
  if (call?.id !== undefined && (!call.end || call.isResultAway))
    void followCall(call, call.id, shown.signal)
  return () => shown.abort()
}

export async function decideHandCall(
  call: HandCall,
  callId: string,
  decision: Decision,
): Promise<void> {
  change(call, (before) => ({
    ...before,
    deciding: [...before.deciding, callId],
    refusal: undefined,
  }))
  try {
    await postOnce(`/api/calls/${call.id}/decisions`, { decisions: { [callId]: decision } })
    // Others of the same call may go on waiting.
    change(call, (before) => ({
      ...before,
      deciding: before.deciding.filter((id) => id !== callId),
      pending: before.pending.filter((each) => each.callId !== callId),
    }))
  } catch (thrown) {
    change(call, (before) => ({ ...before, deciding: [], refusal: toApiError(thrown) }))
  }
}

export async function stopHandCall(call: HandCall): Promise<void> {
  change(call, (before) => ({ ...before, isStopping: true }))
  try {
    await api.post(`/api/calls/${call.id}/stop`)
  } catch {
    // It goes on, and may be stopped again.
    change(call, (before) => ({ ...before, isStopping: false }))
  }
}

async function followCall(call: HandCall, id: string, signal: AbortSignal): Promise<void> {
  try {
    await follow<HandCallEvent>(`/api/calls/${id}/events`, {
      onEvent: (event) => change(call, (before) => afterCallEvent(before, event)),
      signal,
      onState: (state) => change(call, (before) => ({ ...before, isLost: state === 'lost' })),
    })
    change(call, (before) =>
      before.end || signal.aborted
        ? before
        : endedBy(before, { code: 'lost', message: 'The server ended the call without a word.' }),
    )
  } catch (thrown) {
    const { code, message } = toApiError(thrown)
    change(call, (before) => endedBy(before, { code, message }))
  }
}

const endedBy = (
  call: HandCall,
  error: { readonly code: string; readonly message: string },
): HandCall => ({
  ...call,
  pending: [],
  isLost: false,
  end: { type: 'end', status: 'failed', error, durationMs: Date.now() - call.startedAt },
})

function change({ tool, number }: HandCall, after: (before: HandCall) => HandCall): void {
  store.set((calls) => ({
    ...calls,
    [tool]: (calls[tool] ?? NONE).map((each) => (each.number === number ? after(each) : each)),
  }))
}

function forget({ tool, number }: HandCall): void {
  store.set((calls) => ({
    ...calls,
    [tool]: (calls[tool] ?? NONE).filter((each) => each.number !== number),
  }))
}
