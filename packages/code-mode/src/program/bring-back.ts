/**
 * Takes a place in a sandbox for a program and runs it to where its course has come: to its first calls, if it is new.
 * Places are lost for no fault of a program, when another one in the same thread had to be ended; then the next is taken.
 */
import { ResumeError } from 'toolwright'
import type { OpenProgram, Sandbox, Turn } from '../sandbox/sandbox.ts'
import type { ProgramCourse } from './program-course.ts'

/** Where programs run, and what they see. */
export interface ProgramPlace {
  readonly sandbox: Sandbox
  readonly toolNames: readonly string[]
  readonly hasSearch: boolean
  readonly signal: AbortSignal | undefined
}

export interface BroughtBack {
  readonly open: OpenProgram
  /** From the start, one for each delivery. */
  readonly turns: readonly Turn[]
}

/** How often a program is given another place. */
export const MOST_PLACES = 5

/** Nothing, if every place was lost. */
export async function bringBack(
  place: ProgramPlace,
  course: ProgramCourse,
): Promise<BroughtBack | undefined> {
  // What ran in time once may take longer in a process that has just begun, or on a busy machine. Its fuel is the same.
  let { turnMs } = course.start.limits
  for (let tries = 0; tries < MOST_PLACES; tries++) {
    const brought = await tryPlace(place, course, turnMs)
    if (brought === 'late') turnMs *= 2
    else if (brought) return brought
  }
  return undefined
}

/** `late`: the same course took longer than it may. */
async function tryPlace(
  { sandbox, toolNames, hasSearch, signal }: ProgramPlace,
  course: ProgramCourse,
  turnMs: number,
): Promise<BroughtBack | 'late' | undefined> {
  const { code, clock, seed, limits } = course.start
  const given = { ...limits, turnMs }
  const program = { code, clock, seed, toolNames, hasSearch, limits: given, ...(signal && { signal }) } // prettier-ignore
  const open = await sandbox.open(program)
  try {
    const start = await open.start()
    const turns = [start]
    const { deliveries } = course
    if (deliveries.length > 0 && !isFinal(start)) {
      if (!start.calls.some(({ index }) => index === deliveries[0]!.index))
        throw diverged('it did not make a call that it was told the result of')
      turns.push(...(await open.deliver(deliveries)))
    }
    if (turns.some(isLost)) return void open.dispose()
    if (course.length > 0 && turns.some(isLate) && !isBeyond(course, turns)) {
      open.dispose()
      return 'late'
    }
    refuseOther(course, turns)
    course.saw()
    return { open, turns }
  } catch (thrown) {
    open.dispose()
    throw thrown
  }
}

const isLate = ({ end }: Turn): boolean => end?.ok === false && end.kind === 'time'
export const isLost = ({ end }: Turn): boolean => end?.ok === false && end.kind === 'lost'

const FINAL: readonly string[] = ['fuel', 'time', 'lost', 'broken']

/** Nothing can be delivered any more. */
export const isFinal = ({ end }: Turn): boolean => end?.ok === false && FINAL.includes(end.kind)

/** Whether the last turn is one that nobody has seen before, because the place was lost in it. */
const isBeyond = ({ seen }: ProgramCourse, turns: readonly Turn[]): boolean =>
  turns.length > seen + 1

/**
 * The same code, told the same, must make the same calls; new ones may follow where the place was lost meanwhile, or an end
 * after which the rest of what was to be told then cannot be.
 */
function refuseOther(course: ProgramCourse, turns: readonly Turn[]): void {
  const known = course.length
  const made = turns.flatMap(({ calls }) => calls)
  const other = made.find((call) => !course.isSame(call))
  if (other) throw diverged(`its call ${other.index} is another than it was`)
  if (made.length < known) throw diverged(`it made ${made.length} of ${known} calls`)
  const told = turns.length - 1
  if (told === course.deliveries.length || (isFinal(turns.at(-1)!) && isBeyond(course, turns)))
    return
  throw diverged(`it could be told ${told} of ${course.deliveries.length} results`)
}

export const diverged = (how: string): ResumeError =>
  new ResumeError('program-diverged', `The program does not come to where it waited: ${how}.`)
