/** A program in its place: one turn at a time, each checked before it is handed out. */
import { ConfigurationError } from 'toolwright'
import type { Delivery, OpenProgram, Program, Turn } from '../sandbox.ts'
import type { Answer, Asked, Place } from './places.ts'
import { TurnReader } from './read-turn.ts'
import { isFinal, stoppedTurn } from './stopped-turn.ts'

export interface PlacedProgramSetup {
  readonly program: Program
  readonly place: Place
  onGone(program: PlacedProgram): void
}

export class PlacedProgram implements OpenProgram {
  readonly #setup: PlacedProgramSetup
  readonly #reader: TurnReader
  readonly #onAbort = () => this.dispose()
  #state: 'opened' | 'quiet' | 'running' | 'gone' = 'opened'

  constructor(setup: PlacedProgramSetup) {
    this.#setup = setup
    this.#reader = new TurnReader(setup.program)
    setup.program.signal?.addEventListener('abort', this.#onAbort)
  }

  async start(): Promise<Turn> {
    if (this.#state !== 'opened' && this.#state !== 'gone') throw outOfTurn('start')
    const { signal: _signal, ...program } = this.#setup.program
    const [turn] = await this.#ask({ start: program }, [undefined])
    return turn!
  }

  async deliver(deliveries: readonly Delivery[]): Promise<readonly Turn[]> {
    if (this.#state === 'opened' || this.#state === 'running') throw outOfTurn('deliver')
    if (this.#state !== 'gone') this.#reader.checkDeliveries(deliveries)
    return deliveries.length === 0 ? [] : await this.#ask({ deliver: deliveries }, deliveries)
  }

  dispose(): void {
    if (this.#state === 'gone') return
    this.#state = 'gone'
    this.#setup.program.signal?.removeEventListener('abort', this.#onAbort)
    this.#setup.place.drop(this.#reader.isOver)
    this.#setup.onGone(this)
  }

  async #ask(asked: Asked, settled: readonly (Delivery | undefined)[]): Promise<readonly Turn[]> {
    const { program, place } = this.#setup
    const isGone = this.#state === 'gone'
    if (!isGone) this.#state = 'running'
    const answer = isGone ? LOST : await place.ask(asked, program.limits.turnMs)
    if (this.#state === 'running') this.#state = 'quiet'
    if (program.signal?.aborted) throw program.signal.reason
    if ('instead' in answer) {
      this.dispose()
      return [answer.instead]
    }
    const turns = this.#read(answer, settled)
    const { end } = turns.at(-1)!
    if (end?.ok === false && end.kind === 'broken') place.condemn()
    if (isFinal(end)) this.dispose()
    return turns
  }

  #read({ turns: wired }: Turns, settled: readonly (Delivery | undefined)[]): readonly Turn[] {
    const turns: Turn[] = []
    for (const [at, delivery] of settled.entries()) {
      if (delivery && !this.#reader.isOpen(delivery)) break
      if (delivery) this.#reader.delivered(delivery)
      turns.push(wired[at] ? this.#reader.read(wired[at]) : stoppedTurn('broken'))
      if (isFinal(turns.at(-1)!.end)) break
    }
    return turns
  }
}

type Turns = Extract<Answer, { turns: unknown }>

const LOST: Answer = { instead: stoppedTurn('lost') }

const outOfTurn = (what: string): ConfigurationError =>
  new ConfigurationError('invalid-option', `${what}(): a program has one turn at a time, start() first.`) // prettier-ignore
