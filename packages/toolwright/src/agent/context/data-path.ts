/**
 * Paths into an agent's data: `†<kind>[.<path>]`. An input may join several with `||` (the first that
 * exists) or `&&` (all must exist, the last is used); an output path with `&&` (write to all).
 */
const PLACE = /^†[A-Za-z_][\w-]*(\.[\w-]+)*$/
const MOST_PLACES = 32
const DEEPEST_PATH = 64
const FORBIDDEN = ['__proto__', 'prototype', 'constructor']

export interface DataPath {
  readonly kind: string
  readonly keys: readonly string[]
}

/** One or more places. */
export interface Reference {
  readonly places: readonly DataPath[]
  /** `first` for `||`; `all` for `&&` and for a single place. */
  readonly join: 'first' | 'all'
}

export type ParsedReference =
  /** Ordinary text. */
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'reference'; readonly reference: Reference }
  | { readonly kind: 'forbidden'; readonly problem: string }

/**
 * Parses a text. Only a text that is a reference as a whole counts as one; `††` escapes a `†` of plain
 * text.
 */
export function parseReference(text: string): ParsedReference {
  if (!text.startsWith('†')) return { kind: 'literal', text }
  if (text.startsWith('††')) return { kind: 'literal', text: text.slice(1) }
  const operator = text.includes('||') ? '||' : '&&'
  const places = text.split(operator).map((place) => place.trim())
  if (!places.every((place) => PLACE.test(place))) return { kind: 'literal', text }
  const paths = places.map(pathOf)
  if (paths.length > MOST_PLACES || paths.some(({ keys }) => keys.length > DEEPEST_PATH))
    return {
      kind: 'forbidden',
      problem: `a reference has at most ${MOST_PLACES} places of ${DEEPEST_PATH} keys`,
    }
  const bad = paths
    .flatMap(({ kind, keys }) => [kind, ...keys])
    .find((key) => FORBIDDEN.includes(key))
  if (bad !== undefined) return { kind: 'forbidden', problem: `"${bad}" is not allowed in a path` }
  return {
    kind: 'reference',
    reference: { places: paths, join: operator === '||' ? 'first' : 'all' },
  }
}

function pathOf(place: string): DataPath {
  const [kind, ...keys] = place.slice(1).split('.')
  return { kind: kind!, keys }
}

/** What is wrong with an output path, or undefined if it is valid. */
export function checkOutputPath(path: unknown): string | undefined {
  if (typeof path !== 'string' || !path.startsWith('†'))
    return 'an output path starts with †, like †state.user'
  const parsed = parseReference(path)
  if (parsed.kind === 'reference') return undefined
  return parsed.kind === 'forbidden'
    ? parsed.problem
    : 'an output path reads †<kind>.<path>, like †state.user'
}

/**
 * The places that a result is written to. For `||` that is the first, unless the activity returns a message
 * and so decides itself. None for what is no path: checkOutputPath() says why.
 */
export function outputPlaces(path: unknown): readonly DataPath[] {
  if (typeof path !== 'string') return []
  const parsed = parseReference(path)
  if (parsed.kind !== 'reference') return []
  const { places, join } = parsed.reference
  return join === 'first' ? places.slice(0, 1) : places
}

export const pathText = ({ kind, keys }: DataPath): string => `†${[kind, ...keys].join('.')}`

/** Whether one place contains the other. */
export function overlaps(a: DataPath, b: DataPath): boolean {
  if (a.kind !== b.kind) return false
  const shorter = Math.min(a.keys.length, b.keys.length)
  for (let index = 0; index < shorter; index++) if (a.keys[index] !== b.keys[index]) return false
  return true
}

/** Every reference in a value, at any depth. */
export function referencesIn(value: unknown): readonly Reference[] {
  if (typeof value === 'string') {
    const parsed = parseReference(value)
    return parsed.kind === 'reference' ? [parsed.reference] : []
  }
  return typeof value === 'object' && value !== null
    ? Object.values(value).flatMap(referencesIn)
    : []
}
