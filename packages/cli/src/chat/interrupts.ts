/** Ctrl-C where the terminal itself turns it into a signal: once aborts, twice ends the process. */

export const INTERRUPTED = 130

export interface Interrupts {
  readonly signal: AbortSignal
  /** As Ctrl-C does. */
  abort(): void
  stop(): void
}

export function abortOnInterrupt(): Interrupts {
  const controller = new AbortController()
  const onInterrupt = (): void => {
    if (controller.signal.aborted) process.exit(INTERRUPTED)
    controller.abort()
  }
  process.on('SIGINT', onInterrupt)
  return {
    signal: controller.signal,
    abort: () => controller.abort(),
    stop: () => void process.off('SIGINT', onInterrupt),
  }
}
