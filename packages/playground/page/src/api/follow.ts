/**
 * Follows events of the server. A lost connection is opened again, later each time, and goes on after the last event that
 * came. EventSource cannot do it: it sends no token, and does not tell an end from a loss.
 */
import { ApiError } from './api-error.ts'
import { fetchFromServer } from './api.ts'
import { EventLines } from './event-lines.ts'

export type FollowState = 'open' | 'lost'

export interface FollowOptions<T> {
  readonly onEvent: (event: T) => void
  readonly onState?: (state: FollowState) => void
  readonly signal?: AbortSignal
  /** The number of the last event that is known. Default: none is. */
  readonly after?: number
  /** The events never end, and each connection begins anew: an end is a loss too. */
  readonly endless?: boolean
}

const FIRST_PAUSE_MS = 300
const LONGEST_PAUSE_MS = 10_000

/** Resolves when the server has ended the events, or when the signal is aborted. Rejects if the server refuses. */
export async function follow<T extends { readonly seq: number }>(
  path: string,
  options: FollowOptions<T>,
): Promise<void> {
  const { onState, signal, endless = false } = options
  let last = options.after ?? 0
  let pause = FIRST_PAUSE_MS
  const take = (event: T) => {
    pause = FIRST_PAUSE_MS
    if (!endless && event.seq <= last) return
    last = event.seq
    options.onEvent(event)
  }
  while (!signal?.aborted) {
    const end = await connect(endless ? path : afterEvent(path, last), {
      ...options,
      onEvent: take,
    })
    if (signal?.aborted || (end === 'ended' && !endless)) return
    onState?.('lost')
    await sleep(pause, signal)
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
  }
}

async function connect<T>(
  path: string,
  { onEvent, onState, signal }: FollowOptions<T>,
): Promise<'ended' | 'lost'> {
  try {
    const response = await fetchFromServer(path, {
      signal,
      headers: { accept: 'text/event-stream' },
    })
    onState?.('open')
    const lines = new EventLines()
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return 'ended'
      for (const data of lines.push(value)) onEvent(JSON.parse(data) as T)
    }
  } catch (thrown) {
    // Whoever is refused once is refused again; whatever else went wrong may pass.
    if (thrown instanceof ApiError && thrown.status >= 400 && thrown.status < 500) throw thrown
    return 'lost'
  }
}

const afterEvent = (path: string, last: number): string =>
  `${path}${path.includes('?') ? '&' : '?'}after=${last}`

const sleep = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(done, ms)
    signal?.addEventListener('abort', done, { once: true })
    function done() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
  })
