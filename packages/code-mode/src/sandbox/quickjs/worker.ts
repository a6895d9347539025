/** The thread of a worker: it runs the turns of its programs, one after another, and says what came of them. */
import { parentPort, workerData } from 'node:worker_threads'
import { Mailbox } from './mailbox.ts'
import { Programs } from './programs.ts'
import { Slot } from './slot.ts'
import {
  LOOK,
  SHORT_ASKS,
  SHORT_TURNS,
  type FromWorker,
  type ToWorker,
  type WireTurn,
  type WorkerStart,
} from './wire.ts'

const { wasm, beat: shared, toWorker, toHost } = workerData as WorkerStart
const port = parentPort!
const beat = new Int32Array(shared)
const programs = new Programs(wasm, beat)
const mailbox = new Mailbox({ port, slot: new Slot(toWorker, SHORT_ASKS), beat, take })
const answers = new Slot(toHost, SHORT_TURNS)
const post = (message: FromWorker): void => port.postMessage(message)

/** One message after another, because two turns at the same time would share the watch of the host. */
let last: Promise<void> = programs.warmUp().then(() => post('ready'))

function take(message: ToWorker): void {
  last = last.then(() => {
    const turns = programs.handle(message)
    if ('drop' in message) return
    if (!(turns instanceof Promise)) return told(message.id, turns)
    return turns.then((started) => told(message.id, started))
  })
}

function told(id: number, turns: readonly WireTurn[]): void {
  answer(id, turns)
  programs.leaveEnded(id)
  if (turns.some(hasCalls)) mailbox.look()
}

function answer(id: number, turns: readonly WireTurn[]): void {
  if (!answers.put({ id, turns }, sizeOf(turns))) post({ id, turns })
  else if (!answers.isAwake) post(LOOK)
}

const sizeOf = (turns: readonly WireTurn[]): number =>
  turns.reduce((sum, { outbox, end }) => sum + outbox.length + (end?.ok ? (end.json?.length ?? 0) : 0), 0) // prettier-ignore

const hasCalls = ({ outbox, end }: WireTurn): boolean => outbox !== '' && !end
