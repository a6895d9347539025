/**
 * The worker's side of the protocol: waits for a batch, holds its conversations one after another and
 * reports CPU time, wall time and the work done. The same for every contender.
 */
import { done, resetWork } from './weather.ts'

export interface BatchRequest {
  readonly model: string
  readonly stream: boolean
  readonly conversations: number
}

export interface BatchReport {
  /** User and system time of the whole process, its garbage collector and compiler threads included. */
  readonly cpuMs: number
  readonly wallMs: number
  readonly executions: number
  readonly noteCharacters: number
  readonly textCharacters: number
}

/** Holds one conversation to its end and returns the final text. */
export type Converse = (request: {
  readonly model: string
  readonly stream: boolean
}) => Promise<string>

export function serveBatches(converse: Converse): void {
  process.on('message', (request: BatchRequest) => {
    runBatch(request, converse).then(
      (report) => process.send?.({ report }),
      (error: unknown) =>
        process.send?.({ error: error instanceof Error ? error.stack : String(error) }),
    )
  })
  // Exits by itself, not by a signal, so that a profile is written.
  process.on('disconnect', () => process.exit())
  process.send?.({ ready: true })
}

async function runBatch(
  { model, stream, conversations }: BatchRequest,
  converse: Converse,
): Promise<BatchReport> {
  resetWork()
  let textCharacters = 0
  const wallStart = performance.now()
  const cpuStart = process.cpuUsage()
  for (let count = 0; count < conversations; count++) {
    textCharacters += (await converse({ model, stream })).length
  }
  const cpu = process.cpuUsage(cpuStart)
  const wallMs = performance.now() - wallStart
  return { cpuMs: (cpu.user + cpu.system) / 1000, wallMs, ...done, textCharacters }
}
