/** State that several parts of the page share, and the hook that reads it. */
import { useLayoutEffect, useReducer, useRef } from 'preact/hooks'

export interface Store<T> {
  get(): T
  set(next: T | ((before: T) => T)): void
  /** Returns what ends the listening. */
  subscribe(listener: () => void): () => void
}

export function createStore<T>(initial: T): Store<T> {
  let state = initial
  const listeners = new Set<() => void>()
  return {
    get: () => state,
    set(next) {
      const after = typeof next === 'function' ? (next as (before: T) => T)(state) : next
      if (Object.is(after, state)) return
      state = after
      for (const listener of [...listeners]) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Renders again only when what was selected is another value. */
export function useStore<T>(store: Store<T>): T
export function useStore<T, Part>(store: Store<T>, select: (state: T) => Part): Part
export function useStore<T, Part>(store: Store<T>, select?: (state: T) => Part): T | Part {
  const [, renderAgain] = useReducer((count: number, _: void) => count + 1, 0)
  const read = () => (select ? select(store.get()) : store.get())
  const selected = read()
  const seen = useRef({ read, selected })
  seen.current = { read, selected }
  useLayoutEffect(() => {
    const compare = () => {
      if (!Object.is(seen.current.read(), seen.current.selected)) renderAgain()
    }
    // It may have changed between rendering and listening.
    compare()
    return store.subscribe(compare)
  }, [store])
  return selected
}
