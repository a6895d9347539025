/**
 * How many steps of the library's code some work takes: the times that each of its functions and branches ran, as V8
 * counts them for coverage. The same work takes the same steps on every machine and however busy it is. What the
 * engine does by itself, a regular expression or the copying of a list, is no step.
 */
import { Session } from 'node:inspector/promises'

const LIBRARY = /\/packages\/[a-z-]+\/(?:page\/)?src\//

/** Counts until it is closed: to begin counting throws away all compiled code, so one counter serves a whole file. */
export class StepCounter {
  readonly #session = new Session()
  readonly #counting: Promise<unknown>

  constructor() {
    this.#session.connect()
    this.#counting = this.#session
      .post('Profiler.enable')
      .then(() =>
        this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true }),
      )
  }

  async stepsOf(work: () => unknown): Promise<number> {
    await this.#counting
    await this.#take()
    await work()
    return this.#take()
  }

  /** The steps since they were taken last. */
  async #take(): Promise<number> {
    const { result } = await this.#session.post('Profiler.takePreciseCoverage')
    return result
      .filter(({ url }) => LIBRARY.test(url))
      .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
      .reduce((steps, { count }) => steps + count, 0)
  }

  async close(): Promise<void> {
    await this.#session.post('Profiler.stopPreciseCoverage')
    this.#session.disconnect()
  }
}
