/** Waits for the signals that tell a server to end. The first ends it in order, the second at once. */
import { leave } from '../command/ended-process.ts'
import { INTERRUPTED } from '../command/interrupts.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export interface ToldToEnd {
  readonly told: Promise<void>
  stop(): void
}

export function toldToEnd(): ToldToEnd {
  let tell: (() => void) | undefined
  const told = new Promise<void>((resolve) => (tell = resolve))
  const onSignal = (): void => {
    if (!tell) leave(INTERRUPTED)
    tell()
    tell = undefined
  }
  for (const signal of SIGNALS) process.on(signal, onSignal)
  return {
    told,
    stop: () => SIGNALS.forEach((signal) => process.off(signal, onSignal)),
  }
}
