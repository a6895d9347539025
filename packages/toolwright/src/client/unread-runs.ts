/**
 * Tells a program of runs that it made and never read: `await request.call()` sends nothing. A run may be read
 * late, so nobody is told before it cannot be read any more: when it was collected, or when the process ends
 * (docs/decisions/0027). A run that is read before the next one is made costs a comparison or two.
 */
import { notice } from '../errors/notices.ts'
import { environmentVariable } from '../ports/environment.ts'
import { onProcessExit } from '../ports/process-exit.ts'
import type { RunSettings } from '../run/run-settings.ts'

/** A run, as far as this goes. */
export interface ReadableRun {
  readonly settings: RunSettings
  /** Set when a newer run was made and nobody had read this one. */
  aside: UnreadNote | undefined
}

/** What outlives a run that is collected. */
export interface UnreadNote {
  isRead: boolean
  readonly mode: Mode
  readonly logger: RunSettings['logger']
}

type Mode = 'call' | 'stream'

/** The newest run that nobody has read. Whoever reads it takes it away. */
export const unread: { run: ReadableRun | undefined; mode: Mode } = { run: undefined, mode: 'call' }

/** Of older ones. */
const notes = new Set<UnreadNote>()
let collected: FinalizationRegistry<UnreadNote> | undefined

/** Takes note of a run that was just made. */
export function noteRun(run: ReadableRun, mode: Mode): void {
  collected ??= watchRuns()
  if (unread.run) setAside(unread.run)
  unread.run = run
  unread.mode = mode
}

/** Takes note that nobody needs to be told of this run. */
export function forgetRun(run: ReadableRun): void {
  if (unread.run === run) unread.run = undefined
  if (run.aside) run.aside.isRead = true
}

function setAside(run: ReadableRun): void {
  const note: UnreadNote = { isRead: false, mode: unread.mode, logger: run.settings.logger }
  run.aside = note
  notes.add(note)
  collected!.register(run, note)
}

function watchRuns(): FinalizationRegistry<UnreadNote> {
  onProcessExit(() => {
    if (unread.run) setAside(unread.run)
    for (const note of notes) tell(note)
  })
  return new FinalizationRegistry(tell)
}

const READERS = {
  call: '.content(), .entity(schema), .chatResponse(), .result() or .events()',
  stream: '.content(), .events(), .chatResponse(), .result() or .toReadableStream()',
}
/** One mistake in a busy server must not fill its log. */
const MOST_LINES = 10
let lines = 0

function tell(note: UnreadNote): void {
  notes.delete(note)
  const { isRead, mode, logger } = note
  if (isRead) return
  const { code, message } = notice(
    'run-unread',
    `A run made by .${mode}() was never read, so nothing was sent. Awaiting the run itself does nothing: call ${READERS[mode]}.`,
  )
  try {
    if (typeof logger === 'object') logger.warn(message, { code })
  } catch {
    // Nobody is left to be told of it.
  }
  const isLogged = ['debug', 'info', 'warn'].includes(logger as string)
  const isShown = isLogged || environmentVariable('NODE_ENV') !== 'production'
  if (isShown && lines++ < MOST_LINES) console.error(`toolwright: ${message}`)
}
