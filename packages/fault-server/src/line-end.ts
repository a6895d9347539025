/** The end of a line as a framing wants it. `mixed` is resolved event by event before a format sees it. */
import type { FaultFraming } from './scenario.ts'

const ENDS = ['\n', '\r\n', '\r'] as const

export const lineEnd = ({ newline = '\n' }: FaultFraming): string =>
  newline === 'mixed' ? '\n' : newline

/** The framing of one event among others. */
export function framingAt(framing: FaultFraming, position: number): FaultFraming {
  if (framing.newline !== 'mixed') return framing
  return { ...framing, newline: ENDS[position % ENDS.length]! }
}
