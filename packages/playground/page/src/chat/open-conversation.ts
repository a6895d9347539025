/**
 * A conversation that is open in this page: its messages, the turns that went by since, the one that runs. It follows the
 * turn whoever started it, this page or another one, and starts, decides and stops what a person wants.
 */
import type { Decisions } from 'toolwright'
import type {
  ConversationPage,
  ConversationRow,
  TurnEvent,
} from '../../../src/protocol/conversation.ts'
import type { NewsEvent } from '../../../src/protocol/news.ts'
import { toApiError, type ApiError } from '../api/api-error.ts'
import { api } from '../api/api.ts'
import { follow, type FollowState } from '../api/follow.ts'
import { onNews } from '../shell/news.ts'
import { createStore } from '../shell/store.ts'
import { wasBegunHere } from './begun-here.ts'
import { byFrame } from './by-frame.ts'
import {
  lastQuestion,
  NO_MESSAGES,
  withEarlier,
  withNewest,
  withoutLastTurn,
  type MessageWindow,
} from './message-window.ts'
import { postOnce } from '../api/post-once.ts'
import { afterEvents, NO_TURN, type TurnState } from './turn-state.ts'

export interface ConversationState {
  readonly load: 'loading' | 'ready' | 'missing' | 'deleted'
  readonly row?: ConversationRow
  readonly window: MessageWindow
  /** Turns that ended well while the page looked on, with more about them than their messages have. */
  readonly past: readonly TurnState[]
  /** What is left of a turn that went wrong: its question, or the answer that it was to replace. */
  readonly left?: 'question' | 'answer'
  readonly isLoadingEarlier: boolean
  readonly connection: FollowState
  /** Something a person asked for is on its way to the server. */
  readonly isSending: boolean
  /** Why the last wish was not granted. */
  readonly error?: ApiError
}

/** A browser holds few connections to one server: a page that nobody looks at gives its own up, and none follows a turn that waits. */
const HIDDEN_MS = 3_000

export class OpenConversation {
  readonly #path: string
  readonly #id: string
  readonly #closing = new AbortController()
  #following: AbortController | undefined
  /** Whether the last turn was to replace an answer. Not known of those that other pages started. */
  #replaces: boolean | undefined
  /** What is shown again if the answer is not replaced. */
  #replaced: Pick<ConversationState, 'past' | 'window'> | undefined

  readonly state = createStore<ConversationState>({
    load: 'loading',
    window: NO_MESSAGES,
    past: [],
    isLoadingEarlier: false,
    connection: 'open',
    isSending: false,
  })
  /** The turn that runs or waits, or the last one if it went wrong. Apart, because it changes with every word. */
  readonly turn = createStore<TurnState | undefined>(undefined)

  constructor(id: string) {
    this.#id = id
    this.#path = `/api/conversations/${encodeURIComponent(id)}`
  }

