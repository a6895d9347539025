/** The places of calls that may run at once, whoever makes them: first come, first served. */
import type { Waited } from '../observation/watcher.ts'
import type { Batch, CallPlaces, ReadyCall } from './call.ts'
import { waitInLine, type Line } from './wait-in-line.ts'

export class Places implements CallPlaces {
  readonly #line: Line = new Set()
  #free: number
  /** Whose place became free last. */
  #left: Waited['behind']

  constructor(width: number) {
    this.#free = width
  }

  async take({ settings, run }: Batch, { call, watched }: ReadyCall): Promise<() => void> {
    if (this.#free > 0) this.#free -= 1
    else {
      const { clock } = settings
      const from = watched ? clock.monotonic() : 0
      await waitInLine(this.#line, { clock, ms: Infinity, signal: run.signal })
      const behind = this.#left
      const ms = watched ? clock.monotonic() - from : 0
      // Less than a millisecond is no waiting.
      if (ms >= 1) watched?.waited({ for: 'place', ms, behind })
    }
    return () => this.#leave({ callId: call.id, toolName: call.name })
  }

  #leave(left: Waited['behind']): void {
    this.#left = left
    const [next] = this.#line
    if (next) next()
    else this.#free += 1
  }
}
