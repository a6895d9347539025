/**
 * Keeps the newest in sight while something grows, but only for a reader who is there: whoever has scrolled up stays where
 * they read.
 */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'

/** Nearer to the end than this is at the end. */
const NEAR_PX = 48

export function useStickToBottom() {
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const sticks = useRef(true)
  const [isAtBottom, setAtBottom] = useState(true)

  const toBottom = useCallback(() => {
    sticks.current = true
    setAtBottom(true)
    const element = scroller.current
    if (element) element.scrollTop = element.scrollHeight
  }, [])

  useEffect(() => {
    const element = scroller.current!
    let lastTop = element.scrollTop
    const onScroll = (): void => {
      const left = element.scrollHeight - element.scrollTop - element.clientHeight
      // What grows below moves the end away from a reader who did not move: only a step up is a wish to stay.
      if (left < NEAR_PX) sticks.current = true
      else if (element.scrollTop < lastTop) sticks.current = false
      lastTop = element.scrollTop
      setAtBottom(sticks.current)
    }
    const follow = new ResizeObserver(() => {
      if (sticks.current) element.scrollTop = element.scrollHeight
    })
    element.addEventListener('scroll', onScroll, { passive: true })
    follow.observe(content.current!)
    follow.observe(element)
    return () => {
      element.removeEventListener('scroll', onScroll)
      follow.disconnect()
    }
  }, [])

  return { scroller, content, isAtBottom, toBottom }
}
