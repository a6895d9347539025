/**
 * Cycles of rooms, the folders of the library: rooms that need each other, be it for a type only. Imports of
 * types that the table of doors allows do not count.
 */
import { ROOMS } from '../doors/table.js'
import type { CruisedModule } from './cruise.ts'

const SRC = 'packages/toolwright/src/'

export interface RoomCycle {
  /** The rooms that can all reach each other. */
  readonly rooms: readonly string[]
  /** Of each room that imports another of them, one import: `errors/errors.ts → schema/issue.ts`. */
  readonly examples: readonly string[]
}

/** Importing room → imported room → one import that does it. */
type RoomImports = ReadonlyMap<string, ReadonlyMap<string, string>>

export function roomCycles(modules: readonly CruisedModule[]): RoomCycle[] {
  const imports = roomImports(modules)
  const reachable = new Map([...imports.keys()].map((room) => [room, reachableFrom(room, imports)]))
  const circular = [...imports.keys()].filter((room) => reachable.get(room)!.has(room))
  const cycles = new Map<string, RoomCycle>()
  for (const room of circular) {
    const rooms = circular
      .filter((other) => reachable.get(room)!.has(other) && reachable.get(other)!.has(room))
      .sort()
    cycles.set(rooms.join(), { rooms, examples: examplesOf(rooms, imports) })
  }
  return [...cycles.values()]
}

function examplesOf(rooms: readonly string[], imports: RoomImports): string[] {
  return rooms.flatMap((room) =>
    [...imports.get(room)!]
      .filter(([other]) => rooms.includes(other))
      .map(([, example]) => example),
  )
}

function roomImports(modules: readonly CruisedModule[]): RoomImports {
  const imports = new Map<string, Map<string, string>>()
  for (const { source, dependencies } of modules) {
    const from = roomOf(source)
    if (from === undefined) continue
    const rooms = imports.get(from) ?? new Map<string, string>()
    imports.set(from, rooms)
    for (const { resolved, dependencyTypes } of dependencies) {
      const to = roomOf(resolved)
      const isType = dependencyTypes.includes('type-only')
      if (to === undefined || to === from || (isType && ROOMS[from]?.types?.includes(to))) continue
      if (!rooms.has(to))
        rooms.set(to, `${source.slice(SRC.length)} → ${resolved.slice(SRC.length)}`)
    }
  }
  return imports
}

/** Each provider is a room of its own; what lies beside the rooms, the root door, is none. */
function roomOf(file: string): string | undefined {
  if (!file.startsWith(SRC) || file.endsWith('.test.ts')) return undefined
  return /^(providers\/[^/]+|[^/]+)\//.exec(file.slice(SRC.length))?.[1]
}

function reachableFrom(room: string, imports: RoomImports): Set<string> {
  const seen = new Set<string>()
  const waiting = [room]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const other of imports.get(next)?.keys() ?? []) {
      if (seen.has(other)) continue
      seen.add(other)
      waiting.push(other)
    }
  }
  return seen
}
