/** The keywords that narrow a value or tell about it: sent where the provider takes them, else put into words. */
import type { JsonObject } from '../json-object.ts'
import { KEYWORDS } from '../schema-walk.ts'
import type { Change, LoweringContext } from './lowering-context.ts'
import { type Said, TYPES_OF } from './schema-facts.ts'

/** Words longer than this help no model. */
const LONGEST_NOTE = 1000
const TOLD = /^(?:title|default|examples|deprecated|contentEncoding|contentMediaType|minContains|maxContains|then|else)$/ // prettier-ignore
/** They name a place in the schema, or speak to its authors. */
const SILENT = /^(?:\$|~)/

export interface LoweredKeywords {
  readonly sent: JsonObject
  readonly notes: readonly string[]
}

/** @param types those of the value; undefined if it may be of any */
export function lowerKeywords(
  others: readonly Said[],
  types: readonly string[] | undefined,
  context: LoweringContext,
): LoweredKeywords {
  const sent: { [keyword: string]: unknown } = {}
  const notes: string[] = []
  for (const said of others) {
    const { keyword, operand } = said
    if (SILENT.test(keyword) || !concerns(said, types, others)) continue
    const report = (how: Change['how']): void =>
      said.paths.forEach((path) => context.report({ path, keyword, how }))
    if (context.rules.takes(keyword, operand) && sent[keyword] === undefined)
      sent[keyword] = operand
    else if (sendsWholeLimit(said, { types, sent, context })) report('rewritten')
    else {
      const note = noteOf(said, others)
      if (note !== undefined) notes.push(note)
      report(note === undefined ? 'dropped' : 'kept in the description')
    }
  }
  return { sent, notes }
}

/** Whether a keyword can make a difference to values of these types. */
function concerns(
  { keyword }: Said,
  types: readonly string[] | undefined,
  others: readonly Said[],
): boolean {
  if (/^(?:then|else)$/.test(keyword)) return others.some((other) => other.keyword === 'if')
  if (/^m..Contains$/.test(keyword)) return others.some((other) => other.keyword === 'contains')
  const concerned = TYPES_OF[keyword]
  return !types || !concerned || types.some((type) => concerned.includes(type))
}

interface Numbers {
  readonly types: readonly string[] | undefined
  readonly sent: { [keyword: string]: unknown }
  readonly context: LoweringContext
}

/** Among whole numbers, more than 3 is at least 4. */
function sendsWholeLimit({ keyword, operand }: Said, { types, sent, context }: Numbers): boolean {
  const isExclusive = keyword === 'exclusiveMinimum' || keyword === 'exclusiveMaximum'
  const isWhole = types?.every((type) => type === 'integer' || type !== 'number') ?? false
  if (!isExclusive || !isWhole || typeof operand !== 'number') return false
  const isLeast = keyword === 'exclusiveMinimum'
  const plain = isLeast ? 'minimum' : 'maximum'
  const bound = isLeast ? Math.floor(operand) + 1 : Math.ceil(operand) - 1
  if (!Number.isSafeInteger(bound) || !context.rules.takes(plain, bound)) return false
  const before = sent[plain]
  const choose = isLeast ? Math.max : Math.min
  sent[plain] = typeof before === 'number' ? choose(before, bound) : bound
  return true
}

/** The words for a keyword; undefined if they would tell a model nothing. */
function noteOf({ keyword, operand }: Said, others: readonly Said[]): string | undefined {
  if (!KEYWORDS.includes(keyword) && !TOLD.test(keyword)) return undefined
  // The pattern of a format, and the limits of a safe integer, are a library's way to say what the type says.
  const hasFormat = others.some((other) => other.keyword === 'format')
  if (keyword === 'pattern' && hasFormat) return undefined
  if (Math.abs(Number(operand)) === Number.MAX_SAFE_INTEGER) return undefined
  const text = typeof operand === 'string' ? operand : JSON.stringify(operand)
  return text.length > LONGEST_NOTE ? undefined : `${keyword}: ${text}`
}

/** The schema with its description: what the parts say, then the notes. */
export function described(
  schema: JsonObject,
  descriptions: readonly unknown[],
  notes: readonly string[],
): JsonObject {
  const said = [...new Set(descriptions)].filter((each) => typeof each === 'string' && each !== '')
  const all = notes.length > 0 ? [...said, `(${notes.join(', ')})`] : said
  return withWords(schema, all.length > 0 ? { description: all.join(' ') } : {})
}

/** A provider takes nothing beside a reference, but a description beside a union of one. */
export function withWords(schema: JsonObject, words: JsonObject): JsonObject {
  if (Object.keys(words).length === 0) return schema
  return schema.$ref === undefined ? { ...schema, ...words } : { anyOf: [schema], ...words }
}
