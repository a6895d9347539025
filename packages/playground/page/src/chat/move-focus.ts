/** Arrows and j/k move the focus through the links or buttons of a list. */
import { movedIndex } from '../parts/moved-index.ts'

const LETTERS = new Map([
  ['j', 'ArrowDown'],
  ['k', 'ArrowUp'],
])

/** Sideways keys are left to what is inside. */
const KEYS = new Set(['ArrowDown', 'ArrowUp', 'Home', 'End'])

export function moveFocus(event: KeyboardEvent, list: HTMLElement, which = 'li > a'): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const key = LETTERS.get(event.key) ?? event.key
  if (!KEYS.has(key)) return
  const items = [...list.querySelectorAll<HTMLElement>(which)]
  const now = items.findIndex(
    (item) =>
      item === document.activeElement || item.parentElement?.contains(document.activeElement),
  )
  const next = movedIndex(key, now, items.length)
  if (next === undefined) return
  event.preventDefault()
  items[next]?.focus()
}
