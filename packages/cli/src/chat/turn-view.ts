/**
 * Shows a turn as it happens: text as it streams, each call with its arguments and result, notices, and the
 * cost. Calls that a tool makes stand indented under its own, with their numbers. What models and tools wrote is made safe and cut where it is long; the answer is not cut.
 */
import {
  textOf,
  type ChatEvent,
  type ChatResponse,
  type Json,
  type ToolResponse,
  type Usage,
} from 'toolwright'
import { cut, excerpt, printable } from '../terminal/printable.ts'
import type { Screen } from '../terminal/screen.ts'
import type { Style } from '../terminal/styles.ts'
import { valueText } from '../terminal/value-text.ts'
import { ARGUMENTS_SHOWN, inWords, partInWords, RESULT_SHOWN } from './in-words.ts'
import { consoleText, programLines } from './program-text.ts'

export interface TurnScreens {
  /** Undefined: the answer is not shown while it streams. */
  readonly answer: Screen | undefined
  /** Everything else. */
  readonly notes: Screen
}

type EventOf<Type extends ChatEvent['type']> = Extract<ChatEvent, { readonly type: Type }>
type Handlers = { readonly [Type in ChatEvent['type']]?: (event: EventOf<Type>) => void }

/** The most that is shown of what tools print in one turn. */
const PRINTED_SHOWN = { characters: 2000, lines: 40 }

export class TurnView {
  readonly #answer: Screen | undefined
  readonly #notes: Screen
  /** The names of the running tools, by call. */
  readonly #running = new Map<string, string>()
  /** How deep the calls that tools make stand under those of the model, by call. */
  readonly #depths = new Map<string, number>()
  #lastProgress = ''
  /** What is left for output that tools print. */
  #room = PRINTED_SHOWN

  constructor({ answer, notes }: TurnScreens) {
    this.#answer = answer
    this.#notes = notes
    this.#notes.status('thinking')
  }

  show(event: ChatEvent): void {
    const handler = this.#handlers[event.type] as ((event: ChatEvent) => void) | undefined
    // Text of a run inside a tool is not part of the answer; its cost is included in the total.
    if (event.parentCallId === undefined || INNER.has(event.type)) handler?.(event)
  }

  /** Shows what a tool printed itself. */
  showPrinted(text: string): void {
    if (!this.#notes.isTerminal) return this.#notes.raw(text)
    const { characters, lines } = this.#room
    if (characters <= 0 || lines <= 0) return
    const { shown, hidden } = excerpt(text, this.#room)
    this.#room = {
      characters: characters - text.length,
      lines: lines - text.split('\n').length + 1,
    }
    this.#answer?.endLine()
    this.#notes.flow(shown, this.#notes.styles.dim)
    if (hidden > 0) this.#note('… what tools print further is not shown')
  }

  /** Completes what is open on the screen. */
  end(): void {
    this.#notes.status(undefined)
    this.#notes.endLine()
    this.#answer?.endLine()
  }

  readonly #handlers: Handlers = {
    'text-delta': ({ text }) => {
      this.#notes.status(undefined)
      this.#answer?.flow(text)
    },
    'reasoning-delta': ({ text }) => {
      if (this.#answer) this.#notes.flow(text, this.#notes.styles.dim)
    },
    'tool-call-start': ({ name }) => this.#notes.status(printable(name)),
    'tool-call': ({ toolCall, parentCallId }) => {
      const { name, arguments: json } = toolCall
      const place = this.#placeOf(toolCall.id, parentCallId)
      const { cyan, dim } = this.#notes.styles
      const program = programLines(name, json)
      const given = program === undefined ? ` ${cut(json, ARGUMENTS_SHOWN)}` : ''
      this.#note(`→ ${place.called(name)}${given}`, { ...place, style: cyan })
      for (const line of program ?? [])
        this.#note(line, { indent: `${place.indent}  `, style: dim })
    },
    'tool-execution-start': ({ toolCall }) => {
      this.#running.set(toolCall.id, toolCall.name)
      this.#showRunning()
    },
    'tool-progress': ({ toolCall, progress, parentCallId }) => {
      const place = this.#placeOf(toolCall.id, parentCallId)
      const written = consoleText(toolCall.name, progress)
      if (written !== undefined)
        return this.#note(cut(written, ARGUMENTS_SHOWN), { indent: `${place.indent}  ` })
      const line = `${place.called(toolCall.name)}: ${cut(valueText(progress), ARGUMENTS_SHOWN)}`
      if (line !== this.#lastProgress) this.#note(line, place)
      this.#lastProgress = line
    },
    'tool-result': ({ response, parentCallId }) => {
      this.#showResult(response, parentCallId)
      this.#running.delete(response.id)
      this.#showRunning()
    },
    notice: ({ message }) => {
      this.#note(`note: ${printable(message)}`, { style: this.#notes.styles.yellow })
    },
    part: ({ part }) => {
      if (part.type !== 'reasoning') this.#note(partInWords(part))
    },
    'round-end': () => this.#showRunning(),
    response: ({ response }) => this.#showEnd(response),
  }

  #showRunning(): void {
    this.#notes.status(printable([...this.#running.values()].at(-1) ?? 'thinking'))
  }

  #showResult({ id, name, content, isError }: ToolResponse, parentCallId?: string): void {
    const { styles } = this.#notes
    const place = this.#placeOf(id, parentCallId)
    const line = `${place.called(name)}: ${cut(inWords(content), RESULT_SHOWN)}`
    if (isError) this.#note(`✗ ${line}`, { ...place, style: styles.red })
    else this.#note(`← ${line}`, { ...place, style: styles.dim })
  }

