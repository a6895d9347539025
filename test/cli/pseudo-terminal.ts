/**
 * The real command in a real pseudo-terminal, with a terminal emulator that says what a person would see.
 * Tests wait for what is on the screen, never for a time.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { ReadStream } from 'node:tty'
import type { IPty } from '@lydell/node-pty'
import xterm from '@xterm/headless'
import { HANG_GUARD_MS } from '../../scripts/hang-guard.ts'
import { BIN, cleanEnvironment } from './command-process.ts'

type Spawn = (typeof import('@lydell/node-pty'))['spawn']

/** Undefined on platforms it has no binary for. */
export const spawnInTerminal: Spawn | undefined = await import('@lydell/node-pty').then(
  (pty) => pty.spawn,
  () => undefined,
)

export const NO_TERMINAL = 'no pseudo-terminal can be made on this platform'

/** Shorter than the test's own, so that a test that fails says what was on the screen. */
const PATIENCE_MS = HANG_GUARD_MS / 2

export interface TerminalRun {
  readonly words: readonly string[]
  readonly cwd: string
  readonly env?: { readonly [name: string]: string | undefined }
  readonly columns?: number
  readonly rows?: number
  /** A file in the folder that gets what goes to stderr, as `2>errors.txt` does. */
  readonly errors?: string
  /** Stays open, showing `[ended 0]`: what is written last may be lost when a terminal closes. */
  readonly stays?: boolean
}

export class PseudoTerminal {
  readonly #pty: IPty
  readonly #screen: InstanceType<typeof xterm.Terminal>
  readonly #ended: Promise<number>
  #raw = ''
  #exitCode: number | undefined

  constructor({ words, cwd, env = {}, columns = 80, rows = 24, errors, stays }: TerminalRun) {
    const command = [process.execPath, BIN, ...words]
    const script = stays ? '"$@"; echo "[ended $?]"; read -r _' : errors && `exec "$@" 2>${errors}`
    const [file, ...rest] = script ? ['sh', '-c', script, 'sh', ...command] : command
    const size = { cols: columns, rows }
    this.#screen = new xterm.Terminal({ ...size, scrollback: 5000, allowProposedApi: true })
    this.#pty = spawnInTerminal!(file!, rest, {
      ...size,
      name: 'xterm-256color',
      cwd,
      env: cleanEnvironment({ TERM: 'xterm-256color', ...env }),
    })
    keepUntilRead(this.#pty)
    this.#pty.onData((data) => {
      this.#raw += data
      this.#screen.write(data)
    })
    this.#ended = new Promise((resolve) => {
      this.#pty.onExit(({ exitCode }) => resolve((this.#exitCode = exitCode)))
    })
  }

  /** Everything the process wrote, escapes and all. */
  get raw(): string {
    return this.#raw
  }

  /** The lines as they stand on the screen and above it, without the empty ones at the end. */
  get lines(): readonly string[] {
    const { active } = this.#screen.buffer
    const lines = Array.from({ length: active.length }, (_none, index) =>
      active.getLine(index)!.translateToString().trimEnd(),
    )
    return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1)
  }

  get text(): string {
    return this.lines.join('\n')
  }

  /** The line the cursor is in. */
  get currentLine(): string {
    const { active } = this.#screen.buffer
    return active
      .getLine(active.baseY + active.cursorY)!
      .translateToString()
      .trimEnd()
  }

  type(text: string): void {
    this.#pty.write(text)
  }

  resize(columns: number, rows = 24): void {
    this.#pty.resize(columns, rows)
    this.#screen.resize(columns, rows)
  }

  /** As another process does it. */
  kill(signal: NodeJS.Signals): void {
    process.kill(this.#pty.pid, signal)
  }

  /** Waits until the screen shows this, or what was asked of it holds. */
  async shows(what: string | RegExp | ((terminal: PseudoTerminal) => boolean)): Promise<void> {
    const deadline = Date.now() + PATIENCE_MS
    while (!this.#holds(what)) {
      if (this.#exitCode !== undefined || Date.now() > deadline) return this.#mustHold(what)
      await delay(10)
    }
  }

  /** Waits for the prompt, with nothing typed yet. */
  prompts(): Promise<void> {
    return this.shows(({ currentLine }) => currentLine === '>')
  }

  /** The exit code, once the process has ended and everything is on the screen. */
  async ends(): Promise<number> {
    const exitCode = await this.#ended
    await this.#parsed()
    return exitCode
  }

  dispose(): void {
    if (this.#exitCode === undefined) this.#pty.kill('SIGKILL')
    this.#screen.dispose()
  }

  #holds(what: Parameters<PseudoTerminal['shows']>[0]): boolean {
    if (typeof what === 'function') return what(this)
    return typeof what === 'string' ? this.text.includes(what) : what.test(this.text)
  }

  async #mustHold(what: Parameters<PseudoTerminal['shows']>[0]): Promise<void> {
    await this.#parsed()
    if (this.#holds(what)) return
    const how = this.#exitCode === undefined ? 'is still running' : `ended with ${this.#exitCode}`
    throw new Error(`The command ${how} and never showed ${String(what)}:\n${this.text}`)
  }

  #parsed(): Promise<void> {
    return new Promise((resolve) => this.#screen.write('', resolve))
  }
}

/**
 * A moment after the process has ended, node-pty closes the terminal, read or not: on a loaded machine the
 * last output would be lost. It closes by itself once everything is read.
 */
function keepUntilRead(pty: IPty): void {
  const { _socket: socket } = pty as unknown as { readonly _socket: ReadStream }
  const destroy = socket.destroy.bind(socket)
  const patience = setTimeout(() => (socket.destroy = destroy), PATIENCE_MS).unref()
  socket.destroy = (error?: Error) => {
    if (error === undefined && !socket.readableEnded) return socket
    clearTimeout(patience)
    return destroy(error)
  }
}
