/**
 * What is shown of a turn, made of its events. Pure: the same events give the same turn in every tab. What an event does
 * not touch keeps its identity, so that only what changed is drawn again.
 */
import type { ShownAssistantPart, TurnEvent } from '../../../src/protocol/conversation.ts'
import type {
  RefusedDecision,
  ShownContent,
  ShownPending,
} from '../../../src/protocol/shown-content.ts'

export interface TurnState {
  /** The number of the last event. 0: there was none. */
  readonly seq: number
  /** Its id; empty before it has started. */
  readonly turn: string
  readonly question: string
  readonly model: string
  readonly startedAt: number
  readonly items: readonly TurnItem[]
  /** Which call each call was made by; `undefined` for those that the model made. */
  readonly parents: ReadonlyMap<string, string | undefined>
  /** What waits now. While decisions are on their way it is what they have left. */
  readonly pending: readonly ShownPending[]
  /** Why the last decisions were not taken. */
  readonly refused?: RefusedDecision
  /** All that waited when it was last said, for decisions that turn out not to fit. */
  readonly asked: readonly ShownPending[]
  readonly phase: 'running' | 'waiting' | 'over'
  readonly end?: TurnEnd
}

export type TurnEnd = Extract<TurnEvent, { type: 'end' }>

/** `key`: the number of the event that it began with. */
export type TurnItem = { readonly key: number } & (
  | { readonly type: 'text' | 'reasoning'; readonly text: string }
  | { readonly type: 'part'; readonly part: Exclude<ShownAssistantPart, { type: 'call' }> }
  | { readonly type: 'call'; readonly call: CallState }
  | { readonly type: 'notice'; readonly code: string; readonly message: string }
)

export interface CallState {
  readonly id: string
  readonly name: string
  readonly arguments: string
  /** Its arguments are all there. */
  readonly isComplete: boolean
  readonly startedAt: number
  /** When it was last run: waiting for a decision is no part of how long it took. */
  readonly ranAt?: number
  readonly endedAt?: number
  /** The newest it reported. */
  readonly progress?: ShownContent
  readonly result?: ShownContent
  readonly status?: 'done' | 'failed' | 'denied'
  /** What a person decided about it, in a word. */
  readonly decided?: string
  /** Those that its tool made. */
  readonly calls: readonly CallState[]
}

export const NO_TURN: TurnState = {
  seq: 0,
  turn: '',
  question: '',
  model: '',
  startedAt: 0,
  items: [],
  parents: new Map(),
  pending: [],
  asked: [],
  phase: 'running',
}

export const afterEvents = (state: TurnState, events: readonly TurnEvent[]): TurnState =>
  events.reduce(afterEvent, state)

/** An event that is known already changes nothing; a start begins anew, also of the same turn when it is told again. */
export function afterEvent(state: TurnState, event: TurnEvent): TurnState {
  const isKnown = event.seq <= state.seq
  if (event.type === 'start') return isKnown && event.turn === state.turn ? state : started(event)
  if (isKnown) return state
  return { ...changed(state, event), seq: event.seq }
}

const started = ({ seq, at, turn, text, model }: TurnEvent & { type: 'start' }): TurnState => ({
  ...NO_TURN,
  seq,
  turn,
  question: text,
  model,
  startedAt: at,
})

function changed(state: TurnState, event: Exclude<TurnEvent, { type: 'start' }>): TurnState {
  const { seq, at } = event
  switch (event.type) {
    case 'round':
      return state
    case 'text':
    case 'reasoning':
      return withText(state, event)
    case 'part':
      return withItem(state, { key: seq, type: 'part', part: event.part })
    case 'notice':
      return withItem(state, { key: seq, type: 'notice', code: event.code, message: event.message })
    case 'call-start':
      return withNewCall(state, event, { isComplete: false, arguments: '' })
    case 'call':
      return state.parents.has(event.id)
        ? withCall(state, event.id, { arguments: event.arguments, isComplete: true })
        : withNewCall(state, event, { isComplete: true, arguments: event.arguments })
    case 'call-arguments':
      return withCall(state, event.id, (call) => ({ arguments: call.arguments + event.delta }))
    case 'call-run':
      return withCall(state, event.id, { ranAt: at })
    case 'call-progress':
      return withCall(state, event.id, { progress: event.value })
    case 'call-result':
      return withCall(state, event.id, {
        result: event.content,
        status: event.status,
        endedAt: at,
      })
    case 'pending':
      return withPending(state, event.pending)
    case 'resumed':
      return resumed(state, event.decided)
    case 'decision-refused':
      return { ...withPending(state, state.asked), refused: event.error }
    case 'end':
      return { ...state, phase: 'over', end: event, pending: [], refused: undefined }
  }
}

const withItem = (state: TurnState, item: TurnItem): TurnState => ({
  ...state,
  items: [...state.items, item],
})

/** Pieces of one kind in a row are one text. */
function withText(
  state: TurnState,
  { type, text, seq }: TurnEvent & { type: 'text' | 'reasoning' },
): TurnState {
  const last = state.items.at(-1)
  if (last?.type !== type) return withItem(state, { key: seq, type, text })
  return { ...state, items: [...state.items.slice(0, -1), { ...last, text: last.text + text }] }
}

function withNewCall(
  state: TurnState,
  { id, name, parentId, seq, at }: TurnEvent & { type: 'call-start' | 'call' },
  given: Pick<CallState, 'arguments' | 'isComplete'>,
): TurnState {
  if (state.parents.has(id)) return state
  // A call whose parent nobody has seen stands by itself rather than nowhere.
  const parent = parentId !== undefined && state.parents.has(parentId) ? parentId : undefined
  const known = { ...state, parents: new Map([...state.parents, [id, parent]]) }
  const call: CallState = { id, name, ...given, startedAt: at, calls: [] }
  return parent === undefined
    ? withItem(known, { key: seq, type: 'call', call })
    : withCall(known, parent, (around) => ({ calls: [...around.calls, call] }))
}

type Change = Partial<CallState> | ((call: CallState) => Partial<CallState>)

function withCall(state: TurnState, id: string, change: Change): TurnState {
  if (!state.parents.has(id)) return state
  const [outermost, ...inner] = pathTo(state.parents, id)
  const items = state.items.map((item) =>
    item.type === 'call' && item.call.id === outermost
      ? { ...item, call: changedCall(item.call, inner, change) }
      : item,
  )
  return { ...state, items }
}

function changedCall(
  call: CallState,
  [next, ...rest]: readonly string[],
  change: Change,
): CallState {
  if (next === undefined)
    return { ...call, ...(typeof change === 'function' ? change(call) : change) }
  const calls = call.calls.map((inner) =>
    inner.id === next ? changedCall(inner, rest, change) : inner,
  )
  return { ...call, calls }
}

function pathTo(parents: TurnState['parents'], id: string): readonly string[] {
  const parent = parents.get(id)
  return parent === undefined ? [id] : [...pathTo(parents, parent), id]
}

const withPending = (state: TurnState, pending: readonly ShownPending[]): TurnState => ({
  ...state,
  pending,
  asked: pending,
  refused: undefined,
  phase: pending.length > 0 ? 'waiting' : 'running',
})

function resumed(state: TurnState, decided: { readonly [callId: string]: string }): TurnState {
  const told = Object.entries(decided).reduce(
    (now, [id, word]) => withCall(now, id, { decided: word }),
    state,
  )
  const pending = state.pending.filter(({ callId }) => !Object.hasOwn(decided, callId))
  return { ...told, pending, refused: undefined, phase: 'running' }
}