  /** Where a call stands, and what it is called there: those of one tool run side by side, so they are numbered. */
  #placeOf(callId: string, parentCallId: string | undefined) {
    const depth = parentCallId === undefined ? 0 : (this.#depths.get(parentCallId) ?? 0) + 1
    this.#depths.set(callId, depth)
    const isNumbered = parentCallId !== undefined && callId.startsWith(`${parentCallId}/`)
    const number = isNumbered ? ` #${printable(callId.slice(parentCallId.length + 1))}` : ''
    return { indent: '  '.repeat(depth), called: (name: string) => `${printable(name)}${number}` }
  }

  #showEnd(response: ChatResponse): void {
    this.#notes.status(undefined)
    const reason = response.results[0]?.finishReason
    if (reason === 'suspended') return
    // A direct result of a tool was never streamed.
    if (reason === 'return-direct') this.#answer?.flow(textOf(response))
    this.#answer?.endLine()
    const ended = ENDINGS[reason ?? 'other']
    if (ended) this.#note(ended, { style: this.#notes.styles.yellow })
    const cost = usageInWords(response.usage)
    if (cost !== '') this.#note(cost, { style: this.#notes.styles.dim })
  }

  #note(text: string, { indent = '', style }: { indent?: string; style?: Style } = {}): void {
    this.#answer?.endLine()
    this.#notes.block(text, { indent, hanging: `${indent}  `, ...(style && { style }) })
  }
}

/** The events of a run inside a tool that are shown. */
const INNER: ReadonlySet<ChatEvent['type']> = new Set([
  'tool-call',
  'tool-progress',
  'tool-result',
  'notice',
])

const ENDINGS: { readonly [reason: string]: string } = {
  length: 'The answer is cut: the model may say no more at once.',
  'content-filter': 'The provider cut the answer: its filter did not like it.',
}

function usageInWords({ inputTokens, outputTokens, totalTokens }: Usage): string {
  const words = [
    inputTokens !== undefined && `${withSeparators(inputTokens)} tokens in`,
    outputTokens !== undefined && `${withSeparators(outputTokens)} out`,
  ].filter((word) => word !== false)
  if (words.length > 0) return words.join(', ')
  return totalTokens === undefined ? '' : `${withSeparators(totalTokens)} tokens`
}

const withSeparators = (tokens: number): string => tokens.toLocaleString('en-US')

/** Formats JSON over several lines for a reader. */
export const pretty = (value: Json): string => cut(JSON.stringify(value, null, 2), RESULT_SHOWN)
