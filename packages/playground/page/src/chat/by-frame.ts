/** Gathers what comes and hands it on once a frame: a model that says a hundred words a second is drawn 60 times. */

/** A page that nobody looks at has no frames, but should be up to date when somebody does. */
const HIDDEN_MS = 250

export interface ByFrame<T> {
  take(each: T): void
  /** Hands on at once what was gathered. */
  flush(): void
}

export function byFrame<T>(handOn: (gathered: readonly T[]) => void): ByFrame<T> {
  let gathered: T[] = []
  const flush = (): void => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
    const now = gathered
    gathered = []
    if (now.length > 0) handOn(now)
  }
  let frame = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    flush,
    take(each) {
      gathered.push(each)
      if (gathered.length > 1) return
      frame = requestAnimationFrame(flush)
      timer = setTimeout(flush, HIDDEN_MS)
    },
  }
}
