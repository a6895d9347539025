/** What is decided goes away, with the button that had the focus: then something else gets it. */
import { useEffect, useRef } from 'preact/hooks'

/** `next`: in the order in which they are wanted; the first one that is there gets it. */
export function useFocusWhenFewer(
  count: number,
  next: () => readonly (HTMLElement | null | undefined)[],
): void {
  const before = useRef(count)
  useEffect(() => {
    const isFewer = count < before.current
    before.current = count
    if (!isFewer || document.activeElement !== document.body) return
    next()
      .find((place) => place)
      ?.focus({ preventScroll: true })
  }, [count])
}
