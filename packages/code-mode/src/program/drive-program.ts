/**
 * Runs a program: makes its calls through the run around it, tells it what came of them in the order in which they
 * ended, and leaves when nothing more can happen before somebody has decided. A program has ended when its own promise
 * and all its calls have.
 */
import type { NestedOutcome, ToolRun } from 'toolwright'
import type { Delivery, OpenProgram, ProgramCall, ProgramEnd, Turn } from '../sandbox/sandbox.ts'
import {
  bringBack,
  diverged,
  isFinal,
  isLost,
  MOST_PLACES,
  type ProgramPlace,
} from './bring-back.ts'
import { journalFull, neverSettles, placeLost, type FailedProgram } from './program-faults.ts'
import type { ProgramCourse } from './program-course.ts'
import { ProgramConsole } from './program-console.ts'

export interface DrivenProgram {
  readonly run: ToolRun
  /** The call that runs it. */
  readonly of: { readonly toolName: string; readonly callId: string }
  readonly place: ProgramPlace
  readonly course: ProgramCourse
  readonly journalBytes: number
  /** Answers `searchTools(query)`: JSON text. */
  search(query: string): Promise<string>
  /** A line of the console that nobody has seen yet. */
  tell(line: { readonly level: string; readonly text: string }): void
}

/** How a program ended, with what it left. */
export interface ProgramOutcome {
  readonly end: ProgramEnd
  readonly console: readonly string[]
  readonly notes: readonly string[]
  /** Failures that no code of the program has handled. */
  readonly unhandled: NonNullable<Turn['unhandled']>
}

export async function driveProgram(driven: DrivenProgram): Promise<ProgramOutcome> {
  const driver = new ProgramDriver(driven)
  try {
    return await driver.drive()
  } finally {
    driver.dispose()
  }
}

class ProgramDriver {
  readonly #driven: DrivenProgram
  readonly #console: ProgramConsole
  #open: OpenProgram | undefined
  /** Made by the program, and not yet by the run. */
  readonly #made: ProgramCall[] = []
  /** Made by the run in this leg, by their numbers. They go on where the program's place is lost. */
  readonly #begun = new Set<number>()
  /** Ended, and the program does not know yet; in the order in which they ended. */
  readonly #settled: Delivery[] = []
  #running = 0
  #waiting = 0
  #end: ProgramEnd | undefined
  #isOver = false
  #unhandled: ProgramOutcome['unhandled'] = []
  /** What ends the run. */
  #fault: { readonly error: unknown } | undefined
  #wake: (() => void) | undefined

  constructor(driven: DrivenProgram) {
    this.#driven = driven
    this.#console = new ProgramConsole(driven.tell, driven.run.journal !== undefined)
  }

  get #failed(): FailedProgram {
    return { ...this.#driven.of, console: this.#console.lines }
  }

  dispose(): void {
    this.#open?.dispose()
  }

