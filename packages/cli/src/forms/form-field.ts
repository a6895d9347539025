/** The fields of a form that a server sent, and what a typed line means for each. */
import { checkJson, type Json, type JsonSchema } from 'toolwright'
import { printable } from '../terminal/printable.ts'
import { YES } from '../terminal/yes.ts'

export interface Choice {
  readonly value: string
  readonly title: string
}

export interface FormField {
  readonly name: string
  /** For a reader, on one line. */
  readonly title: string
  readonly description: string | undefined
  readonly isRequired: boolean
  readonly default: Json | undefined
  /** Empty: anything that fits the type. */
  readonly choices: readonly Choice[]
  readonly kind: FieldKind
  readonly schema: JsonSchema
}

export type FieldKind = 'text' | 'number' | 'yes-no' | 'choice' | 'choices' | 'json'

/** A value for the field, or why the line is none. */
export type ReadField = { readonly value: Json } | { readonly problem: string }

const LONGEST_TITLE = 60

export function formFields({ properties = {}, required = [] }: JsonSchema): readonly FormField[] {
  return Object.entries(properties).map(([name, node]) => {
    const schema = (typeof node === 'object' ? node : {}) as JsonSchema
    const choices = choicesOf(schema)
    return {
      name,
      title: oneLine(schema.title || name),
      description: schema.description,
      isRequired: required.includes(name),
      default: schema.default as Json | undefined,
      choices,
      kind: kindOf(schema, choices),
      schema,
    }
  })
}

const oneLine = (text: string): string =>
  printable(text).replace(/\s+/g, ' ').trim().slice(0, LONGEST_TITLE)

/** Of one or of several: `enum`, with or without names, or a list of constants with titles. */
function choicesOf(schema: JsonSchema): readonly Choice[] {
  const { items } = schema
  if (schema.type === 'array')
    return typeof items === 'object' ? choicesOf(items as JsonSchema) : []
  const { enumNames } = schema as { readonly enumNames?: unknown }
  const names: readonly unknown[] = Array.isArray(enumNames) ? enumNames : []
  const constants = (schema.oneOf ?? schema.anyOf ?? []) as readonly JsonSchema[]
  const given = schema.enum
    ? schema.enum.map((value, at) => [value, names[at]] as const)
    : constants.map((each) => [each.const, each.title] as const)
  // Choices that are not all texts are asked for as JSON.
  if (given.some(([value]) => typeof value !== 'string')) return []
  return given.map(([value, title]) => ({
    value: value as string,
    title: oneLine(typeof title === 'string' && title !== '' ? title : (value as string)),
  }))
}

const KINDS: { readonly [type: string]: FieldKind } = {
  string: 'text',
  number: 'number',
  integer: 'number',
  boolean: 'yes-no',
}

function kindOf({ type }: JsonSchema, choices: readonly Choice[]): FieldKind {
  if (choices.length > 0) return type === 'array' ? 'choices' : 'choice'
  return KINDS[String(type)] ?? 'json'
}

/** Reads what was typed, which is not empty, and checks it against the field's schema. */
export function readField(field: FormField, typed: string): ReadField {
  const read = READING[field.kind](typed, field)
  if ('problem' in read) return read
  const checked = checkJson(field.schema, read.value)
  if (checked.ok) return read
  const problems = checked.issues.map(({ message, expected }) => message ?? `expected ${expected}`)
  return { problem: printable(problems.join('; ')) }
}

const READING: {
  readonly [kind in FieldKind]: (typed: string, field: FormField) => ReadField
} = {
  text: (typed) => ({ value: typed }),
  number: (typed) =>
    Number.isFinite(Number(typed)) ? { value: Number(typed) } : { problem: 'that is no number' },
  'yes-no': (typed) => {
    if (YES.test(typed) || /^true$/i.test(typed)) return { value: true }
    if (/^(?:no?|false)$/i.test(typed)) return { value: false }
    return { problem: 'type y or n' }
  },
  choice: (typed, { choices }) => {
    const found = choiceOf(typed, choices)
    return found ? { value: found.value } : { problem: `type a number from 1 to ${choices.length}` }
  },
  choices: (typed, { choices }) => {
    const found = typed.split(',').map((each) => choiceOf(each.trim(), choices))
    if (found.some((each) => each === undefined))
      return { problem: `type numbers from 1 to ${choices.length}, with commas between them` }
    return { value: [...new Set(found.map((each) => each!.value))] }
  },
  json: (typed) => {
    try {
      return { value: JSON.parse(typed) as Json }
    } catch (error) {
      return { problem: `that is no JSON: ${printable((error as Error).message)}` }
    }
  },
}

/** By what it is, by what it is called, or by its number; the first that fits. */
function choiceOf(typed: string, choices: readonly Choice[]): Choice | undefined {
  const same = (text: string): boolean => text.toLowerCase() === typed.toLowerCase()
  return (
    choices.find(({ value }) => value === typed) ??
    choices.find(({ value, title }) => same(value) || same(title)) ??
    (/^[1-9]\d*$/.test(typed) ? choices[Number(typed) - 1] : undefined)
  )
}
