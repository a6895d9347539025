/** A sandbox that writes down what its programs were told and what they called, and that loses places when it is told to. */
import type {
  Delivery,
  OpenProgram,
  Program,
  ProgramCall,
  Sandbox,
  Turn,
} from '@toolwright/code-mode'

/** One program in one place. */
export interface ProgramLife {
  readonly calls: ProgramCall[]
  readonly told: Delivery[]
  /** Its place was lost: what it was told last may not have reached it. */
  isLost: boolean
}

const LOST: Turn = {
  calls: [],
  console: [],
  fuel: 0,
  end: { ok: false, kind: 'lost', error: { name: 'ProgramStopped', message: 'Lost.' } },
}

export class WatchedSandbox implements Sandbox {
  readonly engine: string
  readonly lives: ProgramLife[] = []
  readonly #inner: Sandbox
  readonly #isLost: () => boolean

  constructor(inner: Sandbox, isLost: () => boolean) {
    this.engine = inner.engine
    this.#inner = inner
    this.#isLost = isLost
  }

  async open(program: Program): Promise<OpenProgram> {
    const open = await this.#inner.open(program)
    const life: ProgramLife = { calls: [], told: [], isLost: false }
    this.lives.push(life)
    const noted = (turns: readonly Turn[]): readonly Turn[] => {
      for (const { calls } of turns) life.calls.push(...calls)
      return turns
    }
    const lost = (): readonly Turn[] => {
      life.isLost = true
      open.dispose()
      return [LOST]
    }
    return {
      start: async () => (this.#isLost() ? lost() : noted([await open.start()]))[0]!,
      deliver: async (deliveries) => {
        if (this.#isLost()) return lost()
        life.told.push(...deliveries)
        return noted(await open.deliver(deliveries))
      },
      dispose: () => open.dispose(),
    }
  }

  async close(): Promise<void> {}
}
