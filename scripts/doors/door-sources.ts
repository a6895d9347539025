/** Every door by the name a program imports it with, and the source it begins with. */
import { PACKAGES, type Door, type Package } from './table.js'

export interface DoorSource {
  /** `toolwright/openai` */
  readonly name: string
  /** From the root of the repository: `packages/toolwright/src/providers/openai/index.ts`. */
  readonly source: string
}

export const DOOR_SOURCES: readonly DoorSource[] = PACKAGES.flatMap((row) =>
  row.doors.map((door) => ({
    name: doorName(row, door),
    source: `packages/${row.folder}/src/${door.entry}`,
  })),
)

export function doorName(row: Package, door: Door): string {
  return row.name + door.path.slice(1)
}

/** As `paths` of a tsconfig; `prefix` leads from there to the root of the repository. */
export function tsconfigPaths(prefix: string): { readonly [name: string]: readonly string[] } {
  return Object.fromEntries(DOOR_SOURCES.map(({ name, source }) => [name, [prefix + source]]))
}
