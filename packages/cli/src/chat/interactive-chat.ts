/**
 * The chat on a terminal. Ctrl-C aborts the turn and returns to the prompt, twice quits; Ctrl-D ends. Any
 * failure (a turn, a tool that throws later, an edit of the tools) is reported, and the prompt stays.
 */
import type { CommandIo } from '../command/command.ts'
import { Keyboard } from '../terminal/keyboard.ts'
import { LineEditor } from '../terminal/line-editor.ts'
import { printable } from '../terminal/printable.ts'
import { askDecisions } from './ask-decisions.ts'
import { approveAll } from './approve-all.ts'
import type { Typing } from './chat-screens.ts'
import type { ChatSession } from './chat-session.ts'
import { chatCommand, type ChatCommand } from './chat-commands.ts'
import { INTERRUPTED } from '../command/interrupts.ts'
import { whyNoAnswer } from './no-answer.ts'
import type { Decide } from './run-turn.ts'
import { isAnswered, showTurn } from './show-turn.ts'
import { turnError } from './turn-error.ts'
import type { TurnScreens } from './turn-view.ts'

export interface InteractiveChatOptions {
  readonly session: ChatSession
  readonly screens: TurnScreens
  readonly typing: Typing
  readonly io: CommandIo
  /** Approves every call that needs approval. */
  readonly yes: boolean
}

const PROMPT = '> '

export class InteractiveChat {
  readonly #options: InteractiveChatOptions
  readonly #keyboard: Keyboard
  readonly #editor: LineEditor
  readonly #decide: Decide
  readonly #history: string[] = []
  /** Ctrl-C was just pressed: pressing it again quits. */
  #quitting = false
  #exitCode: number | undefined

  constructor(options: InteractiveChatOptions) {
    this.#options = options
    const { typing, io, yes } = options
    this.#keyboard = new Keyboard({ stdin: io.stdin, output: typing.output })
    this.#editor = new LineEditor(this.#keyboard, typing.output)
    const ask = askDecisions({
      screen: typing.screen,
      forget: () => this.#keyboard.forget(),
      readLine: (question) => this.#editor.read(question),
    })
    this.#decide = yes ? approveAll(ask) : ask
  }

  /** Returns the exit code when the user leaves. */
  async run(): Promise<number> {
    this.#keyboard.open()
    process.on('uncaughtException', this.#onStray)
    try {
      this.#greet()
      while (this.#exitCode === undefined) await this.#next()
      return this.#exitCode
    } finally {
      process.off('uncaughtException', this.#onStray)
      this.#keyboard.close()
    }
  }

  #greet(): void {
    const { session } = this.#options
    const tools = session.tools.length === 1 ? '1 tool' : `${session.tools.length} tools`
    const memory =
      session.conversation === undefined ? '' : `, conversation ${session.conversation}`
    this.#say(`${session.modelName}, ${tools}${memory}. /help says more.`)
  }

  /** Reports errors of code that is not awaited, such as a timer of a tool. */
  readonly #onStray = (error: unknown): void => {
    const message = `Something failed outside of a turn: ${turnError(error).message}`
    this.#editor.aside(() => this.#complain(message))
  }

  async #next(): Promise<void> {
    const typed = await this.#editor.read({ prompt: PROMPT, history: this.#history })
    if (typed.kind === 'end') this.#exitCode = 0
    else if (typed.kind === 'interrupt') this.#interrupted(typed.text)
    else await this.#take(typed.text.trim())
  }

  /** Ctrl-C at the prompt: clears what was typed; if there is nothing to clear, the second time quits. */
  #interrupted(text: string): void {
    if (text !== '') this.#quitting = false
    else if (this.#quitting) this.#exitCode = INTERRUPTED
    else this.#say('Ctrl-C again quits.')
    this.#quitting = text === ''
  }

  async #take(line: string): Promise<void> {
    this.#quitting = false
    if (line === '') return
    const command = chatCommand(line)
    await (command ? this.#obey(command) : this.#ask(line))
  }

  async #obey(command: ChatCommand): Promise<void> {
    const { session, screens } = this.#options
    const outcome = await command(session, (text) => screens.notes.block(text))
    if (outcome === 'exit') this.#exitCode = 0
  }

  async #ask(prompt: string): Promise<void> {
    const { session, screens, io } = this.#options
    const controller = new AbortController()
    const { signal } = controller
    this.#keyboard.onInterrupt = () => {
      if (signal.aborted) this.#exitCode = INTERRUPTED
      controller.abort()
    }
    try {
      await this.#refreshTools(signal)
      const turn = { prompt, signal, decide: this.#decide, screens, io }
      const result = await showTurn(session, turn)
      if (result.status === 'suspended') this.#sayAborted()
      else if (!isAnswered(result)) this.#complain(whyNoAnswer(result))
    } catch (error) {
      if (signal.aborted) this.#sayAborted()
      else this.#complain(turnError(error).message)
    }
    this.#keyboard.onInterrupt = undefined
  }

  async #refreshTools(signal: AbortSignal): Promise<void> {
    const reload = await this.#options.session.refresh(signal)
    if (reload?.kind === 'broken') this.#complain(reload.message)
    else if (reload) this.#say(reload.message)
  }

  #sayAborted(): void {
    this.#say('Aborted. Ctrl-C again quits.')
    this.#quitting = true
  }

  #say(text: string): void {
    const { notes } = this.#options.screens
    notes.block(printable(text), { style: notes.styles.dim })
  }

  #complain(text: string): void {
    const { notes } = this.#options.screens
    notes.block(printable(text), { style: notes.styles.red })
  }
}
