/** Loads earlier messages when the reader comes near the first, and leaves in place what they read. */
import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'

export interface EarlierOptions {
  readonly scroller: RefObject<HTMLDivElement | null>
  /** The number of the first message that is there. */
  readonly from: number
  readonly load: () => void
}

/** Put on what stands above the messages. */
export function useEarlier({
  scroller,
  from,
  load,
}: EarlierOptions): RefObject<HTMLDivElement | null> {
  const top = useRef<HTMLDivElement>(null)
  const heightBefore = useRef(0)
  const latest = useRef(load)
  latest.current = load

  useEffect(() => {
    if (from === 0) return
    const watch = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return
        heightBefore.current = scroller.current!.scrollHeight - scroller.current!.scrollTop
        latest.current()
      },
      { root: scroller.current, rootMargin: '400px 0px 0px 0px' },
    )
    watch.observe(top.current!)
    return () => watch.disconnect()
  }, [from])

  const shownFrom = useRef(from)
  useLayoutEffect(() => {
    const element = scroller.current!
    if (from < shownFrom.current && heightBefore.current > 0) {
      // The browser would keep the place too, and both together would jump.
      element.style.overflowAnchor = 'none'
      element.scrollTop = element.scrollHeight - heightBefore.current
      requestAnimationFrame(() => element.style.removeProperty('overflow-anchor'))
    }
    shownFrom.current = from
    heightBefore.current = 0
  }, [from])
  return top
}
