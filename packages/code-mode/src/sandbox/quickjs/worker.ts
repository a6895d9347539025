/** The thread of a worker: it runs the turns of its programs, one after another, and says what came of them. */
import { parentPort, workerData } from 'node:worker_threads'
import { Mailbox } from './mailbox.ts'
import { Programs } from './programs.ts'
import type { FromWorker, ToWorker, WireTurn, WorkerStart } from './wire.ts'

const { wasm, beat: shared } = workerData as WorkerStart
const host = parentPort!
const beat = new Int32Array(shared)
const programs = new Programs(wasm, beat)
const mailbox = new Mailbox(host, beat, take)
const send = (message: FromWorker): void => host.postMessage(message)

/** One message after another, because two turns at the same time would share the watch of the host. */
let last: Promise<void> = programs.warmUp().then(() => send({ ready: true }))

function take(message: ToWorker): void {
  last = last.then(async () => {
    const turns = await programs.handle(message)
    if ('drop' in message) return
    send({ id: message.id, turns })
    if ('start' in message) programs.makeSpare(message.start.limits)
    else if (turns.some(hasCalls)) mailbox.look()
  })
}

const hasCalls = ({ outbox, end }: WireTurn): boolean => outbox !== '' && !end
