/** What the server says of itself once. */
import type { Session } from '../../../src/protocol/routes.ts'
import { ApiError, toApiError } from '../api/api-error.ts'
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
    store.set((before) => ({ ...before, error: inWords(toApiError(thrown)) }))
  }
}

/** The token is that of another start, which a person can only know from what was printed. */
const inWords = (error: ApiError): ApiError =>
  error.status === 401
    ? new ApiError(401, {
        code: error.code,
        message: 'The server was started anew, or has ended. Open the address that it printed.',
      })
    : error

export const useSession = (): Session | undefined => useStore(store, ({ session }) => session)
export const useSessionError = (): ApiError | undefined => useStore(store, ({ error }) => error)
