/**
 * How long to wait for what may never happen. Patience is counted in turns of this process and not in time,
 * so that a machine that is busy with something else does not make sound work look like a hang: whoever gets
 * fewer turns waits longer.
 */
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'

const PAUSE_MS = 5
/** Input and output are looked at once a turn, so more than one belongs to each pause. */
const TURNS_A_PAUSE = 3

/** Resolves after about this time on an idle machine, or at once when the signal is aborted. */
export async function patience(ms: number, signal: AbortSignal): Promise<void> {
  for (let waited = 0; waited < ms && !signal.aborted; waited += PAUSE_MS) {
    await pause(PAUSE_MS)
    await idle(TURNS_A_PAUSE)
  }
}

/** Lets everything run that can run without time passing. */
export async function idle(turns = 20): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await nextTurn()
}
