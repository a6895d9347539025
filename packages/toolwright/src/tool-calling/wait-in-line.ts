/** A place in a line of calls that wait for each other: behind a lock, or for their turn in a rate. */
import { onAbort } from '../internal/on-abort.ts'
import type { TimeLimit } from '../ports/in-time.ts'

/** Those who wait, the first one first. Calling one lets it go on, and takes it out of the line. */
export type Line = Set<() => void>

/**
 * True when called, false when the time is over first; an abort rejects with its reason. Whoever leaves is out of
 * the line at once, so that nobody is called who has left.
 */
export function waitInLine(line: Line, { clock, ms, signal }: TimeLimit): Promise<boolean> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const leave = (): void => {
      line.delete(goOn)
      cancel?.()
      forget?.()
    }
    const goOn = (): void => {
      leave()
      resolve(true)
    }
    line.add(goOn)
    const cancel =
      ms === Infinity
        ? undefined
        : clock.timer(ms, () => {
            leave()
            resolve(false)
          })
    const forget =
      signal &&
      onAbort(signal, () => {
        leave()
        reject(signal.reason as Error)
      })
  })
}
