/** Loads earlier messages when the reader comes near the first, and leaves in place what they read. */
import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'

export interface EarlierOptions {
  readonly scroller: RefObject<HTMLDivElement | null>
  /** The number of the first message that is there. */
  readonly from: number
  readonly isLoading: boolean
  readonly load: () => void
}

/** Nearer to the first message than this, those before it are wanted. */
const NEAR_PX = 400

export function useEarlier({ scroller, from, isLoading, load }: EarlierOptions): void {
  const latest = useRef(load)
  latest.current = load
  useEffect(() => {
    if (from === 0 || isLoading) return
    const element = scroller.current!
    const look = (): void => {
      const isLong = element.scrollHeight > element.clientHeight
      if (isLong && element.scrollTop < NEAR_PX) latest.current()
    }
    element.addEventListener('scroll', look, { passive: true })
    return () => element.removeEventListener('scroll', look)
  }, [from, isLoading])
  useKeptPlace(scroller, from)
}

/** What is out of sight has a guessed height: it is known some frames after it was put there. */
const FRAMES_TO_SETTLE = 4

function useKeptPlace(scroller: EarlierOptions['scroller'], from: number): void {
  const shown = useRef(from)
  const isEarlier = from < shown.current
  // Looked up while rendering, when the page is still as it was before.
  const anchor = isEarlier ? anchorIn(scroller.current!) : undefined
  shown.current = from
  useLayoutEffect(() => {
    const element = scroller.current!
    if (!anchor) return
    // The browser may keep the place too, and both together would jump.
    element.style.overflowAnchor = 'none'
    keepPlace(element, anchor, FRAMES_TO_SETTLE)
  }, [from])
}

interface Anchor {
  readonly message: Element
  readonly top: number
}

/** The first message in sight, and where it is. */
function anchorIn(scroller: HTMLElement): Anchor | undefined {
  const edge = scroller.getBoundingClientRect().top
  const messages = [...scroller.querySelectorAll('.message')]
  const message = messages.find((each) => each.getBoundingClientRect().bottom > edge)
  return message && { message, top: message.getBoundingClientRect().top }
}

function keepPlace(scroller: HTMLElement, anchor: Anchor, frames: number): void {
  scroller.scrollTop += anchor.message.getBoundingClientRect().top - anchor.top
  if (frames > 0) requestAnimationFrame(() => keepPlace(scroller, anchor, frames - 1))
  else scroller.style.removeProperty('overflow-anchor')
}
