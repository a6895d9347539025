/** What is decided goes away, with the button that had the focus: then the next one gets it, or the thread. */
import { useEffect, useRef } from 'preact/hooks'
import type { Decider } from './decider.ts'

export function useFocusAfterDeciding({ pending, chosen }: Decider): void {
  const open = pending.length - Object.keys(chosen).length
  const before = useRef(open)
  useEffect(() => {
    const isFewer = open < before.current
    before.current = open
    if (!isFewer || document.activeElement !== document.body) return
    const next =
      document.querySelector<HTMLElement>('.pending-card button') ??
      document.querySelector<HTMLElement>('.thread-scroll')
    next?.focus({ preventScroll: true })
  }, [open])
}
