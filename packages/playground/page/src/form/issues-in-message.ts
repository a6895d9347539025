/** The places that a message names, as `$.items[2]: expected …; $.day: …`: a refused decision comes without its issues. */
import type { FieldIssue } from '../../../src/protocol/routes.ts'
import type { Path } from './path.ts'

const KEY = /\.([\p{L}_$][\p{L}\p{N}_$]*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/gu
const START = new RegExp(`(?:: |; )\\$((?:${KEY.source})*): `, 'gu')
/** The end of the sentence, and what to do about it. */
const REST = /\.(?:\s+[A-Z][^"]*)?$/

export function issuesInMessage(message: string): readonly FieldIssue[] {
  const starts = [...message.matchAll(START)]
  return starts.map(({ 0: start, 1: path = '', index }, at) => ({
    path: keysOf(path),
    message: message.slice(index + start.length, starts[at + 1]?.index).replace(REST, ''),
  }))
}

const keysOf = (path: string): Path =>
  [...path.matchAll(KEY)].map(
    ([, name, number, quoted]) =>
      name ?? (number === undefined ? (JSON.parse(quoted!) as string) : Number(number)),
  )
