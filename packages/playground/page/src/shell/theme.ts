/** Light or dark: as the system has it, unless the person chose. */
import { createStore, useStore } from './store.ts'

export type Theme = 'auto' | 'light' | 'dark'

const THEMES: readonly Theme[] = ['auto', 'light', 'dark']
const KEY = 'toolwright-theme'
const store = createStore<Theme>(kept())

export const useTheme = (): Theme => useStore(store)

export function applyTheme(): void {
  document.documentElement.dataset['theme'] = store.get()
}

export function nextTheme(): void {
  store.set((theme) => THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]!)
  applyTheme()
  try {
    localStorage.setItem(KEY, store.get())
  } catch {
    // Storage may be switched off: then the choice holds until the page is closed.
  }
}

function kept(): Theme {
  try {
    return THEMES.find((theme) => theme === localStorage.getItem(KEY)) ?? 'auto'
  } catch {
    return 'auto'
  }
}
