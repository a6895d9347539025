/** What the server says of itself once. */
import type { Session } from '../../../src/protocol/routes.ts'
import { type ApiError, toApiError } from '../api/api-error.ts'
import { api } from '../api/api.ts'
import { createStore, useStore } from './store.ts'

interface SessionState {
  readonly session?: Session
  readonly error?: ApiError
}

const store = createStore<SessionState>({})

export async function loadSession(): Promise<void> {
  try {
    store.set({ session: await api.get<Session>('/api/session') })
  } catch (thrown) {
    store.set((before) => ({ ...before, error: toApiError(thrown) }))
  }
}

export const useSession = (): Session | undefined => useStore(store, ({ session }) => session)
export const useSessionError = (): ApiError | undefined => useStore(store, ({ error }) => error)
