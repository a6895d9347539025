/**
 * The output of a command for people: flowing text, blocks on lines of their own, and a short status at the
 * bottom that leaves no trace. Without a terminal there is no status, and lines are not wrapped.
 */
import { performance } from 'node:perf_hooks'
import { FlowingText } from './flowing-text.ts'
import { stylesOf, type Style, type Styles } from './styles.ts'
import { widthOf, wrap, type WrapOptions } from './wrap.ts'

export interface ScreenOptions {
  readonly output: NodeJS.WriteStream
  readonly env: { readonly [name: string]: string | undefined }
}

export interface BlockOptions extends Pick<WrapOptions, 'indent' | 'hanging'> {
  readonly style?: Style
}

/** Fits a terminal of 20 columns, so that no resize can break it into two lines and leave one behind. */
const STATUS_WIDTH = 18
const FRAMES = ['|', '/', '-', '\\']
const TICK_MS = 150

export class Screen {
  readonly styles: Styles
  /** Whether text can be erased again. */
  readonly isTerminal: boolean
  readonly #output: NodeJS.WriteStream
  /** The stream's original method: what others write may be captured, what is written here is not. */
  readonly #write: (text: string) => void
  readonly #text: FlowingText
  #style: Style
  #status: { readonly label: string; readonly since: number } | undefined
  #statusIsShown = false
  #frame = 0
  #timer: NodeJS.Timeout | undefined

  constructor({ output, env }: ScreenOptions) {
    this.#output = output
    this.#write = output.write.bind(output) as (text: string) => void
    this.styles = stylesOf(output, env)
    this.isTerminal = output.isTTY && env['TERM'] !== 'dumb'
    this.#style = this.styles.plain
    this.#text = new FlowingText({
      width: () => widthOf(output),
      write: (text) => this.#write(styledLines(text, this.#style)),
    })
  }

  get width(): number {
    return widthOf(this.#output)
  }

  /** Writes text as it comes. A different style starts on a new line. */
  flow(text: string, style: Style = this.styles.plain): void {
    this.#hideStatus()
    if (style !== this.#style) this.#text.endLine()
    this.#style = style
    this.#text.add(text)
  }

  /** Writes a text on lines of its own. */
  block(text: string, { style = this.styles.plain, ...options }: BlockOptions = {}): void {
    this.endLine()
    this.#write(`${styledLines(wrap(text, { ...options, width: this.width }), style)}\n`)
  }

  /** Writes text unchanged, for output that is not shown on a terminal. */
  raw(text: string): void {
    this.#write(text)
  }

  endLine(): void {
    this.#hideStatus()
    this.#text.endLine()
  }

  /** Shows what is being waited for, and for how long; undefined removes the status. */
  status(label: string | undefined): void {
    if (!this.isTerminal || label === this.#status?.label) return
    this.#hideStatus()
    this.#status = label === undefined ? undefined : { label, since: performance.now() }
    if (label === undefined) clearInterval(this.#timer)
    else if (!this.#timer) this.#timer = setInterval(() => this.#tick(), TICK_MS).unref()
    if (label === undefined) this.#timer = undefined
    this.#tick()
  }

  #tick(): void {
    if (!this.#status || !this.#text.isAtLineStart) return
    const seconds = Math.floor((performance.now() - this.#status.since) / 1000)
    const frame = FRAMES[this.#frame++ % FRAMES.length]!
    const status = `${frame} ${seconds > 0 ? `${seconds}s ` : ''}${this.#status.label}`
    const room = Math.min(STATUS_WIDTH, this.width - 1)
    this.#write(`\r\x1b[K${this.styles.dim(status.slice(0, room))}`)
    this.#statusIsShown = true
  }

  #hideStatus(): void {
    if (this.#statusIsShown) this.#write('\r\x1b[K')
    this.#statusIsShown = false
  }
}

/** Styles each line, because some terminals colour the rest of a line whose colour is not reset. */
const styledLines = (text: string, style: Style): string => text.split('\n').map(style).join('\n')
