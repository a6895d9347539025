/**
 * What one agent says: the run itself, or one inside of a tool. Knows what is open, because a client refuses a run that
 * ends while something is.
 */
import type { Json } from '../../messages/json.ts'
import type { ToolCall } from '../../messages/message.ts'
import type { PageStreamOptions } from '../stream/page-stream-options.ts'
import { frame } from '../stream/stream-converter.ts'
import type { AgUiContentEvent, OfSubagent } from './ag-ui-event.ts'

export type Speech = 'text' | 'reasoning'

export interface LaneOf {
  /** Where the text to be sent is gathered. */
  readonly write: (text: string) => void
  /** What the ids of its messages begin with. */
  readonly prefix: string
  readonly options: PageStreamOptions
  /** Of a run inside of a tool. */
  readonly subagentRunId?: string
}

export class AgUiLane {
  readonly of: LaneOf
  /** Whether this round has said something in pieces; if not, `round-end` has it whole. */
  hasSaid: { [speech in Speech]: boolean } = { text: false, reasoning: false }
  /** What calls run with that somebody approved with other arguments, by call id. */
  readonly edited = new Map<string, Json>()
  readonly #tag: OfSubagent
  readonly #openCalls = new Set<string>()
  readonly #hasArguments = new Set<string>()
  /** The tools of its calls, by call id. */
  readonly #toolNames = new Map<string, string>()
  #speech: Speech | undefined
  #thoughts = 0
  /** What stands before and after each piece: written once, because there are thousands of pieces. */
  #around: readonly [string, string] = ['', '']
  #round: number | undefined

  constructor(of: LaneOf) {
    this.of = of
    this.#tag = of.subagentRunId === undefined ? {} : { subagentRunId: of.subagentRunId }
  }

  send(event: AgUiContentEvent): void {
    this.of.write(frame({ ...event, ...this.#tag }))
  }

  /** The message of this round: its text, and the calls that belong to it. */
  get messageId(): string {
    return `${this.of.prefix}-${this.#round ?? 0}`
  }

  get thoughtId(): string {
    return `${this.messageId}-thought-${this.#thoughts}`
  }

  /** Each round is a step. Those inside of tools are not shown as such. */
  inRound(round: number | undefined): void {
    if (round === undefined || round === this.#round) return
    this.closeStep()
    this.#round = round
    this.hasSaid = { text: false, reasoning: false }
    if (this.of.subagentRunId === undefined)
      this.send({ type: 'STEP_STARTED', stepName: this.#stepName })
  }

  get #stepName(): string {
    return `round ${this.#round}`
  }

  closeStep(): void {
    this.closeSpeech()
    for (const toolCallId of this.#openCalls) this.send({ type: 'TOOL_CALL_END', toolCallId })
    this.#openCalls.clear()
    if (this.#round !== undefined && this.of.subagentRunId === undefined)
      this.send({ type: 'STEP_FINISHED', stepName: this.#stepName })
    this.#round = undefined
  }

  say(speech: Speech, text: string): void {
    // A client takes no empty piece.
    if (text === '') return
    if (this.#speech !== speech) this.#open(speech)
    const [before, after] = this.#around
    this.of.write(`${before}${JSON.stringify(text)}${after}`)
  }

  #open(speech: Speech): void {
    this.closeSpeech()
    this.#speech = speech
    this.hasSaid[speech] = true
    if (speech === 'text') {
      this.send({ type: 'TEXT_MESSAGE_START', messageId: this.messageId, role: 'assistant' })
    } else {
      this.#thoughts++
      this.send({ type: 'REASONING_START', messageId: this.thoughtId })
      this.send({ type: 'REASONING_MESSAGE_START', messageId: this.thoughtId, role: 'reasoning' })
    }
    const isText = speech === 'text'
    const type = isText ? 'TEXT_MESSAGE_CONTENT' : 'REASONING_MESSAGE_CONTENT'
    const rest = { messageId: isText ? this.messageId : this.thoughtId, ...this.#tag }
    this.#around = [`data: {"type":"${type}","delta":`, `,${JSON.stringify(rest).slice(1)}\n\n`]
  }

  closeSpeech(): void {
    if (this.#speech === 'text') {
      this.send({ type: 'TEXT_MESSAGE_END', messageId: this.messageId })
    } else if (this.#speech === 'reasoning') {
      this.send({ type: 'REASONING_MESSAGE_END', messageId: this.thoughtId })
      this.send({ type: 'REASONING_END', messageId: this.thoughtId })
    }
    this.#speech = undefined
  }

  startCall(toolCallId: string, toolCallName: string): void {
    this.closeSpeech()
    this.#toolNames.set(toolCallId, toolCallName)
    // Two calls of one id: the loop gives one of them another.
    if (this.#openCalls.has(toolCallId)) return
    this.#openCalls.add(toolCallId)
    const { messageId: parentMessageId } = this
    this.send({ type: 'TOOL_CALL_START', toolCallId, toolCallName, parentMessageId })
  }

  argue(toolCallId: string, delta: string): void {
    if (!this.#openCalls.has(toolCallId) || delta === '') return
    this.#hasArguments.add(toolCallId)
    this.send({ type: 'TOOL_CALL_ARGS', toolCallId, delta })
  }

  /** The call is complete. What came in no pieces comes now. */
  endCall({ id, name, arguments: text }: Pick<ToolCall, 'id' | 'name' | 'arguments'>): void {
    if (!this.#openCalls.has(id)) this.startCall(id, name)
    if (!this.#hasArguments.has(id)) this.argue(id, text)
    this.#openCalls.delete(id)
    this.send({ type: 'TOOL_CALL_END', toolCallId: id })
  }

  /** The tool of a call of this lane. */
  toolOf(callId: string): string | undefined {
    return this.#toolNames.get(callId)
  }
}
