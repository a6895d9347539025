/** What is decided goes away, with the button that had the focus: then something else gets it. */
import { useEffect, useRef } from 'preact/hooks'

export function useFocusWhenFewer(count: number, next: () => HTMLElement | null | undefined): void {
  const before = useRef(count)
  useEffect(() => {
    const isFewer = count < before.current
    before.current = count
    if (isFewer && document.activeElement === document.body) next()?.focus({ preventScroll: true })
  }, [count])
}
