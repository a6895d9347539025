/** Checks whether defaults and examples fit their type, and keywords their kind of value. */
import type ts from 'typescript'
import type { Finding, Problems } from './problems.ts'
import type { JsonValue, Notes, Shape } from '../shape/shape.ts'
import { kindsOf } from '../shape/json-kinds.ts'

export interface Noted {
  readonly notes: Notes
  readonly shape: Shape
  readonly path: string
}

/** Returns the notes that fit, and reports the others. */
export function checkNotes(noted: Noted, node: ts.Node | undefined, problems: Problems): Notes {
  const fitting = Object.entries(noted.notes).filter(([keyword, value]) => {
    const finding = findingOf(keyword, value, noted)
    if (finding && node) problems.add(node, finding)
    return finding === undefined
  })
  return Object.fromEntries(fitting)
}

function findingOf(keyword: string, value: JsonValue, { shape, path }: Noted): Finding | undefined {
  const kind = KINDS[keyword]
  if (kind && !kindsOf(shape).includes(kind))
    return {
      message: `@${keyword} of ${path} does not fit its type: it says something about ${WORDS[kind]}.`,
      fix: `Take @${keyword} away, or put it on the ${kind} it is meant for.`,
    }
  if (keyword !== 'default' && keyword !== 'examples') return undefined
  const [tag, values] = keyword === 'default' ? ['default', [value]] : ['example', value as readonly JsonValue[]] // prettier-ignore
  const wrong = firstOf(values, (one) => misfit(shape, one, path))
  return wrong === undefined
    ? undefined
    : {
        message: `@${tag} of ${path} does not fit its type: ${wrong}.`,
        fix: `Write @${tag} as JSON of that type.`,
      }
}

/** The kind of value that each keyword applies to. */
const KINDS: { readonly [keyword: string]: keyof typeof WORDS } = {
  minimum: 'number',
  maximum: 'number',
  exclusiveMinimum: 'number',
  exclusiveMaximum: 'number',
  multipleOf: 'number',
  minLength: 'string',
  maxLength: 'string',
  pattern: 'string',
  format: 'string',
  minItems: 'array',
  maxItems: 'array',
  uniqueItems: 'array',
}
const WORDS = { number: 'numbers', string: 'text', array: 'lists' } as const

/** What is wrong with a value, or undefined if it fits. */
export function misfit(shape: Shape, value: JsonValue, path: string): string | undefined {
  if (shape.kind === 'named') return misfit(shape.definition.shape, value, path)
  if (shape.kind === 'union') {
    const all = shape.members.map((member) => misfit(member, value, path))
    return all.includes(undefined) ? undefined : all[0]
  }
  if (shape.kind === 'object' || shape.kind === 'record') return objectMisfit(shape, value, path)
  if (shape.kind === 'array' || shape.kind === 'set') return listMisfit(shape.item, value, path)
  const wanted = wantedOf(shape, value)
  return wanted === undefined ? undefined : `${path} is ${JSON.stringify(value)}, not ${wanted}`
}

function wantedOf(shape: Shape, value: JsonValue): string | undefined {
  if (shape.kind === 'literals')
    return shape.values.includes(value as never) ? undefined : `one of ${shape.values.join(', ')}`
  if (shape.kind === 'enum') {
    const values = shape.members.map((member) => member.value)
    return values.includes(value as never) ? undefined : `one of ${values.join(', ')}`
  }
  const type = TYPES[shape.kind]
  return type === undefined || type.includes(value === null ? 'null' : typeof value)
    ? undefined
    : `a ${type[0]}`
}

const TYPES: { readonly [kind: string]: readonly string[] } = {
  string: ['string'],
  template: ['string'],
  number: ['number'],
  boolean: ['boolean'],
  null: ['null'],
  undefined: ['null'],
  bigint: ['string', 'number'],
  date: ['string'],
  url: ['string'],
  bytes: ['string'],
  buffer: ['string'],
}

function listMisfit(item: Shape, value: JsonValue, path: string): string | undefined {
  if (!Array.isArray(value)) return `${path} is ${JSON.stringify(value)}, not a list`
  return firstOf(value as JsonValue[], (one, index) => misfit(item, one, `${path}[${index}]`))
}

function objectMisfit(
  shape: Extract<Shape, { kind: 'object' | 'record' }>,
  value: JsonValue,
  path: string,
): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return `${path} is ${JSON.stringify(value)}, not an object`
  const members = value as { readonly [key: string]: JsonValue }
  const inner = (name: string): string => (path ? `${path}.${name}` : name)
  const properties = shape.kind === 'object' ? shape.properties : []
  const missing = properties.find(
    ({ name, optional }) => !optional && !Object.hasOwn(members, name),
  )
  if (missing) return `${inner(missing.name)} is missing`
  return firstOf(Object.entries(members), ([name, one]) => {
    const property = properties.find((known) => known.name === name)
    const others = shape.kind === 'record' ? shape.value : shape.others
    const propertyShape = property?.shape ?? others
    return propertyShape ? misfit(propertyShape, one, inner(name)) : `there is no ${inner(name)}`
  })
}

function firstOf<Item>(
  items: readonly Item[],
  find: (item: Item, index: number) => string | undefined,
): string | undefined {
  for (const [index, item] of items.entries()) {
    const found = find(item, index)
    if (found !== undefined) return found
  }
  return undefined
}
