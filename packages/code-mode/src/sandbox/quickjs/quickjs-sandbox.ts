/**
 * The sandbox on QuickJS: every program in an instance of WebAssembly of its own, the instances in threads of their own.
 * Nothing is loaded or started before the first program.
 */
import { ConfigurationError } from 'toolwright'
import type { OpenProgram, Program, Sandbox } from '../sandbox.ts'
import { checkProgram } from './check-program.ts'
import { loadPlaces, usualWorkers } from './on-demand.ts'
import type { Places } from './places.ts'
import { PlacedProgram } from './placed-program.ts'

/** Its version is part of what a kept program depends on. */
const ENGINE = 'quickjs-wasi 3.6.2'

export interface QuickJsSandboxOptions {
  /**
   * How many workers wait for work beside those that are at it, so that a program starts at once while another one
   * computes, and after one had to be ended. They are started in the background from the first program on, and do not
   * keep the process alive. Default 1.
   */
  readonly warm?: number
  /**
   * How many threads programs may run in. Default: as many as the machine has cores, at most 4 and at least 2. With 0,
   * and where there are no worker threads, programs run in the thread of their host, with at most 64 KiB of stack: some
   * builtins can then block it for long, because nothing can end them.
   */
  readonly workers?: number
}

/**
 * @example
 * const sandbox = quickJsSandbox({ warm: 1 })
 */
export function quickJsSandbox(options: QuickJsSandboxOptions = {}): Sandbox {
  const unknown = Object.keys(options).find((name) => name !== 'warm' && name !== 'workers')
  if (unknown !== undefined)
    throw new ConfigurationError(
      'unknown-option',
      `quickJsSandbox() has no option "${unknown}"; it has warm, workers.`,
    )
  for (const name of ['warm', 'workers'] as const)
    if (options[name] !== undefined && !(Number.isSafeInteger(options[name]) && options[name] >= 0))
      throw invalid(`${name} takes a whole number from 0`)
  return new QuickJsSandbox(options)
}

const invalid = (what: string): ConfigurationError =>
  new ConfigurationError('invalid-option', `quickJsSandbox(): ${what}.`)

class QuickJsSandbox implements Sandbox {
  readonly engine = ENGINE
  readonly #options: QuickJsSandboxOptions
  readonly #open = new Set<PlacedProgram>()
  #places: Promise<Places> | undefined
  #isClosed = false

  constructor(options: QuickJsSandboxOptions) {
    this.#options = options
  }

  async open(program: Program): Promise<OpenProgram> {
    checkProgram(program)
    if (this.#isClosed) throw closed()
    program.signal?.throwIfAborted()
    const places = await (this.#places ??= this.#load())
    const stackBytes = Math.min(program.limits.stackBytes, places.stackBytes)
    const place = await this.#placeIn(places, program)
    const open = new PlacedProgram({
      program: { ...program, limits: { ...program.limits, stackBytes } },
      place,
      onGone: (gone) => this.#open.delete(gone),
    })
    this.#open.add(open)
    return open
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const open of this.#open) open.dispose()
    const places = await this.#places?.catch(() => undefined)
    await places?.close()
  }

  async #load(): Promise<Places> {
    const { warm = 1, workers = await usualWorkers() } = this.#options
    return loadPlaces({ warm, workers })
  }

  async #placeIn(places: Places, { signal }: Program) {
    try {
      const place = await places.take(signal)
      if (!this.#isClosed && !signal?.aborted) return place
      place.drop(false)
    } catch (error) {
      if (!this.#isClosed && !signal?.aborted)
        throw new ConfigurationError('invalid-option', 'The sandbox cannot be started.', {
          cause: error,
        })
    }
    if (this.#isClosed) throw closed()
    throw signal!.reason
  }
}

const closed = (): ConfigurationError => invalid('it was closed; make another one')
