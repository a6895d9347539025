/**
 * Runs a program: makes its calls through the run around it, tells it what came of them in the order in which they
 * ended, and leaves when nothing more can happen before somebody has decided. A program has ended when its own promise
 * and all its calls have.
 */
import { redact, type NestedOutcome, type ToolRun } from 'toolwright'
import type { Delivery, OpenProgram, ProgramCall, ProgramEnd, Turn } from '../sandbox/sandbox.ts'
import {
  bringBack,
  diverged,
  isFinal,
  isLost,
  MOST_PLACES,
  type BroughtBack,
  type ProgramPlace,
} from './bring-back.ts'
import { foundNothing, hasRoomFor } from './found-nothing.ts'
import { nextTurn } from './next-turn.ts'
import { journalFull, neverSettles, placeLost, type LeftByProgram } from './program-faults.ts'
import type { ProgramCourse } from './program-course.ts'
import { ProgramConsole } from './program-console.ts'

/**
 * A call is read, checked and often also run without a pause, which takes long for a large input. After so many characters
 * of inputs everything else in the process has its turn before the next call is begun.
 */
const TURN_CHARACTERS = 64 * 1024

export interface DrivenProgram {
  readonly run: ToolRun
  /** The call that runs it. */
  readonly of: { readonly toolName: string; readonly callId: string }
  readonly place: ProgramPlace
  readonly course: ProgramCourse
  /** The program, if it is where its course has come to already. */
  readonly brought?: BroughtBack | undefined
  /** Answers `searchTools(query)`: JSON text. Rejects if the index fails. */
  search(query: string): Promise<string>
  /** A line of the console that nobody has seen yet. */
  tell(line: { readonly level: string; readonly text: string }): void
}

/** How a program ended, with what it left. */
export interface ProgramOutcome extends LeftByProgram {
  readonly end: ProgramEnd
  /** Calls that were still open when the program returned. */
  readonly unawaited: readonly ProgramCall[]
}

export async function driveProgram(driven: DrivenProgram): Promise<ProgramOutcome> {
  const driver = new ProgramDriver(driven)
  try {
    return await driver.drive()
  } finally {
    driver.dispose()
  }
}

/** A call that has ended, or waits. */
interface EndedCall {
  readonly index: number
  /** Nothing, if it waits for a decision. */
  readonly delivery?: Delivery
  /** What the model is to know of it. */
  readonly note?: string
}

class ProgramDriver {
  readonly #driven: DrivenProgram
  readonly #console: ProgramConsole
  #given: BroughtBack | undefined
  #open: OpenProgram | undefined
  /** Made by the program, and not yet by the run. */
  readonly #made: ProgramCall[] = []
  /** Made by the run in this leg, by their numbers. They go on where the program's place is lost. */
  readonly #begun = new Set<number>()
  /** The program does not know of them yet; in the order in which they ended. */
  #ended: EndedCall[] = []
  #running = 0
  #waiting = 0
  /** Of the program as it was told until now, by their numbers; read of its turns, so that a replay knows the same. */
  readonly #openCalls = new Map<number, ProgramCall>()
  #unawaited: readonly ProgramCall[] = []
  #end: ProgramEnd | undefined
  #isOver = false
  #unhandled: LeftByProgram['unhandled'] = []
  /** What ends the run. */
  #fault: { readonly error: unknown } | undefined
  #wake: (() => void) | undefined

  constructor(driven: DrivenProgram) {
    this.#driven = driven
    this.#given = driven.brought
    this.#console = new ProgramConsole(driven.tell, driven.run.journal !== undefined)
  }

  get #left(): LeftByProgram {
    const { of, course } = this.#driven
    const { lines: console } = this.#console
    return { ...of, console, notes: course.notes, unhandled: this.#unhandled }
  }

  dispose(): void {
    this.#open?.dispose()
  }

  async drive(): Promise<ProgramOutcome> {
    await this.#bringBack()
    while (!this.#isOver) {
      await this.#beginMade()
      const next = await this.#next()
      if (next.length === 0) break
      await this.#deliver(next)
    }
    if (!this.#end) throw neverSettles(this.#left)
    return { ...this.#left, end: this.#end, unawaited: this.#unawaited }
  }

  /** In the first leg to its first calls; later to where it was. Calls that were made and have no result are made again. */
  async #bringBack(): Promise<void> {
    const { place, course } = this.#driven
    const known = course.length
    const brought = this.#given ?? (await bringBack(place, course))
    this.#given = undefined
    if (!brought) throw placeLost(this.#left, MOST_PLACES)
    const { open, turns } = brought
    this.#open = open
    const told = new Set(course.deliveries.map(({ index }) => index))
    this.#console.replay(turns)
    this.#openCalls.clear()
    this.#follow(turns, [undefined, ...course.deliveries])
    this.#take(
      turns,
      ({ index }) => !told.has(index) && (index >= known || !this.#begun.has(index)),
    )
  }

  /** Which calls are open, turn by turn: each but the first follows what was delivered. */
  #follow(turns: readonly Turn[], told: readonly (Delivery | undefined)[]): void {
    for (const [at, { calls, end }] of turns.entries()) {
      const delivery = told[at]
      if (delivery) this.#openCalls.delete(delivery.index)
      for (const call of calls) this.#openCalls.set(call.index, call)
      if (end) this.#unawaited = [...this.#openCalls.values()]
    }
  }

  #take(turns: readonly Turn[], isNew: (call: ProgramCall) => boolean): void {
    for (const turn of turns) {
      this.#made.push(...turn.calls.filter(isNew))
      if (turn.end) this.#end = turn.end
      // Of the last turn only: code may handle late what was listed before. One that was stopped lists nothing.
      if (!isFinal(turn)) this.#unhandled = turn.unhandled ?? []
      this.#isOver ||= isFinal(turn)
    }
  }

