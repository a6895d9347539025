import type { Clock } from '../../ports/clock.ts'

/** Whether the work settles, well or badly, in that time. Its failure is not reported here. */
export async function settlesWithin(
  clock: Clock,
  ms: number,
  work: Promise<unknown>,
): Promise<boolean> {
  let cancel: (() => void) | undefined
  const settled = work.then(
    () => true,
    () => true,
  )
  const enough = new Promise<false>((resolve) => {
    cancel = clock.timer(ms, () => resolve(false))
  })
  const isInTime = await Promise.race([settled, enough])
  cancel?.()
  return isInTime
}
