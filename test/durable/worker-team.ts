/** The workers on one database: started, killed and asked. A question finds another worker when the one it had dies. */
import { AnswerError, ProcessEnded, type AskedProcess } from '../processes/asked-process.ts'
import type { WorkerAnswers } from './durable-worker.ts'

export type DurableWorker = AskedProcess<WorkerAnswers>

type Question = keyof WorkerAnswers & string
type Asked<Name extends Question> = Parameters<DurableWorker['ask']>[1] &
  Parameters<WorkerAnswers[Name]>[0]
type Given<Name extends Question> = Awaited<ReturnType<WorkerAnswers[Name]>>

export class WorkerTeam {
  readonly #start: () => Promise<DurableWorker>
  readonly #workers = new Set<DurableWorker>()
  #hired: (() => void)[] = []

  constructor(start: () => Promise<DurableWorker>) {
    this.#start = start
  }

  get workers(): readonly DurableWorker[] {
    return [...this.#workers]
  }

  async hire(): Promise<DurableWorker> {
    const worker = await this.#start()
    this.#workers.add(worker)
    void worker.ended.then(() => this.#workers.delete(worker))
    for (const wake of this.#hired.splice(0)) wake()
    return worker
  }

  async kill(worker: DurableWorker): Promise<void> {
    this.#workers.delete(worker)
    worker.kill('SIGKILL')
    await worker.ended
  }

  /** Asks any worker, and another one when it dies or has no database, for as long as it takes. */
  async ask<Name extends Question>(name: Name, asked: Asked<Name>): Promise<Given<Name>> {
    for (;;) {
      const workers = this.workers
      if (workers.length === 0) {
        await new Promise<void>((resolve) => this.#hired.push(resolve))
        continue
      }
      const worker = workers[Math.floor(Math.random() * workers.length)]!
      try {
        return (await worker.ask(name, asked as never)) as Given<Name>
      } catch (error) {
        if (!isPassing(error)) throw error
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }
  }

  async dismiss(): Promise<void> {
    await Promise.all(this.workers.map((worker) => this.kill(worker)))
  }
}

const isPassing = (error: unknown): boolean =>
  error instanceof ProcessEnded ||
  (error instanceof AnswerError && (error.code ?? '').startsWith('database-'))
