/** What it costs here that two threads wake each other: nothing that crosses threads and sleeps in between can be faster. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

const ECHO = `const { parentPort } = require('node:worker_threads')
parentPort.on('message', (message) => parentPort.postMessage(message))`
const ROUNDS = 2000

/** The median of a message there and back, in µs. */
export async function pingPongUs(): Promise<number> {
  const worker = new Worker(ECHO, { eval: true })
  const all: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const from = performance.now()
    worker.postMessage(round)
    await once(worker, 'message')
    all.push((performance.now() - from) * 1000)
  }
  await worker.terminate()
  return all.sort((one, other) => one - other)[ROUNDS / 2]!
}