  /** In the order in which the program made them. */
  async #beginMade(): Promise<void> {
    let length = 0
    for (const call of this.#made.splice(0)) {
      length += call.arguments.length
      if (length > TURN_CHARACTERS && length > call.arguments.length) {
        length = call.arguments.length
        await nextTurn()
      }
      this.#begin(call)
    }
  }

  #begin(call: ProgramCall): void {
    const { index, kind, name, arguments: text, line } = call
    this.#begun.add(index)
    this.#running += 1
    const { run } = this.#driven
    const settling =
      kind === 'search'
        ? this.#search(call)
        : run
            .call({ index, name, arguments: text, ...(line !== undefined && { line }) })
            .then((outcome) => endedCall(call, outcome))
    settling.then(
      (ended) => {
        this.#ended.push(ended)
        this.#stopped()
      },
      (error: unknown) => {
        this.#fault ??= { error }
        this.#stopped()
      },
    )
  }

  /** A call runs no more. */
  #stopped(): void {
    this.#running -= 1
    this.#wake?.()
  }

  /** A step, because an index may find something else, or fail, at a replay. */
  async #search({ index, name, arguments: query }: ProgramCall): Promise<EndedCall> {
    const { run, search } = this.#driven
    const found = await run.step(`search/${index}`, () =>
      search(query).catch((thrown: unknown) => ({ failed: wordsOf(thrown) })),
    )
    if (typeof found === 'string') {
      const note = found === '[]' ? { note: foundNothing(query) } : {}
      return { index, delivery: { index, ok: true, json: found }, ...note }
    }
    const error = { code: 'failed', tool: name, message: found.failed }
    return { index, delivery: { index, ok: false, error } }
  }

  /** What the program is told next; nothing if it has ended, or can only be left. */
  async #next(): Promise<readonly Delivery[]> {
    const { run, course } = this.#driven
    for (;;) {
      const ended = run.isDurable ? await this.#nextInOrder() : await this.#nextEnded()
      if (this.#fault) throw this.#fault.error
      const told = ended.flatMap(({ delivery }) => delivery ?? [])
      for (const { note } of ended)
        if (note !== undefined && hasRoomFor(note, course.notes)) course.notes.push(note)
      this.#waiting += ended.length - told.length
      if (told.length > 0) return told
      if (ended.length > 0) continue
      if (this.#waiting > 0) run.suspend(course.journal() as never)
      return []
    }
  }

  /** All that have ended by then, in the order in which they did. */
  async #nextEnded(): Promise<readonly EndedCall[]> {
    while (this.#ended.length === 0 && this.#running > 0 && !this.#fault) await this.#change()
    return this.#ended.splice(0)
  }

  /**
   * Which of several came first is a step: a program that is run again after a crash must be told in the same order. Calls
   * that wait for a decision have their place in it, so that it is known at every replay how many are left.
   */
  async #nextInOrder(): Promise<readonly EndedCall[]> {
    if (this.#ended.length + this.#running <= 1) return this.#nextEnded()
    const { run, course } = this.#driven
    const order = await run.step(`order/${course.orders}`, async () => {
      while (this.#ended.length === 0 && this.#running > 0 && !this.#fault) await this.#change()
      return this.#ended.map(({ index }) => index)
    })
    course.orders += 1
    const place = (call: EndedCall): number => order.indexOf(call.index)
    const isHere = (call: EndedCall): boolean => place(call) !== -1
    while (this.#ended.filter(isHere).length < order.length && this.#running > 0 && !this.#fault)
      await this.#change()
    const next = this.#ended.filter(isHere).sort((one, other) => place(one) - place(other))
    if (next.length < order.length && !this.#fault)
      throw diverged(`it has not made all of the calls ${order.join(', ')} that had ended`)
    this.#ended = this.#ended.filter((call) => !isHere(call))
    return next
  }

  #change(): Promise<void> {
    return new Promise((resolve) => (this.#wake = resolve))
  }

  async #deliver(deliveries: readonly Delivery[]): Promise<void> {
    const { course } = this.#driven
    const { journalBytes } = course.start
    for (const delivery of deliveries) course.deliver(delivery)
    if (course.bytes > journalBytes) throw journalFull(this.#left, journalBytes)
    const turns = await this.#open!.deliver(deliveries)
    if (turns.some(isLost)) return this.#bringBack()
    course.saw()
    for (const { calls } of turns) for (const call of calls) course.isSame(call)
    this.#console.add(turns)
    this.#follow(turns, deliveries)
    this.#take(turns, () => true)
  }
}

/** As of a tool that throws. */
function wordsOf(thrown: unknown): string {
  const { message } = Object(thrown) as { readonly message?: unknown }
  return redact(typeof message === 'string' && message !== '' ? message : 'The search failed.')
}

function endedCall({ index, name }: ProgramCall, outcome: NestedOutcome): EndedCall {
  if ('pending' in outcome) return { index }
  const { edited } = outcome
  const note = edited === undefined ? {} : { note: editedNote(index, name, edited) }
  if (!outcome.ok) {
    const { code, message } = outcome
    return { index, delivery: { index, ok: false, error: { code, tool: name, message } }, ...note }
  }
  const { json } = outcome
  return { index, delivery: { index, ok: true, ...(json !== undefined && { json }) }, ...note }
}

const editedNote = (index: number, name: string, edited: unknown): string =>
  `Call ${index}, of ${name}, was approved with other arguments: ${JSON.stringify(edited)}`
