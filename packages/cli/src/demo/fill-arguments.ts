/**
 * Fills arguments from a sentence: each mention goes to the parameter that the surrounding words fit best,
 * best matches first. An optional parameter needs stronger evidence than a required one.
 */
import type { Json, JsonSchema, ToolDefinition } from 'toolwright'
import {
  FUNCTION_WORDS,
  isRelative,
  matching,
  mentionsIn,
  wordsOf,
  type Mention,
} from './sentence.ts'

/** A call that a sentence asks for. */
export interface Wish {
  readonly tool: ToolDefinition
  readonly args: { readonly [name: string]: Json }
  /** The required parameters for which the sentence gives no value. */
  readonly missing: readonly string[]
  /** Whether a value depends on the current time. */
  readonly usesNow: boolean
}

export function fillArguments(tool: ToolDefinition, text: string, now: Date): Wish {
  const { properties = {}, required = [] } = tool.inputSchema
  const toolWords = wordsOf([tool.name, ...Object.keys(properties)].join(' '))
  const mentions = mentionsIn(text, now, new Set([...FUNCTION_WORDS, ...toolWords]))
  const parameters = Object.entries(properties).map(([key, node]) => parameterOf(key, node))
  const candidates = parameters
    .flatMap((parameter) => candidatesFor(parameter, mentions, text))
    .filter(({ parameter, score }) => score >= (required.includes(parameter.key) ? 0 : SURE))
  const chosen = choose(candidates)
  const args = Object.fromEntries(chosen.map((each) => [each.parameter.key, valueOf(each)]))
  const missing = required.filter((key) => !Object.hasOwn(args, key))
  return { tool, args, missing, usesNow: chosen.some((each) => isRelative(each, text)) }
}

type Parameter = ReturnType<typeof parameterOf>

/** For a list, the schema of its items: a single value counts as a list of one. */
function parameterOf(key: string, node: unknown) {
  const { items, ...whole } = Object(node) as JsonSchema
  const schema = (items ?? whole) as JsonSchema
  const about = wordsOf(whole.description ?? '').filter((word) => !FUNCTION_WORDS.has(word))
  return { key, schema, name: wordsOf(key), about }
}

type Candidate = Mention & { readonly parameter: Parameter; readonly score: number }

/** The best free mention for each parameter. */
function choose(candidates: readonly Candidate[]): readonly Candidate[] {
  const chosen: Candidate[] = []
  for (const each of candidates.toSorted((a, b) => b.score - a.score || a.start - b.start)) {
    const isFree = ({ parameter, start, end }: Candidate): boolean =>
      parameter !== each.parameter && (each.end <= start || end <= each.start)
    if (chosen.every(isFree)) chosen.push(each)
  }
  return chosen
}

const SURE = 3.5

function candidatesFor(parameter: Parameter, mentions: readonly Mention[], text: string) {
  const { enum: choices, type = 'string', format = '' } = parameter.schema
  const isNumber = type === 'number' || type === 'integer'
  const only = isNumber ? 'number' : /^(?:date|email|uri)/.exec(format)?.[0]
  const suitability = ({ kind, weight }: Mention): number => {
    if (kind === 'choice' || kind === only) return isNumber ? 2 : SURE
    return only || type !== 'string' ? -Infinity : weight
  }
  const fitting = choices || type === 'boolean' ? choicesIn(text, parameter) : mentions
  return fitting.map((mention) => {
    const score = suitability(mention) + steering(parameter, mention, text)
    return { ...mention, parameter, score }
  })
}

const NEGATION = /(?:\b(?:no|not|without|never)|n['’]t)(?:\s+\S+){0,2}\s*$/i

/** Finds where a sentence names an allowed value, or affirms or denies a boolean. */
function choicesIn(text: string, { schema, name }: Parameter): readonly Mention[] {
  const choices: readonly Json[] = schema.enum ?? name.slice(-1)
  return choices.flatMap((choice) => {
    const words = String(choice).match(/[\p{L}\p{N}]+/gu) ?? ['(?!)']
    const pattern = `(?<![\\p{L}\\p{N}])${words.join('[\\s_-]?')}\\p{L}{0,2}(?![\\p{L}\\p{N}])`
    const find = matching('choice', SURE, new RegExp(pattern, 'giu'))
    return find(text).map((found) => {
      return { ...found, value: schema.enum ? choice : !NEGATION.test(text.slice(0, found.start)) }
    })
  })
}

/** Words before a value, or kinds of values, and the parameters they point to. */
const CUES = [
  ['in near at', 'city town location place region country address branch'],
  ['for behalf', 'customer client user person member guest patient owner'],
  ['about on', 'topic subject query keyword'],
  ['from', 'origin source start departure sender'],
  ['to into', 'destination target recipient end language'],
  ['code', 'id number reference key'],
].map((cue) => cue.map(wordsOf))

/** How strongly the kind of a mention and the words beside it point to a parameter. */
function steering({ name, about }: Parameter, { kind, start, end }: Mention, text: string): number {
  const isCue = (word: string): boolean =>
    CUES.some(([cue, names]) => cue!.includes(word) && names!.some((each) => name.includes(each)))
  const pull = (word: string): number =>
    name.includes(word) ? 3 : isCue(word) ? 2 : about.includes(word) ? 1.2 : 0
  const before = wordsOf(text.slice(0, start).slice(-40)).toReversed()
  const unit = kind === 'number' ? wordsOf(text.slice(end, end + 20)).slice(0, 1) : []
  const beside = [...unit, ...before].map((word, distance) => pull(word) - distance / 2)
  return Math.max(...wordsOf(kind).map(pull), ...beside)
}

/** Formats a date as the schema requires. The Swedish locale writes days as ISO 8601 does. */
function valueOf({ value, parameter: { schema } }: Candidate): Json {
  if (!(value instanceof Date)) return schema.type === 'string' ? String(value) : value
  return schema.format === 'date' ? value.toLocaleDateString('sv') : value.toISOString()
}
