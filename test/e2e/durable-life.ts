/**
 * A recording durability whose process can die at any step. What outlives it is the ledger; everything else, the
 * client, its model and its tools, is made anew for the next life.
 */
import { DurabilityError, type Durability, type Random, type ToolStep } from 'toolwright'

/** What outlives a process. */
export class Ledger {
  /** What steps gave, as JSON, by key. */
  readonly records = new Map<string, string>()
  /** The keys of tool steps that were begun. */
  readonly begun = new Set<string>()
  /** How often each call had its effect. */
  readonly effects = new Map<string, number>()

  addEffect(callId: string): void {
    this.effects.set(callId, (this.effects.get(callId) ?? 0) + 1)
  }
}

/** Where in a step the process dies: before it, when a tool was begun, when its work is done, or once it is recorded. */
export type Moment = 'before' | 'begun' | 'done' | 'recorded'

export interface Death {
  /** Counted from 1, in the order of starting. */
  readonly step: number
  readonly moment: Moment
}

class Crash extends Error {}

export interface LifeOptions {
  readonly death?: Death
  /** Shuffles the order in which steps and tools that run side by side end. */
  readonly random?: Random
  readonly onUnknownOutcome?: Durability['onUnknownOutcome']
}

export class Life implements Durability {
  readonly onUnknownOutcome: Durability['onUnknownOutcome']
  readonly keys: string[] = []
  readonly tools: ToolStep[] = []
  /** The keys of the steps whose work was run. */
  readonly ran: string[] = []
  readonly ledger: Ledger
  readonly #death: Death | undefined
  readonly #random: Random | undefined
  isOver = false

  constructor(ledger = new Ledger(), { death, random, onUnknownOutcome }: LifeOptions = {}) {
    this.ledger = ledger
    this.#death = death
    this.#random = random
    this.onUnknownOutcome = onUnknownOutcome
  }

  async step<T>(key: string, run: () => Promise<T>, tool?: ToolStep): Promise<T> {
    const number = this.keys.push(key)
    const dies = (moment: Moment): void => {
      if (number === this.#death?.step && moment === this.#death.moment) this.isOver = true
      if (this.isOver) throw new Crash(`The process died at ${key}.`)
    }
    dies('before')
    if (tool) this.tools.push(tool)
    await this.pause()
    const { records, begun } = this.ledger
    const record = records.get(key)
    if (record === undefined) {
      if (tool?.effect === 'once' && begun.has(key))
        throw new DurabilityError('unknown-outcome', `Nobody knows how "${key}" ended.`)
      if (tool) begun.add(key)
      dies('begun')
      this.ran.push(key)
      const result = await run()
      dies('done')
      records.set(key, JSON.stringify(result))
    }
    dies('recorded')
    return JSON.parse(records.get(key)!) as T
  }

  /** Takes some turns of the event loop, by chance how many. A process that has died does nothing after them. */
  async pause(): Promise<void> {
    const turns = Math.floor((this.#random?.next() ?? 0) * 4)
    for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
    if (this.isOver) throw new Crash('The process is dead.')
  }

  /** A tool whose effect is counted. It takes a while, and has no effect once the process has died. */
  readonly effectOf = async <T>(callId: string, result: T): Promise<T> => {
    await this.pause()
    this.ledger.addEffect(callId)
    await this.pause()
    return result
  }
}
