/**
 * Says what a value consists of, as nested lists that have a JSON text, if it is nothing but data: plain
 * objects, arrays, maps, sets, dates, bytes and primitives. Equal text means equal data. Undefined for
 * everything else: a class instance, a function or a getter may answer differently the next time.
 */
export function describeData(value: unknown): Described | undefined {
  try {
    return describe(value, { nodes: 0, path: new Set() })
  } catch {
    // It is no data, or reading it failed.
    return undefined
  }
}

export type Described = readonly (string | number | Described)[]

/** Shared references are followed each time, so that a small value can be a large tree. */
const MOST_NODES = 100_000
const NOT_DATA = Symbol('not data')

interface Walk {
  nodes: number
  /** The objects that the walk is in: a cycle has no end. */
  readonly path: Set<object>
}

function describe(value: unknown, walk: Walk): Described {
  if (++walk.nodes > MOST_NODES) throw NOT_DATA
  if (typeof value === 'symbol' || typeof value === 'function') throw NOT_DATA
  if (typeof value !== 'object' || value === null)
    return [typeof value, Object.is(value, -0) ? '-0' : String(value)]
  if (walk.path.has(value)) throw NOT_DATA
  walk.path.add(value)
  const described = describeObject(value, walk)
  walk.path.delete(value)
  return described
}

function describeObject(value: object, walk: Walk): Described {
  const own = ownData(value, walk)
  switch (Object.getPrototypeOf(value)) {
    case null:
    case Object.prototype:
      return ['object', ...own]
    case Array.prototype:
      return ['array', (value as unknown[]).length, ...own]
    case Date.prototype:
      return ['date', (value as Date).getTime(), ...own]
    case Map.prototype:
      return ['map', ...eachOf([...(value as Map<unknown, unknown>)].flat(), walk), ...own]
    case Set.prototype:
      return ['set', ...eachOf([...(value as Set<unknown>)], walk), ...own]
    case Uint8Array.prototype:
      return ['bytes', (value as Uint8Array).join()]
    default:
      throw NOT_DATA
  }
}

const eachOf = (values: readonly unknown[], walk: Walk): Described =>
  values.map((each) => describe(each, walk))

/** Its own properties in the order of their names. */
function ownData(value: object, walk: Walk): Described {
  if (value instanceof Uint8Array) return []
  const keys = Reflect.ownKeys(value).filter((key) => key !== 'length' || !Array.isArray(value))
  return keys.sort(byName).map((key) => {
    const { value: own, enumerable, get, set } = Object.getOwnPropertyDescriptor(value, key)!
    if (typeof key === 'symbol' || !enumerable || get || set) throw NOT_DATA
    return [key, describe(own, walk)]
  })
}

const byName = (a: string | symbol, b: string | symbol): number => (String(a) < String(b) ? -1 : 1)
