/** What the rows of the table say. */

export interface Room {
  /** Rooms of the core it may import. */
  readonly imports: readonly string[]
  /** Rooms it may import types from, which do not count as a cycle. */
  readonly types?: readonly string[]
}

export interface Rooms {
  readonly [room: string]: Room
}

export interface Door {
  /** As in `exports`: `.`, `./openai`. */
  readonly path: string
  /** Below `src` of its package. Its folder is the door's room. */
  readonly entry: string
  /** What is behind it, in a few words, for docs/doors.md. */
  readonly about: string
  /** Rooms of the library it may import besides its own. Absent: none, for packages outside the library. */
  readonly imports?: readonly string[]
  /** It may import what the library's root door hands out. */
  readonly publicCore?: boolean
  /** Single modules it may import besides, below `src`, without `.ts`. */
  readonly also?: readonly string[]
  /** Nothing behind it reaches a Node builtin. */
  readonly neutral?: boolean
}

export interface Package {
  /** As it is published. */
  readonly name: string
  /** Below `packages`. */
  readonly folder: string
  readonly about: string
  /** Packages of this repository whose doors its code may import. */
  readonly uses: readonly string[]
  /** What it may depend on at run time. Adding one needs a decision page. */
  readonly dependencies: readonly string[]
  /** Optional peers. */
  readonly peers: readonly string[]
  /** Those of its dependencies that its doors import at once. Default: none; they are loaded when first used. */
  readonly importsAtOnce?: readonly string[]
  /** The source its command starts with, below `src`. */
  readonly command?: string
  /** Sources that are started in threads of their own, below `src`; code names them by `new URL('./…', import.meta.url)`. */
  readonly workers?: readonly string[]
  /** It has a page: `page/build-page.js` builds it, into `page` of what is published. */
  readonly hasPage?: boolean
  readonly doors: readonly Door[]
}

export const CONTRACTS: readonly string[]
export const ROOMS: Rooms
export const SHARED_ROOMS: Rooms
export const OUTSIDE_ROOMS: readonly string[]
export const PACKAGES: readonly Package[]
