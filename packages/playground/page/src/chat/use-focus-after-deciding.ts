/** What is decided goes away, with the button that had the focus: then the next one gets it, or the card of the call. */
import { useEffect, useRef } from 'preact/hooks'
import type { Decider } from './decider.ts'

/** Returns what is to be called when a person decides, while the button still has the focus. */
export function useFocusAfterDeciding({ pending, chosen }: Decider): () => void {
  const open = pending.length - Object.keys(chosen).length
  const before = useRef({ open, pending: pending.length })
  const card = useRef<Element | null>(null)
  useEffect(() => {
    const isFewer = open < before.current.open || pending.length < before.current.pending
    before.current = { open, pending: pending.length }
    if (!isFewer || document.activeElement !== document.body) return
    const next =
      document.querySelector<HTMLElement>('.pending-card:not([hidden]) button') ??
      document.querySelector<HTMLElement>('.decision-bar .button-primary') ??
      card.current?.querySelector<HTMLElement>('summary') ??
      document.querySelector<HTMLElement>('.thread-scroll')
    next?.focus({ preventScroll: true })
  }, [open, pending.length])
  return () => {
    card.current = document.activeElement?.closest('.call') ?? card.current
  }
}
