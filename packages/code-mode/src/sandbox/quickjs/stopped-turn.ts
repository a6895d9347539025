/** Turns that end a program for good, and how they are told from others. */
import type { ProgramEnd, ProgramFault, Turn } from '../sandbox.ts'

const FINAL: readonly ProgramFault[] = ['fuel', 'time', 'lost', 'broken']

export const isFinal = (end: ProgramEnd | undefined): boolean =>
  end?.ok === false && FINAL.includes(end.kind)

const WORDS = {
  fuel: 'The program computed too much (limits.fuel) and was stopped; let it do less, or let tools do the work.',
  time: 'The program computed too long between two results (limits.turnMs) and was stopped; let it do less.',
  lost: 'The place of the program is gone; it can be run again from its deliveries.',
  broken: 'What came out of the sandbox was not sound; the program was stopped.',
  memory: 'The program ran out of memory and was stopped; keep less at a time.',
  depth: 'The program went too deep and was stopped; nest less.',
} as const

/** `memory` and `depth` are what the engine itself broke of. */
export function stoppedEnd(why: keyof typeof WORDS): ProgramEnd {
  const kind = why === 'memory' || why === 'depth' ? 'broken' : why
  return { ok: false, kind, error: { name: 'ProgramStopped', message: WORDS[why] } }
}

export const stoppedTurn = (why: keyof typeof WORDS, fuel = 0): Turn => ({
  calls: [],
  console: [],
  fuel,
  end: stoppedEnd(why),
})
