/**
 * The keyboard of a terminal, for as long as it is open: nothing is echoed by itself, keys typed while nobody
 * asks are kept for the next who does, Ctrl-C goes to whoever is at work, and what is pasted stays in one
 * piece. The line editor reads from here.
 */
import { EventEmitter } from 'node:events'
import { Pastes } from './pastes.ts'

const INTERRUPT = '\x03'
const PASTE_ON = '\x1b[?2004h'
const PASTE_OFF = '\x1b[?2004l'

export interface KeyboardStreams {
  readonly stdin: NodeJS.ReadStream
  readonly output: NodeJS.WriteStream
}

export class Keyboard {
  /** Where the editor reads; data comes only while `isRead`. */
  readonly keys = new EventEmitter() as NodeJS.ReadStream
  /** Who is told of Ctrl-C while nobody reads. Without anybody, it waits for the next who does. */
  onInterrupt: (() => void) | undefined
  readonly #streams: KeyboardStreams
  readonly #pastes = new Pastes()
  #typed = ''
  #isRead = false
  #isOpen = false

  constructor(streams: KeyboardStreams) {
    this.#streams = streams
    // What readline asks of its input beyond events.
    Object.assign(this.keys, { resume: () => this.keys, pause: () => this.keys })
  }

  open(): void {
    if (this.#isOpen) return
    this.#isOpen = true
    const { stdin, output } = this.#streams
    stdin.setEncoding('utf8')
    stdin.on('data', this.#onData).on('end', this.#onEnd)
    process.on('SIGINT', this.#onSignal).on('exit', this.#restore)
    stdin.setRawMode(true)
    stdin.resume()
    output.write(PASTE_ON)
  }

  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    const { stdin } = this.#streams
    stdin.off('data', this.#onData).off('end', this.#onEnd)
    process.off('SIGINT', this.#onSignal).off('exit', this.#restore)
    stdin.pause()
    this.#restore()
  }

  /** Whoever reads gets the keys now, first those already typed. */
  set isRead(isRead: boolean) {
    this.#isRead = isRead
    if (isRead) setImmediate(() => this.#pump())
  }

  /** What was typed, with what was pasted in it. */
  expand(line: string): string {
    return this.#pastes.expand(line)
  }

  /** Stops the process as Ctrl-Z does elsewhere; `after` is called when it goes on. */
  stop(after: () => void): void {
    process.once('SIGCONT', () => {
      this.#streams.stdin.setRawMode(true)
      this.#streams.output.write(PASTE_ON)
      after()
    })
    this.#restore()
    process.kill(process.pid, 'SIGTSTP')
  }

  readonly #onData = (data: string): void => {
    this.#typed += this.#pastes.take(data)
    this.#pump()
  }

  readonly #onEnd = (): void => void this.keys.emit('end')

  readonly #onSignal = (): void => this.#onData(INTERRUPT)

  readonly #restore = (): void => {
    this.#streams.output.write(PASTE_OFF)
    this.#streams.stdin.setRawMode(false)
  }

  /** A line at a time: after it somebody else may read. */
  #pump(): void {
    while (this.#isRead && this.#typed !== '') {
      const end = this.#typed.search(/[\r\n]/)
      const piece = end === -1 ? this.#typed : this.#typed.slice(0, end + 1)
      this.#typed = this.#typed.slice(piece.length)
      this.keys.emit('data', piece)
    }
    const interrupt = this.#typed.lastIndexOf(INTERRUPT)
    if (interrupt === -1 || !this.onInterrupt) return
    const times = this.#typed.split(INTERRUPT).length - 1
    // As everywhere, Ctrl-C takes back what was typed before it.
    this.#typed = this.#typed.slice(interrupt + 1)
    for (let time = 0; time < times; time++) this.onInterrupt?.()
  }
}
