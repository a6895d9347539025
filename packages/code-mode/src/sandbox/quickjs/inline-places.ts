/**
 * Programs in the thread of their host, where there are no workers. The limits hold, but for builtins that never ask
 * whether they shall stop: nothing can end them here.
 */
import type { Program } from '../sandbox.ts'
import { loadEngine } from './load-engine.ts'
import type { Answer, Asked, Place, Places } from './places.ts'
import { Programs } from './programs.ts'
import { stoppedTurn } from './stopped-turn.ts'
import { BEAT_BYTES } from './wire.ts'

/** The stack of the host's own thread is smaller than a worker's, and somebody else stands on it already. */
const MOST_STACK_BYTES = 64 * 1024

export class InlinePlaces implements Places {
  readonly stackBytes = MOST_STACK_BYTES
  #programs: Promise<Programs> | undefined
  #last: Promise<unknown> = Promise.resolve()
  #lastId = 0
  #isClosed = false

  async take(signal: Program['signal']): Promise<Place> {
    const programs = await (this.#programs ??= loadPrograms())
    signal?.throwIfAborted()
    const id = ++this.#lastId
    let isTaken = true
    const drop = () => {
      if (isTaken) void programs.handle({ id, drop: true })
      isTaken = false
    }
    return {
      ask: (asked) =>
        this.#inTurn(async () => {
          if (!isTaken || this.#isClosed) return { instead: stoppedTurn('lost') }
          return this.#answer(programs, id, asked)
        }),
      drop,
      condemn: drop,
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#programs = undefined
  }

  async #answer(programs: Programs, id: number, asked: Asked): Promise<Answer> {
    return { turns: await programs.handle({ id, ...asked }) }
  }

  /** One after another, as in a worker. */
  #inTurn(work: () => Promise<Answer>): Promise<Answer> {
    const answer = this.#last.then(work)
    this.#last = answer.catch(() => {})
    return answer
  }
}

async function loadPrograms(): Promise<Programs> {
  const programs = new Programs(await loadEngine(), new Int32Array(new ArrayBuffer(BEAT_BYTES)))
  await programs.warmUp()
  return programs
}
