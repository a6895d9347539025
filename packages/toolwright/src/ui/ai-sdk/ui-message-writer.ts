/** The message that is being written: what of it is open, what the page knows of it, and the text to be sent. */
import type { ToolCall } from '../../messages/message.ts'
import { shownInput } from '../shown/shown-input.ts'
import type { PageStreamOptions } from '../stream/page-stream-options.ts'
import { frame } from '../stream/stream-converter.ts'
import type { UiMessageChunk } from './ui-message-chunk.ts'

export type Block = 'text' | 'reasoning'

export class UiMessageWriter {
  readonly options: PageStreamOptions
  /** Whether this round has said something in pieces; if not, `round-end` has it whole. */
  hasSaid: { [block in Block]: boolean } = { text: false, reasoning: false }
  readonly #knownCalls: Set<string>
  #unsent = ''
  #block: Block | undefined
  #blocks = 0
  /** What stands before each piece of the open block: written once, because there are thousands of pieces. */
  #beforePiece = ''
  #round: number | undefined
  /** A run that goes on does so inside the step in which it stopped. */
  #isInStep: boolean

  constructor(options: PageStreamOptions) {
    const { continuation } = options
    this.options = options
    this.#isInStep = continuation !== undefined
    this.#knownCalls = new Set(continuation?.pending.map(({ callId }) => callId))
  }

  /** What is to be sent since the last time. */
  take(): string {
    const text = this.#unsent
    this.#unsent = ''
    return text
  }

  send(chunk: UiMessageChunk): void {
    this.#unsent += frame(chunk)
  }

  /** A piece of text or reasoning, in the block that is open or a new one. */
  say(block: Block, text: string): void {
    if (this.#block !== block) this.#openBlock(block)
    this.#unsent += `${this.#beforePiece}${JSON.stringify(text)}}\n\n`
  }

  closeBlock(): void {
    if (!this.#block) return
    this.send({ type: `${this.#block}-end`, id: this.#blockId })
    this.#block = undefined
  }

  #openBlock(block: Block): void {
    this.closeBlock()
    this.#blocks++
    this.#block = block
    this.hasSaid[block] = true
    this.#beforePiece = `data: {"type":"${block}-delta","id":"${this.#blockId}","delta":`
    this.send({ type: `${block}-start`, id: this.#blockId })
  }

  get #blockId(): string {
    return `${this.#block}-${this.#blocks}`
  }

  /** Each round is a step of the message. */
  inRound(round: number | undefined): void {
    if (round === undefined || round === this.#round) return
    const isSame = this.#round === undefined && this.#isInStep
    this.#round = round
    if (isSame) return
    this.closeStep()
    this.#isInStep = true
    this.hasSaid = { text: false, reasoning: false }
    this.send({ type: 'start-step' })
  }

  closeStep(): void {
    this.closeBlock()
    if (this.#isInStep) this.send({ type: 'finish-step' })
    this.#isInStep = false
  }

  /** A page that is told of a call it has not heard of breaks the stream off. */
  announce(call: Pick<ToolCall, 'id' | 'name' | 'arguments'>): void {
    if (!this.#knownCalls.has(call.id)) this.available(call)
  }

  knows(callId: string): boolean {
    return this.#knownCalls.has(callId)
  }

  start(id: string, name: string): void {
    this.closeBlock()
    this.#knownCalls.add(id)
    this.send({ type: 'tool-input-start', toolCallId: id, toolName: name, dynamic: true })
  }

  available({ id, name, arguments: text }: Pick<ToolCall, 'id' | 'name' | 'arguments'>): void {
    this.closeBlock()
    this.#knownCalls.add(id)
    const input = shownInput(text)
    this.send({
      type: 'tool-input-available',
      toolCallId: id,
      toolName: name,
      input,
      dynamic: true,
    })
  }
}
