/** Writes a cassette file: in one order of keys, whole or not at all, and never over what another test wrote meanwhile. */
import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { CassetteError } from '../../errors/errors.ts'
import { messageOfThrown } from '../../errors/message-of-thrown.ts'
import type { Json, JsonObject } from '../../messages/json.ts'
import type { CassetteFile } from './cassette-file.ts'

/** What stood at a path: nothing, or a file that can be told from a later one. */
export type Standing = string | undefined

export function standingOf(path: string): Standing {
  try {
    const { ino, size, mtimeMs } = statSync(path)
    return `${ino}/${size}/${mtimeMs}`
  } catch {
    // Reading or writing says what is wrong with it.
    return undefined
  }
}

export interface CassettePlace {
  /** Absolute. */
  readonly path: string
  /** As the test named it. */
  readonly file: string
  /** What stood there when the recording began. */
  readonly before: Standing
}

export function writeCassette(cassette: CassetteFile, place: CassettePlace): void {
  const { path, file, before } = place
  const aside = `${path}.${randomUUID()}.tmp`
  try {
    mkdirSync(dirname(path), { recursive: true })
    const mode = modeOf(path)
    writeFileSync(aside, cassetteText(cassette), { flush: true, mode })
    // A new file lacks what the umask takes away.
    if (mode !== undefined) chmodSync(aside, mode)
    if (standingOf(path) !== before) throw writtenMeanwhile(file)
    if (before !== undefined || !linked(aside, place)) renameSync(aside, path)
  } catch (cause) {
    throw asCassetteError(cause, file)
  } finally {
    removed(aside)
  }
}

/** The rights of the file that is written over. */
const modeOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.mode

function removed(aside: string): void {
  try {
    rmSync(aside, { force: true })
  } catch {
    // Why the file could not be written matters more.
  }
}

/** A link fails where a file is, and a rename replaces it. Not every file system has links. */
function linked(aside: string, { path, file }: CassettePlace): boolean {
  try {
    linkSync(aside, path)
    return true
  } catch (error) {
    if ((error as { readonly code?: string }).code === 'EEXIST') throw writtenMeanwhile(file)
    return false
  }
}

function asCassetteError(cause: unknown, file: string): unknown {
  if (cause instanceof CassetteError) return cause
  const message = `The cassette ${file} cannot be written: ${messageOfThrown(cause)}.`
  return new CassetteError('cassette-unwritable', message, { file, cause })
}

const writtenMeanwhile = (file: string): CassetteError =>
  new CassetteError(
    'cassette-in-use',
    `Another cassette() recorded to ${file} while this one did. Nothing of this recording was written.`,
    { file },
  )

const cassetteText = (cassette: CassetteFile): string =>
  `${JSON.stringify(ordered(cassette as unknown as Json), null, 2)}\n`

/** What a reader looks for first; everything else follows in the order of the alphabet. */
const FIRST = [
  'format', 'version', 'model', 'provider', 'kind', 'role', 'type', 'tool', 'id', 'name', 'description', 'request',
  'definition', 'options', 'tools', 'repeats', 'messages', 'input', 'answers', 'progress', 'results', 'message',
] // prettier-ignore

function ordered(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(ordered)
  const entries = Object.entries(value as JsonObject).sort(
    ([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1),
  )
  return Object.fromEntries(entries.map(([name, inner]) => [name, ordered(inner)]))
}

function rank(name: string): number {
  const at = FIRST.indexOf(name)
  return at === -1 ? FIRST.length : at
}
