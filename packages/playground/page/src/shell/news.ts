/** Hears what every open page hears of. */
import type { NewsEvent } from '../../../src/protocol/news.ts'
import { follow } from '../api/follow.ts'
import { loadSession } from './session.ts'
import { createStore, useStore } from './store.ts'

export interface NewsState {
  readonly connection: 'connecting' | 'open' | 'lost' | 'refused'
  /** How many calls wait for a decision. */
  readonly waiting: number
  /** 0: not known yet. */
  readonly toolsRevision: number
}

/** A browser holds six connections to one server, of all its tabs: those nobody looks at give theirs up. */
const HIDDEN_MS = 3_000

const store = createStore<NewsState>({ connection: 'connecting', waiting: 0, toolsRevision: 0 })
const listeners = new Set<(event: NewsEvent) => void>()

export const useNews = (): NewsState => useStore(store)

/** Returns what ends the listening. */
export function onNews(listener: (event: NewsEvent) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function startNews(): void {
  let listening: AbortController | undefined
  let hiding: ReturnType<typeof setTimeout> | undefined
  const listen = () => {
    if (listening) return
    listening = new AbortController()
    void followNews(listening.signal)
  }
  const stop = () => {
    listening?.abort()
    listening = undefined
  }
  document.addEventListener('visibilitychange', () => {
    clearTimeout(hiding)
    if (document.hidden) hiding = setTimeout(stop, HIDDEN_MS)
    else listen()
  })
  listen()
}

async function followNews(signal: AbortSignal): Promise<void> {
  try {
    await follow<NewsEvent>('/api/news', {
      endless: true,
      signal,
      onEvent: take,
      onState(connection) {
        // Another server may have taken the place of the lost one.
        if (connection === 'open' && store.get().connection === 'lost') void loadSession()
        store.set((before) => ({ ...before, connection }))
      },
    })
  } catch {
    // The session is refused too, and says why.
    store.set((before) => ({ ...before, connection: 'refused' }))
    void loadSession()
  }
}

function take(event: NewsEvent): void {
  store.set((before) => afterNews(before, event))
  for (const listener of [...listeners]) listener(event)
}

function afterNews(before: NewsState, event: NewsEvent): NewsState {
  switch (event.type) {
    case 'hello':
      return { ...before, waiting: event.waiting, toolsRevision: event.toolsRevision }
    case 'tools':
      return { ...before, toolsRevision: event.revision }
    case 'inbox':
      return { ...before, waiting: event.waiting }
    default:
      return before
  }
}