  async drive(): Promise<ProgramOutcome> {
    await this.#bringBack()
    while (!this.#isOver) {
      for (const call of this.#made.splice(0)) this.#begin(call)
      const next = await this.#next()
      if (next.length === 0) break
      await this.#deliver(next)
    }
    if (!this.#end) throw neverSettles(this.#failed)
    const { notes } = this.#driven.course
    return { end: this.#end, console: this.#console.lines, notes, unhandled: this.#unhandled }
  }

  /** In the first leg to its first calls; later to where it was. Calls that were made and have no result are made again. */
  async #bringBack(): Promise<void> {
    const { place, course } = this.#driven
    const known = course.length
    const brought = await bringBack(place, course)
    if (!brought) throw placeLost(this.#failed, MOST_PLACES)
    const { open, turns } = brought
    this.#open = open
    const told = new Set(course.deliveries.map(({ index }) => index))
    this.#console.replay(turns)
    this.#take(
      turns,
      ({ index }) => !told.has(index) && (index >= known || !this.#begun.has(index)),
    )
  }

  #take(turns: readonly Turn[], isNew: (call: ProgramCall) => boolean): void {
    for (const turn of turns) {
      this.#made.push(...turn.calls.filter(isNew))
      if (turn.end) this.#end = turn.end
      if (turn.unhandled) this.#unhandled = turn.unhandled
      this.#isOver ||= isFinal(turn)
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
            .then((outcome) => this.#delivery(call, outcome))
    settling.then(
      (delivery) => this.#ended(delivery),
      (error: unknown) => {
        this.#fault ??= { error }
        this.#ended(undefined)
      },
    )
  }

  #ended(delivery: Delivery | undefined): void {
    this.#running -= 1
    if (delivery) this.#settled.push(delivery)
    else this.#waiting += 1
    this.#wake?.()
  }

  /** Nothing, if it waits for a decision. */
  #delivery({ index, name }: ProgramCall, outcome: NestedOutcome): Delivery | undefined {
    if ('pending' in outcome) return undefined
    if (!outcome.ok) {
      const { code, message } = outcome
      return { index, ok: false, error: { code, tool: name, message } }
    }
    const { json, edited } = outcome
    if (edited !== undefined) this.#driven.course.notes.push(editedNote(index, name, edited))
    return json === undefined ? { index, ok: true } : { index, ok: true, json }
  }

  /** A step, because an index may find something else at a replay. */
  async #search({ index, arguments: query }: ProgramCall): Promise<Delivery> {
    const { run, search } = this.#driven
    const found = await run.step(`search/${index}`, async () => search(query))
    return { index, ok: true, json: found }
  }

  /** What the program is told next; nothing if it has ended, or can only be left. */
  async #next(): Promise<readonly Delivery[]> {
    const next = this.#driven.run.isDurable ? await this.#nextInOrder() : await this.#nextSettled()
    if (this.#fault) throw this.#fault.error
    if (next.length === 0 && this.#waiting > 0) {
      const { run, course } = this.#driven
      run.suspend(course.journal() as never)
    }
    return next
  }

  /** All that have ended by then, in the order in which they did. */
  async #nextSettled(): Promise<readonly Delivery[]> {
    while (this.#settled.length === 0 && this.#running > 0 && !this.#fault) await this.#change()
    return this.#settled.splice(0)
  }

  /**
   * One at a time. Which of several came first is a step: a program that is run again after a crash must be told in the
   * same order.
   */
  async #nextInOrder(): Promise<readonly Delivery[]> {
    const { run, course } = this.#driven
    if (this.#settled.length + this.#running <= 1) return this.#nextSettled()
    const first = await run.step(`order/${course.orders}`, async () => {
      while (this.#settled.length === 0 && this.#running > 0 && !this.#fault) await this.#change()
      return this.#settled[0]?.index ?? -1
    })
    course.orders += 1
    if (first === -1) return []
    const place = (): number => this.#settled.findIndex(({ index }) => index === first)
    while (place() === -1 && this.#running > 0 && !this.#fault) await this.#change()
    if (place() === -1 && !this.#fault) throw diverged(`it has no result of call ${first}`)
    return place() === -1 ? [] : this.#settled.splice(place(), 1)
  }

  #change(): Promise<void> {
    return new Promise((resolve) => (this.#wake = resolve))
  }

  async #deliver(deliveries: readonly Delivery[]): Promise<void> {
    const { course, journalBytes } = this.#driven
    for (const delivery of deliveries) course.deliver(delivery)
    if (course.bytes > journalBytes) throw journalFull(this.#failed, journalBytes)
    const turns = await this.#open!.deliver(deliveries)
    if (turns.some(isLost)) return this.#bringBack()
    for (const { calls } of turns) for (const call of calls) course.isSame(call)
    this.#console.add(turns)
    this.#take(turns, () => true)
  }
}

const editedNote = (index: number, name: string, edited: unknown): string =>
  `Call ${index}, of ${name}, was approved with other arguments: ${JSON.stringify(edited)}`
