/**
 * The files in which the command kept conversations before it had a database: one per conversation, one line of JSON
 * per addition. They are only read here, to be taken over. An addition that was cut off by a crash is damage.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Message } from 'toolwright'

export const EARLIER = '.jsonl'

/** One addition. */
interface Entry {
  readonly conversation: unknown
  readonly messages: readonly Message[]
}

export interface EarlierFile {
  /** The id that its lines name. Absent: none of them can be read. */
  readonly conversation: string | undefined
  readonly messages: readonly Message[]
  /** Lines that hold no addition, as they are. */
  readonly damaged: readonly string[]
}

/** A simple id is used as it is; any other id gets a unique name, also on file systems that ignore case. */
export function earlierName(conversation: string): string {
  if (/^[a-z0-9][a-z0-9_-]{0,63}$/.test(conversation)) return `${conversation}${EARLIER}`
  const readable = conversation
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  const hash = createHash('sha256')
    .update(JSON.stringify([conversation]))
    .digest('hex')
  return `${readable.slice(0, 40)}.${hash.slice(0, 16)}${EARLIER}`
}

/** The names of files in the folder, those that changed last at the end. A folder that is not there has none. */
export async function namesByAge(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const dated = await Promise.all(names.map(async (name) => ({ name, age: await ageOf(name) })))
  return dated.sort((a, b) => a.age - b.age).map(({ name }) => name)

  async function ageOf(name: string): Promise<number> {
    // Another process may take it over in this moment.
    return (await stat(join(folder, name)).catch(() => undefined))?.mtimeMs ?? 0
  }
}

export async function readEarlierFile(file: string): Promise<EarlierFile> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '')
  const read = lines.map((line) => ({ line, entry: entryIn(line) }))
  const entries = read.flatMap(({ entry }) => (entry ? [entry] : []))
  const named = entries[0]?.conversation
  return {
    conversation: typeof named === 'string' ? named : undefined,
    messages: entries.flatMap(({ messages }) => messages),
    damaged: read.flatMap(({ line, entry }) => (entry ? [] : [line])),
  }
}

function entryIn(line: string): Entry | undefined {
  try {
    const entry = JSON.parse(line) as Partial<Entry> | null
    const isEntry = Array.isArray(entry?.messages) && entry.messages.every(isMessage)
    return isEntry && entry.conversation !== undefined ? (entry as Entry) : undefined
  } catch {
    return undefined
  }
}

/** Checks only what readers of a conversation rely on. */
function isMessage(message: unknown): boolean {
  const { role, content, responses } = Object(message) as Record<string, unknown>
  if (role === 'tool') return Array.isArray(responses) && responses.every(isNamed('id'))
  if (role === 'system') return typeof content === 'string'
  const isParts = Array.isArray(content) && content.every(isNamed('type'))
  return (role === 'user' || role === 'assistant') && (typeof content === 'string' || isParts)
}

const isNamed =
  (property: string) =>
  (value: unknown): boolean =>
    typeof (Object(value) as Record<string, unknown>)[property] === 'string'
