/**
 * Reads the outbox of an engine: calls and lines of the console, framed by lengths. The text comes from where a program
 * runs, so nothing of it is believed: every length, name, number and level must be right.
 */
import type { ConsoleLine, ProgramCall } from '../sandbox.ts'
import { lineIn } from './stack-line.ts'

export interface Outbox {
  readonly calls: readonly ProgramCall[]
  readonly console: readonly ConsoleLine[]
}

export interface OutboxRules {
  /** The number that the next call has. */
  readonly nextIndex: number
  /** How many more calls may be open. */
  readonly room: number
  /** The longest arguments, in bytes. */
  readonly valueBytes: number
  /** How many lines the code has. */
  readonly lines: number
}

const LEVELS: readonly string[] = ['log', 'info', 'debug', 'warn', 'error']
const HEADER = /([TSC])(\d{1,9}),(\d{1,9})(?:,(\d{1,9}))?;/y

/** `undefined`: it is not sound. */
export function readOutbox(text: string, rules: OutboxRules): Outbox | undefined {
  const calls: ProgramCall[] = []
  const lines: ConsoleLine[] = []
  let at = 0
  while (at < text.length) {
    HEADER.lastIndex = at
    const header = HEADER.exec(text)
    if (!header) return undefined
    const [whole, letter, first, second, third] = header
    const firstAt = at + whole.length
    const secondAt = firstAt + Number(first)
    const thirdAt = secondAt + Number(second)
    at = thirdAt + Number(third ?? 0)
    if (at > text.length || (letter === 'C') !== (third === undefined)) return undefined
    const [head, body] = [text.slice(firstAt, secondAt), text.slice(secondAt, thirdAt)]
    if (letter === 'C') {
      if (!LEVELS.includes(head)) return undefined
      lines.push({ level: head as ConsoleLine['level'], text: body })
      continue
    }
    if (calls.length >= rules.room || body.length > rules.valueBytes) return undefined
    const line = lineIn(text.slice(thirdAt, at))
    calls.push({
      index: rules.nextIndex + calls.length,
      kind: letter === 'S' ? 'search' : 'tool',
      name: head,
      arguments: body,
      ...(line !== undefined && line > 0 && line <= rules.lines && { line }),
    })
  }
  return { calls, console: lines }
}
