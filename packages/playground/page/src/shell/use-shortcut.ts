/** A key that works anywhere but where a person types. */
import { useEffect, useRef } from 'preact/hooks'

export function useShortcut(key: string, handler: () => void): void {
  const latest = useRef(handler)
  latest.current = handler
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== key || event.ctrlKey || event.metaKey || event.altKey) return
      if (
        event.defaultPrevented ||
        isTyping(event.target) ||
        document.querySelector('dialog[open]')
      )
        return
      event.preventDefault()
      latest.current()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [key])
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest(
    'input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]',
  ) !== null
