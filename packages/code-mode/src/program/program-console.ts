/** The lines that a program wrote, for the model; each is told to the run's readers once, also if it is written again by a replay. */
import type { ConsoleLine, Turn } from '../sandbox/sandbox.ts'

export class ProgramConsole {
  readonly #tell: (line: ConsoleLine) => void
  #lines: string[] = []
  #told: number | undefined

  /** `wasTold`: the program waited before, and readers have seen what it wrote until then. */
  constructor(tell: (line: ConsoleLine) => void, wasTold: boolean) {
    this.#tell = tell
    this.#told = wasTold ? undefined : 0
  }

  get lines(): readonly string[] {
    return this.#lines
  }

  /** What was written from the start on. */
  replay(turns: readonly Turn[]): void {
    this.#lines = []
    this.#told ??= turns.flatMap(({ console }) => console).length
    this.add(turns)
  }

  add(turns: readonly Turn[]): void {
    for (const { console } of turns)
      for (const line of console) {
        this.#lines.push(line.level === 'log' ? line.text : `[${line.level}] ${line.text}`)
        if (this.#lines.length <= this.#told!) continue
        this.#told = this.#lines.length
        this.#tell(line)
      }
  }
}
