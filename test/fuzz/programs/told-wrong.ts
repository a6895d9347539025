/** Holds what the model was told of a program against what the program came to. */
import { isDeepStrictEqual } from 'node:util'
import type { ProgramError } from '@toolwright/code-mode'
import type { RunResult } from 'toolwright'
import type { OracleEnd } from './oracle-program.ts'

export interface ToldProgram {
  readonly result: RunResult
  /** The ids of the calls that were approved with other arguments. */
  readonly edits: readonly string[]
  readonly end: OracleEnd
  readonly console: readonly string[]
  readonly unhandled?: readonly ProgramError[]
}

/** Which call failed. */
interface ProgramFailure {
  readonly tool: string
  readonly code: string
}

export function toldWrong(told: ToldProgram): readonly string[] {
  const { result, end } = told
  const { content, isError } = responseOf(result)
  if ('error' in end) {
    const { name, message, tool, code } = end.error as Error & Partial<ProgramFailure>
    const which = tool === undefined ? '' : `${tool} (${code}): `
    // What engines say of promises that were all rejected is up to them.
    const words = name === 'AggregateError' ? `${name}: ` : `${name}: ${which}${message}`
    if (!isError || !content.startsWith(words))
      return [`it should have failed with ${words}, and the model reads ${content}`]
    return compared(failureRead(content), told)
  }
  if (isError) return [`it should not have failed, and the model reads ${content}`]
  const read = JSON.parse(content) as ReadBesides & { readonly result: unknown }
  const value = end.value === undefined ? null : (JSON.parse(JSON.stringify(end.value)) as unknown)
  const faults = compared(read, told)
  if (isDeepStrictEqual(read.result, value)) return faults
  return [`result should be ${shown(value)} and is ${shown(read.result)}`, ...faults]
}

/** What the model reads besides the result or the reason of the failure. */
interface ReadBesides {
  readonly console?: readonly string[]
  readonly notes?: readonly string[]
  readonly failedCalls?: readonly string[]
}

function compared(read: ReadBesides, { edits, console, unhandled = [] }: ToldProgram): string[] {
  const noted = (read.notes ?? []).flatMap((note) => /^Call (\d+),/.exec(note)?.[1] ?? [])
  const failed = (read.failedCalls ?? []).map((each) => each.replace(/ \(line \d+\)$/, ''))
  const all: readonly (readonly [string, unknown, unknown])[] = [
    ['console', read.console ?? [], console],
    ['notes', noted.map((index) => `p/${index}`).toSorted(), edits.toSorted()],
    ['failed calls', failed, unhandled.map(({ name, message }) => `${name}: ${message}`)],
  ]
  return all.flatMap(([what, is, should]) =>
    isDeepStrictEqual(is, should) ? [] : [`${what} should be ${shown(should)} and is ${shown(is)}`],
  )
}

const LISTS = ['notes:', 'failed calls:', 'console:']

/** The lists below the words of a failure. What programs of the fuzz write are single lines. */
function failureRead(content: string): ReadBesides {
  const lists = new Map<string, string[]>()
  let list: string[] = []
  for (const line of content.split('\n')) {
    if (LISTS.includes(line)) lists.set(line, (list = []))
    else list.push(line)
  }
  const [notes, failedCalls, console] = LISTS.map((name) => lists.get(name) ?? [])
  return { notes: notes!, failedCalls: failedCalls!, console: console! }
}

const shown = (value: unknown): string => JSON.stringify(value)

function responseOf({ messages }: RunResult): { content: string; isError: boolean } {
  const message = messages.findLast(({ role }) => role === 'tool')
  if (message?.role !== 'tool') return { content: 'nothing', isError: true }
  const { content, isError = false } = message.responses[0]!
  return { content: typeof content === 'string' ? content : JSON.stringify(content), isError }
}
