/** The thread of a worker: it runs the turns of its programs, one after another, and says what came of them. */
import { parentPort, workerData } from 'node:worker_threads'
import { Programs } from './programs.ts'
import type { FromWorker, ToWorker, WorkerStart } from './wire.ts'

const { wasm, beat } = workerData as WorkerStart
const host = parentPort!
const programs = new Programs(wasm, new Int32Array(beat))
const send = (message: FromWorker): void => host.postMessage(message)

/** One message after another, because two turns at the same time would share the watch of the host. */
let last: Promise<void> = programs.warmUp().then(() => send({ ready: true }))

host.on('message', (message: ToWorker) => {
  last = last.then(async () => {
    const turns = await programs.handle(message)
    if ('drop' in message) return
    send({ id: message.id, turns })
    if ('start' in message) programs.makeSpare(message.start.limits)
  })
})
