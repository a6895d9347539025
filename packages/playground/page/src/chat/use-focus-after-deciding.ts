/** Where the focus goes in a chat when a call was decided: to the next one that waits, or the card of the call. */
import { useRef } from 'preact/hooks'
import { useFocusWhenFewer } from '../parts/use-focus-when-fewer.ts'
import type { Decider } from './decider.ts'

/** Returns what is to be called when a person decides, while the button still has the focus. */
export function useFocusAfterDeciding({ pending, chosen }: Decider): () => void {
  const card = useRef<Element | null>(null)
  const open = pending.length - Object.keys(chosen).length
  // Fewer are open when one is chosen, and fewer are pending when what was chosen was sent.
  useFocusWhenFewer(open + pending.length, () => [
    document.querySelector<HTMLElement>('.pending-card:not([hidden]) button'),
    document.querySelector<HTMLElement>('.decision-bar .button-primary'),
    card.current?.querySelector<HTMLElement>('summary'),
    document.querySelector<HTMLElement>('.thread-scroll'),
  ])
  return () => {
    card.current = document.activeElement?.closest('.call') ?? card.current
  }
}
