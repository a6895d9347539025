/** The tools as the server last said them. They are loaded again when the news tell that they changed. */
import { useEffect } from 'preact/hooks'
import type { ToolList } from '../../../src/protocol/shown-tool.ts'
import { type ApiError, toApiError } from '../api/api-error.ts'
import { api } from '../api/api.ts'
import { onNews } from '../shell/news.ts'
import { createStore, useStore } from '../shell/store.ts'

export interface ToolListState {
  readonly list?: ToolList
  readonly error?: ApiError
  /** How often other ones were loaded. */
  readonly changes: number
}

const store = createStore<ToolListState>({ changes: 0 })
let loading: Promise<void> | undefined
/** The newest revision that the news told of. */
let wanted = 0

export function useToolList(): ToolListState {
  useEffect(() => {
    if (!store.get().list) void loadTools()
  }, [])
  return useStore(store)
}

export function loadTools(): Promise<void> {
  loading ??= load().finally(() => {
    loading = undefined
    // They changed once more while they were being loaded.
    if (store.get().list && wanted > store.get().list!.revision) void loadTools()
  })
  return loading
}

/** A server that was started again counts its revisions anew, so a smaller one is news too. */
export function hearOfTools(): () => void {
  return onNews((event) => {
    if (event.type !== 'tools' && event.type !== 'hello') return
    const revision = event.type === 'tools' ? event.revision : event.toolsRevision
    wanted = revision
    const { list } = store.get()
    if (list && list.revision !== revision) void loadTools()
  })
}

async function load(): Promise<void> {
  try {
    const list = await api.get<ToolList>('/api/tools')
    store.set(({ list: before, changes }) => ({
      list,
      changes: isNewer(before, list) ? changes + 1 : changes,
    }))
  } catch (thrown) {
    store.set((before) => ({ ...before, error: toApiError(thrown) }))
  }
}

/** Where the newest version could not be loaded, the tools are those from before. */
const isNewer = (before: ToolList | undefined, { revision, problem }: ToolList): boolean =>
  before !== undefined && before.revision !== revision && problem === undefined
