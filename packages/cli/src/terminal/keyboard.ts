/**
 * The keyboard of a terminal while it is open: nothing is echoed automatically, keys typed while no line
 * is read are kept for the next reader, Ctrl-C goes to the running work, and pasted text stays in one piece.
 * The line editor reads from here.
 */
import { EventEmitter } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { Pastes } from './pastes.ts'

const INTERRUPT = '\x03'
const STOP = '\x1a'
const SIGNALS = /(\x03|\x1a)/
const KILLS = ['SIGTERM', 'SIGHUP'] as const
const PASTE_ON = '\x1b[?2004h'
const PASTE_OFF = '\x1b[?2004l'

export interface KeyboardStreams {
  readonly stdin: NodeJS.ReadStream
  readonly output: NodeJS.WriteStream
}

export class Keyboard {
  /** The editor's input. Data arrives only while `isRead` is true. */
  readonly keys = new EventEmitter() as NodeJS.ReadStream
  /** Called on Ctrl-C while no line is read. Without it, Ctrl-C waits for the next reader. */
  onInterrupt: (() => void) | undefined
  readonly #stdin: NodeJS.ReadStream
  /** The stream's original method: what others write may be captured meanwhile. */
  readonly #write: (text: string) => void
  readonly #pastes = new Pastes()
  #typed = ''
  #isRead = false
  #isOpen = false

  constructor({ stdin, output }: KeyboardStreams) {
    this.#stdin = stdin
    this.#write = output.write.bind(output) as (text: string) => void
    // The methods that readline needs besides events.
    Object.assign(this.keys, { resume: () => this.keys, pause: () => this.keys })
  }

  open(): void {
    if (this.#isOpen) return
    this.#isOpen = true
    const stdin = this.#stdin
    stdin.setEncoding('utf8')
    stdin.on('data', this.#onData).on('end', this.#onEnd)
    process.on('SIGINT', this.#onSignal).on('exit', this.#restore)
    for (const signal of KILLS) process.on(signal, this.#onKill)
    this.#takeOver()
    stdin.resume()
  }

  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    const stdin = this.#stdin
    stdin.off('data', this.#onData).off('end', this.#onEnd)
    process.off('SIGINT', this.#onSignal).off('exit', this.#restore)
    for (const signal of KILLS) process.off(signal, this.#onKill)
    stdin.pause()
    this.#restore()
  }

  /** While true, the reader gets the keys, starting with those already typed. */
  set isRead(isRead: boolean) {
    this.#isRead = isRead
    if (isRead && this.#isOpen) this.#wake()
    if (isRead) void setImmediate().then(() => this.#pump())
  }

  /** Drops what was typed so far: an answer must not be older than its question. */
  async forget(): Promise<void> {
    // What the system still buffers arrives with the next turns of the event loop.
    await setImmediate()
    await setImmediate()
    this.#typed = ''
  }

  /** The typed line, with pasted text inserted. */
  expand(line: string): string {
    return this.#pastes.expand(line)
  }

  /** Stops the process and its group, as Ctrl-Z normally does; `after` is called when it continues. */
  stop(after: () => void): void {
    if (process.platform === 'win32') return
    this.#restore()
    process.kill(0, 'SIGTSTP')
    // Called even if the process was not stopped: the system does not stop a process that no shell could
    // continue.
    void setImmediate().then(() => {
      this.#takeOver()
      after()
    })
  }

  readonly #onData = (data: string): void => {
    this.#typed += this.#pastes.take(data)
    this.#pump()
  }

  readonly #onEnd = (): void => void this.keys.emit('end')

  readonly #onSignal = (): void => this.#onData(INTERRUPT)

  /** Ends by the same signal, after restoring the terminal. */
  readonly #onKill = (signal: NodeJS.Signals): void => {
    this.close()
    process.kill(process.pid, signal)
  }

  /** A tool that read stdin itself may have left it paused, and the terminal in line mode. */
  #wake(): void {
    this.#stdin.setRawMode(true)
    this.#stdin.resume()
  }

  #takeOver(): void {
    this.#stdin.setRawMode(true)
    this.#write(PASTE_ON)
  }

  readonly #restore = (): void => {
    this.#write(PASTE_OFF)
    this.#stdin.setRawMode(false)
  }

  /** Passes on one line at a time, because someone else may read the next. */
  #pump(): void {
    while (this.#isRead && this.#typed !== '') {
      const end = this.#typed.search(/[\r\n]/)
      const piece = end === -1 ? this.#typed : this.#typed.slice(0, end + 1)
      this.#typed = this.#typed.slice(piece.length)
      this.keys.emit('data', piece)
    }
    if (!this.#isRead && this.onInterrupt) this.#signal(this.onInterrupt)
  }

  /** Keys that act as signals while work is running. As usual, they discard what was typed before. */
  #signal(interrupt: () => void): void {
    const keys = this.#typed.split(SIGNALS)
    if (keys.length === 1) return
    this.#typed = keys.at(-1)!
    for (const key of keys) {
      if (key === INTERRUPT) interrupt()
      if (key === STOP) this.stop(() => {})
    }
  }
}
