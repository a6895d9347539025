/**
 * The tags that describe a value beyond its type: what each takes, and the JSON Schema keyword it becomes.
 */
import type ts from 'typescript'
import { didYouMean } from '../../command/did-you-mean.ts'
import type { Problems } from './problems.ts'
import type { JsonValue } from '../shape/shape.ts'

/** A tag as written. */
export interface Tag {
  readonly name: string
  readonly text: string
  readonly node: ts.Node
}

export interface ReadTag {
  /** The keyword in JSON Schema. Default: the tag's name. */
  readonly keyword?: string
  /** Returns undefined if the text is not what the tag takes. */
  readonly read: (text: string) => JsonValue | undefined
  readonly wants: string
  readonly sample: string
}

const number: ReadTag = { read: readNumber, wants: 'a number', sample: '10' }
const wholeNumber: ReadTag = {
  read: (text) => (/^\d+$/.test(text) ? Number(text) : undefined),
  wants: 'a whole number from 0',
  sample: '10',
}
const anyText: ReadTag = {
  read: (text) => text.replace(/\s+/g, ' ') || undefined,
  wants: 'a text',
  sample: 'text',
}
const flag: ReadTag = {
  read: (text) => text === '' || text === 'true',
  wants: 'alone',
  sample: '',
}

export const VALUE_TAGS: { readonly [name: string]: ReadTag } = {
  title: anyText,
  default: { read: readJson, wants: 'JSON', sample: '10' },
  minimum: number,
  maximum: number,
  exclusiveMinimum: number,
  exclusiveMaximum: number,
  multipleOf: {
    ...number,
    read: (text) => ((readNumber(text) ?? 0) > 0 ? readNumber(text) : undefined),
    wants: 'a number above 0',
  },
  minLength: wholeNumber,
  maxLength: wholeNumber,
  pattern: {
    read: (text) => (isPattern(text) ? text : undefined),
    wants: 'a regular expression',
    sample: '^[a-z]+$',
  },
  format: {
    ...anyText,
    read: (text) => (/^[\w-]+$/.test(text) ? text : undefined),
    sample: 'email',
  },
  minItems: wholeNumber,
  maxItems: wholeNumber,
  uniqueItems: flag,
  example: {
    keyword: 'examples',
    read: (text) => {
      const value = readJson(text)
      return value === undefined ? undefined : [value]
    },
    wants: 'JSON',
    sample: '"text" or {"key": 1}',
  },
  deprecated: { read: () => true, wants: 'a text', sample: 'text' },
}

function readNumber(text: string): number | undefined {
  const value = Number(text)
  return text !== '' && Number.isFinite(value) ? value : undefined
}

/** Reads JSON, or a bare word where a string is meant. Text that starts like JSON must be JSON. */
function readJson(text: string): JsonValue | undefined {
  const json = text.replace(/^```(?:json)?\s*([\s\S]*?)\s*```$/, '$1').replace(/^`(.*)`$/, '$1')
  const unquoted = /^'([^'"\\]*)'$/.exec(json)
  if (unquoted) return unquoted[1]!
  try {
    return JSON.parse(json) as JsonValue
  } catch {
    return /^[[{"'\d-]/.test(json) || json === '' ? undefined : json
  }
}

function isPattern(text: string): boolean {
  try {
    return text !== '' && new RegExp(text, 'u') instanceof RegExp
  } catch {
    return false
  }
}

/** Tags of the tool itself. */
const TOOL_TAGS = ['tool', 'name', 'title', 'returnDirect', 'readOnly', 'destructive', 'idempotent', 'approval', 'example', 'param', 'returns', 'deprecated'] // prettier-ignore

/** Tags of other programs that are similar to ours. */
const OTHERS = ['type', 'format', 'title', 'name', 'named', 'returns', 'return', 'throws', 'examples', 'patterns', 'defaultValue', 'private', 'public', 'async', 'todo', 'since', 'see', 'link', 'params'] // prettier-ignore

const OURS = [...Object.keys(VALUE_TAGS), ...TOOL_TAGS, 'required', 'optional']

/** Reports a tag that is a misspelling of one of ours: long words only, with nearly the same letters. */
export function didYouMeanTag({ name, node }: Tag, problems: Problems): void {
  if (name.length < 6 || OURS.includes(name) || OTHERS.includes(name)) return
  const near = OURS.filter((word) => isSlip(name, word))
  const suggestion = near.length === 1 ? didYouMean(name, near, '@') : ''
  if (suggestion)
    problems.add(node, {
      message: `There is no tag @${name}.${suggestion}`,
      fix: `Write @${near[0]}.`,
    })
}

/** One letter more, fewer or different, or two swapped. */
function isSlip(wrong: string, word: string): boolean {
  const [a, b] = [wrong.toLowerCase(), word.toLowerCase()]
  if (a === b) return true
  let start = 0
  while (start < a.length && a[start] === b[start]) start++
  let end = 0
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++
  const [x, y] = [a.slice(start, a.length - end), b.slice(start, b.length - end)]
  const isSwap = x.length === 2 && x[0] === y[1] && x[1] === y[0]
  return isSwap || (x.length <= 1 && y.length <= 1)
}
