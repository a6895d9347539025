/** Reads one line from a terminal, with history and editing keys. */
import {
  clearScreenDown,
  createInterface,
  cursorTo,
  moveCursor,
  type Interface,
} from 'node:readline'
import type { Keyboard } from './keyboard.ts'

/** `interrupt`: Ctrl-C, with the text so far. `end`: Ctrl-D, or the terminal is gone. */
export type Typed =
  | { readonly kind: 'line'; readonly text: string }
  | { readonly kind: 'interrupt'; readonly text: string }
  | { readonly kind: 'end' }

export interface LineQuestion {
  readonly prompt: string
  /** Text to start with. */
  readonly initial?: string
  /** Earlier lines, newest first. The new line is added at the front. */
  readonly history?: string[]
}

const HISTORY = 500

export class LineEditor {
  readonly #keyboard: Keyboard
  readonly #output: NodeJS.WriteStream
  #open: Interface | undefined

  constructor(keyboard: Keyboard, output: NodeJS.WriteStream) {
    this.#keyboard = keyboard
    this.#output = output
  }

  read({ prompt, initial = '', history = [] }: LineQuestion): Promise<Typed> {
    const editor = createInterface({
      input: this.#keyboard.keys,
      output: this.#output,
      terminal: true,
      prompt,
      history: [...history],
      historySize: HISTORY,
      removeHistoryDuplicates: true,
    })
    this.#open = editor
    editor.on('history', (lines: string[]) => history.splice(0, Infinity, ...lines))
    const typed = this.#typedIn(editor)
    editor.prompt()
    if (initial !== '') editor.write(initial)
    this.#keyboard.isRead = true
    return typed
  }

  /** Writes above the line that is being edited, if there is one. */
  aside(write: () => void): void {
    const editor = this.#open
    if (!editor) return write()
    moveCursor(this.#output, 0, -editor.getCursorPos().rows)
    cursorTo(this.#output, 0)
    clearScreenDown(this.#output)
    write()
    // Otherwise readline would move up as many rows as the line had before.
    Object.assign(editor, { prevRows: 0 })
    editor.prompt(true)
  }

  #typedIn(editor: Interface): Promise<Typed> {
    const keyboard = this.#keyboard
    return new Promise((resolve) => {
      const end = (typed: Typed): void => {
        keyboard.isRead = false
        this.#open = undefined
        resolve(typed)
        editor.close()
      }
      editor.on('line', (line) => end({ kind: 'line', text: keyboard.expand(line) }))
      editor.on('SIGINT', () => {
        this.#output.write('\n')
        end({ kind: 'interrupt', text: editor.line })
      })
      editor.on('SIGTSTP', () => keyboard.stop(() => editor.prompt(true)))
      editor.on('close', () => {
        // The line and Ctrl-C events come before the close event that they cause.
        if (this.#open !== editor) return
        this.#output.write('\n')
        end({ kind: 'end' })
      })
    })
  }
}
