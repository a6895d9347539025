/** Reads the arguments of a tool from the command line or from a pipe. */
import { text as readAll } from 'node:stream/consumers'
import type { CommandIo } from '../command/command.ts'
import { CommandError } from '../command/command-error.ts'
import { printable } from '../terminal/printable.ts'
import { jsonErrorPosition, placeOf } from './json-position.ts'

/** Returns JSON text. `-` reads stdin. */
export async function readArguments(word: string, { stdin }: CommandIo): Promise<string> {
  const text = word === '-' ? await readAll(stdin) : word
  if (text.trim() === '') return '{}'
  const position = jsonErrorPosition(text)
  if (position === undefined) return text
  const around = printable(text.slice(Math.max(0, position - 20), position + 20))
  throw new CommandError(
    `The arguments are not JSON: ${placeOf(text, position)}, near ${around}. Write them like '{"name":"value"}', in single quotes.`,
  )
}

/** Reads `key=value` pairs and JSON objects, in any number. Values that are valid JSON are parsed. */
export function readContext(words: readonly string[]): { readonly [key: string]: unknown } {
  return Object.assign({}, ...words.map(readContextWord)) as { readonly [key: string]: unknown }
}

function readContextWord(word: string): object {
  if (word.trimStart().startsWith('{')) {
    const value = jsonOr(undefined, word)
    if (typeof value === 'object' && value !== null) return value
  }
  const [, key, value = ''] = /^([^={}\s]+)=([\s\S]*)$/.exec(word) ?? []
  if (key !== undefined) return { [key]: jsonOr(value, value) }
  throw new CommandError(
    `--context takes key=value or a JSON object, not ${printable(word)}. Write --context user=ada, or --context '{"user":"ada"}'.`,
  )
}

/** Parses JSON text; returns `otherwise` if it is invalid. */
export function jsonOr<Otherwise>(otherwise: Otherwise, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return otherwise
  }
}