  /** Returns what closes it. */
  open(): () => void {
    const endNews = onNews((event) => this.#hear(event))
    let hiding: ReturnType<typeof setTimeout> | undefined
    const onVisibility = (): void => {
      clearTimeout(hiding)
      if (document.hidden) hiding = setTimeout(() => this.#following?.abort(), HIDDEN_MS)
      else this.#followOn()
    }
    document.addEventListener('visibilitychange', onVisibility)
    void this.#loadFirst()
    return () => {
      endNews()
      clearTimeout(hiding)
      document.removeEventListener('visibilitychange', onVisibility)
      this.#closing.abort()
      this.#following?.abort()
    }
  }

  /** What the server still tells of a turn is more than its messages: how long it took, or that it went wrong. */
  async #loadFirst(): Promise<void> {
    const isBegunHere = wasBegunHere(this.#id)
    await this.load((page) => {
      const { row, messages, from } = page
      const isFirst = from === 0 && messages.filter(({ role }) => role === 'user').length === 1
      return row.status === 'idle' && (messages.length === 0 || (isBegunHere && isFirst))
    })
  }

  /** `isTold`: that all messages are those of a turn whose events tell more. */
  async load(isTold = (_: ConversationPage): boolean => false): Promise<void> {
    try {
      const page = await api.get<ConversationPage>(this.#path, { signal: this.#closing.signal })
      const follows = isTold(page)
      this.#show(follows ? { ...page, messages: [] } : page)
      if (follows || page.row.status !== 'idle') this.#follow()
    } catch (thrown) {
      const error = toApiError(thrown)
      if (error.code === 'stopped') return
      this.#set({ error, load: error.status === 404 ? 'missing' : 'ready' })
    }
  }

  async loadEarlier(): Promise<void> {
    const { window, isLoadingEarlier } = this.state.get()
    if (isLoadingEarlier || window.from === 0) return
    this.#set({ isLoadingEarlier: true })
    await this.#wish(async () => {
      const page = await api.get<ConversationPage>(`${this.#path}?before=${window.from}`)
      this.state.set((now) => ({ ...now, window: withEarlier(now.window, page) }))
    })
    this.#set({ isLoadingEarlier: false })
  }

  /** Whether it was started. */
  send(text: string, model: string): Promise<boolean> {
    return this.#start('turns', { text, model }, () => {
      this.#replaces = false
      this.#replaced = undefined
    })
  }

  /** The last question is asked again. What was answered to it comes back if that goes wrong. */
  regenerate(model: string): Promise<boolean> {
    return this.#start('regenerate', { model }, () => {
      const { past, window } = this.state.get()
      this.#replaces = true
      this.#replaced = { past, window }
      if (past.length > 0) this.#set({ past: past.slice(0, -1) })
      else this.state.set((now) => ({ ...now, window: withoutLastTurn(now.window) }))
    })
  }

  async decide(decisions: Decisions): Promise<void> {
    await this.#sending(() => postOnce(`${this.#path}/decisions`, { decisions }).catch(unlessTold))
    this.#followOn()
  }

  async stop(): Promise<void> {
    if (!isOpen(this.turn.get())) return
    await this.#wish(() => api.post(`${this.#path}/stop`))
    this.#followOn()
  }

  dismissError(): void {
    this.#set({ error: undefined })
  }

  /** What the last turn asked, wherever it is kept. */
  lastQuestion(): string {
    const { past, window } = this.state.get()
    return this.turn.get()?.question ?? past.at(-1)?.question ?? lastQuestion(window.messages)
  }

  async #start(what: string, body: object, onStarted: () => void): Promise<boolean> {
    const isStarted = await this.#sending(() => postOnce(`${this.#path}/${what}`, body))
    if (isStarted) {
      onStarted()
      this.#settle()
      this.#set({ left: undefined })
      this.turn.set(undefined)
      this.#follow()
    } else if (this.state.get().error?.status === 409) {
      // Another page was faster: what it started is shown here too.
      void this.load()
    }
    return isStarted
  }

  #hear(event: NewsEvent): void {
    const { load, isSending } = this.state.get()
    if (load === 'loading' || load === 'deleted') return
    if (event.type === 'conversation-deleted' && event.id === this.#id) {
      this.#following?.abort()
      this.#set({ load: 'deleted' })
    }
    // The news were lost for a while, and with them whatever other pages did.
    if (event.type === 'hello' && !this.#isFollowing && !isSending) void this.load()
    if (event.type !== 'conversation' || event.row.id !== this.#id) return
    this.#set({ row: event.row })
    if (this.#isFollowing || isSending) return
    // Somebody has decided what this page left waiting.
    if (this.turn.get()?.phase === 'waiting') this.#followOn()
    else if (event.row.status === 'running') void this.load()
  }

  get #isFollowing(): boolean {
    return this.#following !== undefined && !this.#following.signal.aborted
  }

  /** The messages as they are now. All turns that are over are among them, but for one that went wrong. */
  #show(page: ConversationPage): void {
    this.state.set((now) => ({
      ...now,
      load: 'ready',
      row: page.row,
      ...(!isKnown(now.past, page.row) && { window: withNewest(now.window, page), past: [] }),
    }))
    // One that went wrong is shown until another begins; one whose end was missed is among the messages now.
    const isOver = page.row.status === 'idle'
    if (isOpen(this.turn.get()) !== isOver) return
    this.turn.set(undefined)
    // The end that may still be on its way is no news then.
    this.#following?.abort()
  }

  #follow(): void {
    if (this.#isFollowing || this.#closing.signal.aborted) return
    const following = new AbortController()
    this.#following = following
    const { signal } = following
    void this.#followTurn(signal)
      .catch((thrown: unknown) => this.#refused(toApiError(thrown)))
      .finally(() => following.abort())
  }

  /** What happened in an open turn since it was followed last. */
  #followOn(): void {
    if (isOpen(this.turn.get())) this.#follow()
  }

  #refused(error: ApiError): void {
    const isForgotten = error.code === 'no-turn'
    this.#set({ connection: 'open', ...(!isForgotten && { error }) })
    // It ended while nobody here followed it, and is among the messages now.
    if (isForgotten && isOpen(this.turn.get())) void this.load()
  }

  async #followTurn(signal: AbortSignal): Promise<void> {
    const frames = byFrame<TurnEvent>((events) => {
      if (signal.aborted) return
      this.turn.set((now) => afterEvents(now ?? NO_TURN, events))
      if (events.some(isEnd)) this.#ended()
    })
    await follow<TurnEvent>(`${this.#path}/events?until=waiting`, {
      after: this.turn.get()?.seq,
      onEvent: frames.take,
      onState: (connection) => this.#set({ connection }),
      signal,
    })
    // Whatever is heard next comes after the end of the turn.
    frames.flush()
  }

  #ended(): void {
    const turn = this.turn.get()!
    const replaces = this.#replaces
    const replaced = this.#replaced
    this.#replaces = undefined
    this.#replaced = undefined
    if (turn.end?.status === 'done' || turn.end?.status === 'limit') return this.#settle()
    if (replaces !== undefined) this.#set({ ...replaced, left: leftOf(replaces) })
    void this.#lose(turn, replaces)
  }

  async #lose(turn: TurnState, replaces: boolean | undefined): Promise<void> {
    // Whether the answer before is still there is known to the server alone.
    await this.load()
    if (replaces !== undefined || this.turn.get() !== turn) return
    this.#set({ left: leftOf(lastQuestion(this.state.get().window.messages) === turn.question) })
  }

  /** A turn that ended well is of the past, and stays as it is. */
  #settle(): void {
    const turn = this.turn.get()
    if (turn?.end?.status !== 'done' && turn?.end?.status !== 'limit') return
    this.state.set((now) => ({ ...now, past: [...now.past, turn] }))
    this.turn.set(undefined)
  }

  async #sending(work: () => Promise<unknown>): Promise<boolean> {
    this.#set({ isSending: true })
    const isDone = await this.#wish(work)
    this.#set({ isSending: false })
    return isDone
  }

  async #wish(work: () => Promise<unknown>): Promise<boolean> {
    this.#set({ error: undefined })
    try {
      await work()
      return true
    } catch (thrown) {
      this.#set({ error: toApiError(thrown) })
      return false
    }
  }

  #set(change: Partial<ConversationState>): void {
    this.state.set((now) => ({ ...now, ...change }))
  }
}

/** Decisions that do not fit are told by the turn, where they were made. */
function unlessTold(thrown: unknown): void {
  if (toApiError(thrown).status !== 422) throw thrown
}

const leftOf = (replaces: boolean): ConversationState['left'] => (replaces ? 'answer' : 'question')

/** Nothing was kept since the last turn that the page followed to its end. */
const isKnown = (past: readonly TurnState[], { status, changedAt }: ConversationRow): boolean =>
  status === 'idle' && past.length > 0 && changedAt <= past.at(-1)!.end!.at

const isEnd = (event: TurnEvent): boolean => event.type === 'end'

export const isOpen = (turn: TurnState | undefined): boolean =>
  turn !== undefined && turn.phase !== 'over'
