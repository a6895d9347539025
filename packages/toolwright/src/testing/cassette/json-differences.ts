/** Where two JSON values differ, and a text that shows it. */
import type { JsonDifference } from '../../errors/errors.ts'
import type { Json, JsonObject } from '../../messages/json.ts'
import { pathText } from '../../schema/describe-value.ts'

type Path = readonly (string | number)[]

/** In the order of the recorded value. */
export function jsonDifferences(
  recorded: unknown,
  received: unknown,
  path: Path = [],
): readonly JsonDifference[] {
  if (Object.is(recorded, received)) return []
  if (Array.isArray(recorded) && Array.isArray(received)) {
    const length = Math.max(recorded.length, received.length)
    return Array.from({ length }, (_, at) =>
      jsonDifferences(recorded[at], received[at], [...path, at]),
    ).flat()
  }
  if (isObject(recorded) && isObject(received)) {
    const names = new Set([...Object.keys(recorded), ...Object.keys(received)])
    return [...names].flatMap((name) =>
      jsonDifferences(ownOf(recorded, name), ownOf(received, name), [...path, name]),
    )
  }
  return [
    {
      path: pathText(path),
      ...(recorded !== undefined && { recorded: JSON.stringify(recorded) }),
      ...(received !== undefined && { received: JSON.stringify(received) }),
    },
  ]
}

const isObject = (x: unknown): x is JsonObject =>
  typeof x === 'object' && x !== null && !Array.isArray(x)

const ownOf = (value: JsonObject, name: string): Json | undefined =>
  Object.hasOwn(value, name) ? value[name] : undefined

/** So many are shown with their values; the others by their paths. */
const SHOWN = 3
const NAMED = 8

export function describeDifferences(differences: readonly JsonDifference[]): string {
  const shown = differences.slice(0, SHOWN).map(describe)
  const more = differences.slice(SHOWN)
  const named = more.slice(0, NAMED).map(({ path }) => path)
  const rest = more.length > named.length ? ', …' : ''
  return [
    ...shown,
    ...(more.length > 0 ? [`  and ${more.length} more: ${named.join(', ')}${rest}`] : []),
  ].join('\n')
}

function describe({ path, recorded = NOTHING, received = NOTHING }: JsonDifference): string {
  const same = sameStart(recorded, received)
  return [
    `  ${path}`,
    `    recorded: ${excerpt(recorded, same)}`,
    `    received: ${excerpt(received, same)}`,
  ].join('\n')
}

const NOTHING = 'nothing'

/** Characters around the first that differs. */
const BEFORE = 60
const AFTER = 140

/** Long texts are cut, but never where they differ. */
function excerpt(text: string, same: number): string {
  const from = text.length <= BEFORE + AFTER ? 0 : Math.max(0, same - BEFORE)
  const until = text.length <= BEFORE + AFTER ? text.length : same + AFTER
  const cut = text.slice(from, until).toWellFormed()
  return `${from > 0 ? '…' : ''}${cut}${until < text.length ? '…' : ''}`
}

function sameStart(a: string, b: string): number {
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  return at
}

/** Whether two texts differ only by what looks like a time or an id. */
export function differsByChance({ recorded = '', received = '' }: JsonDifference): boolean {
  return recorded !== received && steady(recorded) === steady(received)
}

const CHANCE =
  /\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?|\b\d\d:\d\d(?::\d\d)?\b|\b\d{10,13}\b|\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/gi

const steady = (text: string): string => text.replace(CHANCE, '#')
