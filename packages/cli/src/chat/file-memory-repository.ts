/**
 * Stores conversations in files: one file per conversation, one line of JSON per addition. Several
 * processes may add at once. An addition that was cut off by a crash is skipped, and damages nothing else.
 */
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { ChatMemoryRepository, ConversationKey, Message } from 'toolwright'
import { CommandError } from '../command/command-error.ts'

export interface FileMemoryOptions {
  /** Created with the first conversation. */
  readonly folder: string
  /** Called if lines of a file could not be read. */
  onDamaged?(file: string, lines: number): void
}

/** One addition. Every line names its conversation, so that all lines have the same form. */
interface Entry {
  readonly conversation: ConversationKey
  readonly messages: readonly Message[]
}

const NEWLINE = 10

/** Errors of the file system become `CommandError`s that name the folder. */
export function fileMemoryRepository(options: FileMemoryOptions): ChatMemoryRepository {
  const files = plainRepository(options)
  const orCommandError = <Result>(work: Promise<Result>): Promise<Result> =>
    work.catch((cause: Error) => {
      throw new CommandError(
        `Conversations cannot be kept in ${options.folder}: ${cause.message}. Mend that, or set TOOLWRIGHT_HOME to another folder.`,
        { cause },
      )
    })
  return {
    conversations: () => orCommandError(files.conversations()),
    find: (key, range) => orCommandError(files.find(key, range)),
    append: (key, messages) => orCommandError(files.append(key, messages)),
    replace: (key, messages) => orCommandError(files.replace(key, messages)),
    delete: (key) => orCommandError(files.delete(key)),
  }
}

function plainRepository(options: FileMemoryOptions): ChatMemoryRepository {
  const { folder } = options
  const fileOf = (key: ConversationKey): string => join(folder, fileName(key))
  const entriesOf = (file: string): Promise<readonly Entry[]> => readEntries(file, options)
  return {
    async conversations() {
      const files = (await namesIn(folder)).filter((name) => name.endsWith('.jsonl'))
      const entries = await Promise.all(files.map((name) => entriesOf(join(folder, name))))
      return entries.flatMap(([first]) => (first ? [first.conversation] : []))
    },
    async find(key, { last } = {}) {
      const messages = (await entriesOf(fileOf(key))).flatMap((entry) => entry.messages)
      return last === undefined ? messages : messages.slice(Math.max(0, messages.length - last))
    },
    async append(key, messages) {
      if (messages.length === 0) return
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await appendLine(fileOf(key), JSON.stringify({ conversation: key, messages }))
    },
    async replace(key, messages) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const fresh = join(folder, `${randomUUID()}.new`)
      await appendLine(fresh, JSON.stringify({ conversation: key, messages }))
      await rename(fresh, fileOf(key))
    },
    delete: (key) => rm(fileOf(key), { force: true }),
  }
}

/** A simple id is used as it is; any other id gets a unique name, also on file systems that ignore case. */
export function fileName(key: ConversationKey): string {
  if (typeof key === 'string' && /^[a-z0-9][a-z0-9_-]{0,63}$/.test(key)) return `${key}.jsonl`
  const [text, name] =
    typeof key === 'string' ? [JSON.stringify([key]), key] : [tenantText(key), key.conversation]
  const readable = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16)
  return `${readable.slice(0, 40)}.${hash}.jsonl`
}

const tenantText = ({ tenant, conversation }: Exclude<ConversationKey, string>): string =>
  JSON.stringify([tenant, conversation])

async function appendLine(file: string, line: string): Promise<void> {
  for (;;) {
    const handle = await open(file, 'a+', 0o600)
    try {
      const torn = await endsInsideALine(handle)
      await writeAtOnce(handle, `${torn ? '\n' : ''}${line}\n`)
      // Another process replaced or deleted the file meanwhile, so the addition is lost and must be written
      // again.
      if ((await handle.stat()).nlink > 0) return
    } finally {
      await handle.close()
    }
  }
}

async function endsInsideALine(handle: FileHandle): Promise<boolean> {
  const { size } = await handle.stat()
  if (size === 0) return false
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1)
  return buffer[0] !== NEWLINE
}

/** Writes in one call: the system does not mix such appends with those of others. */
async function writeAtOnce(handle: FileHandle, text: string): Promise<void> {
  const bytes = Buffer.from(text)
  const { bytesWritten } = await handle.write(bytes)
  if (bytesWritten < bytes.length)
    throw new Error(`Only ${bytesWritten} of ${bytes.length} bytes were written: is the disk full?`)
}

async function readEntries(file: string, options: FileMemoryOptions): Promise<readonly Entry[]> {
  const lines = (await textIn(file)).split('\n').filter((line) => line !== '')
  const entries = lines.map(entryIn)
  const damaged = entries.filter((entry) => entry === undefined).length
  if (damaged > 0) options.onDamaged?.(file, damaged)
  return entries.filter((entry) => entry !== undefined)
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
  const isKnown = role === 'system' || role === 'user' || role === 'assistant'
  const isParts = Array.isArray(content) && content.every(isNamed('type'))
  return isKnown && (typeof content === 'string' || isParts)
}

const isNamed =
  (property: string) =>
  (value: unknown): boolean =>
    typeof (Object(value) as Record<string, unknown>)[property] === 'string'

const textIn = (file: string): Promise<string> => readFile(file, 'utf8').catch(orElse(''))
const namesIn = (folder: string): Promise<readonly string[]> => readdir(folder).catch(orElse([]))

/** A missing file counts as empty. */
const orElse =
  <T>(empty: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === 'ENOENT') return empty
    throw error
  }
