/**
 * The file that remembers what each remote tool was when it was first seen: server → tool → SHA-256 of its whole
 * definition. A tool that is another now is not offered until its entry is deleted.
 */
import { randomUUID } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { ConfigurationError } from 'toolwright'
import { canonicalHash } from './canonical.ts'

interface PinFile {
  readonly [server: string]: { readonly [tool: string]: string }
}

export interface PinnedTool {
  readonly name: string
}

/** The names of those that changed since they were pinned. Those that the file does not know yet are added to it. */
export async function changedSincePinned(
  path: string,
  server: string,
  definitions: readonly PinnedTool[],
): Promise<ReadonlySet<string>> {
  const file = await readPins(path)
  const known = new Map(Object.entries(file[server] ?? {}))
  const changed = new Set<string>()
  const added = new Map<string, string>()
  for (const definition of definitions) {
    const hash = canonicalHash(definition)
    const pin = known.get(definition.name) ?? added.get(definition.name)
    if (pin === undefined) added.set(definition.name, hash)
    else if (pin !== hash) changed.add(definition.name)
  }
  if (added.size > 0) await writePins(path, server, added)
  return changed
}

/** Written beside and moved, so that a reader never sees half a file. What others added meanwhile stays. */
async function writePins(
  path: string,
  server: string,
  added: ReadonlyMap<string, string>,
): Promise<void> {
  const file = await readPins(path)
  const pins = Object.fromEntries([...added, ...Object.entries(file[server] ?? {})].sort(byName))
  const beside = `${path}.${randomUUID()}.tmp`
  try {
    await writeFile(beside, `${JSON.stringify({ ...file, [server]: pins }, null, 2)}\n`)
    await rename(beside, path)
  } catch (cause) {
    throw invalid(path, 'cannot be written', cause)
  }
}

const byName = ([a]: [string, string], [b]: [string, string]): number => (a < b ? -1 : 1)

async function readPins(path: string): Promise<PinFile> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw invalid(path, 'cannot be read', cause)
  }
  try {
    const file: unknown = JSON.parse(text)
    if (isPinFile(file)) return file
  } catch (cause) {
    throw invalid(path, 'is not JSON', cause)
  }
  throw invalid(path, 'is not of the form { server: { tool: hash } }')
}

const isPinFile = (x: unknown): x is PinFile =>
  isRecord(x) && Object.values(x).every((pins) => isRecord(pins))

const isRecord = (x: unknown): x is { readonly [key: string]: unknown } =>
  typeof x === 'object' && x !== null && !Array.isArray(x)

const invalid = (path: string, what: string, cause?: unknown): ConfigurationError =>
  new ConfigurationError('invalid-option', `The pins file ${path} ${what}.`, { cause })
