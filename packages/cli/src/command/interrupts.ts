/** Handles Ctrl-C where the terminal sends it as a signal: once aborts, twice ends the process. */
import { leave } from './ended-process.ts'

export const INTERRUPTED = 130

export interface Interrupts {
  readonly signal: AbortSignal
  /** Does what Ctrl-C does. */
  abort(): void
  stop(): void
}

export function abortOnInterrupt(): Interrupts {
  const controller = new AbortController()
  const onInterrupt = (): void => {
    if (controller.signal.aborted) leave(INTERRUPTED)
    controller.abort()
  }
  process.on('SIGINT', onInterrupt)
  return {
    signal: controller.signal,
    abort: () => controller.abort(),
    stop: () => void process.off('SIGINT', onInterrupt),
  }
}
