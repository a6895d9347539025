/** Whether defaults and examples fit the type they are said of, and keywords the kind of value. */
import type ts from 'typescript'
import type { Problems } from './problems.ts'
import type { JsonValue, Notes, Shape } from './shape.ts'

export interface Noted {
  readonly notes: Notes
  readonly shape: Shape
  readonly path: string
}

export function checkNotes(
  { notes, shape, path }: Noted,
  node: ts.Node | undefined,
  problems: Problems,
): void {
  if (!node) return
  const examples = (notes.examples ?? []) as readonly JsonValue[]
  for (const [tag, value] of [
    ...examples.map((example) => ['example', example] as const),
    ...('default' in notes ? [['default', notes.default as JsonValue] as const] : []),
  ]) {
    const wrong = misfit(shape, value, path)
    if (wrong)
      problems.add(node, {
        message: `@${tag} of ${path} does not fit its type: ${wrong}.`,
        fix: `Write @${tag} as JSON of that type.`,
      })
  }
}

/** What is wrong with a value, or undefined. */
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
  const given = value as { readonly [key: string]: JsonValue }
  const inner = (name: string): string => (path ? `${path}.${name}` : name)
  const properties = shape.kind === 'object' ? shape.properties : []
  const missing = properties.find(({ name, optional }) => !optional && !Object.hasOwn(given, name))
  if (missing) return `${inner(missing.name)} is missing`
  return firstOf(Object.entries(given), ([name, one]) => {
    const property = properties.find((known) => known.name === name)
    const others = shape.kind === 'record' ? shape.value : shape.others
    const known = property?.shape ?? others
    return known ? misfit(known, one, inner(name)) : `there is no ${inner(name)}`
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
