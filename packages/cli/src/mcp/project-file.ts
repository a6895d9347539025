/**
 * `.mcp.json` of the current folder: the MCP servers of a project. Whatever else is in it stays as it is; a file that
 * cannot be read is never written.
 */
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { jsonErrorPosition, placeOf } from '../call/json-position.ts'
import { CommandError, messageOfThrown } from '../command/command-error.ts'
import { writeWhole } from '../generate/files/write-whole.ts'
import type { ServerEntry } from './server-entry.ts'

export const FILE = '.mcp.json'

interface Entries {
  readonly [name: string]: unknown
}

export class ProjectFile {
  readonly #path: string
  readonly #text: string | undefined
  readonly #content: Entries
  /** The servers as they are written, unchecked. */
  readonly servers: ReadonlyMap<string, unknown>

  private constructor(path: string, text: string | undefined) {
    this.#path = path
    this.#text = text
    this.#content = text === undefined ? {} : parsed(text)
    this.servers = new Map(Object.entries(serversIn(this.#content)))
  }

  /** A file that is not there has no servers. Throws `CommandError` for one that cannot be used. */
  static read(folder: string): ProjectFile {
    const path = join(folder, FILE)
    try {
      return new ProjectFile(path, readFileSync(path, 'utf8'))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT')
        return new ProjectFile(path, undefined)
      if (error instanceof CommandError) throw error
      throw new CommandError(`${FILE} cannot be read: ${messageOfThrown(error)}.`, { cause: error })
    }
  }

  set(name: string, entry: ServerEntry): void {
    this.#write(new Map(this.servers).set(name, entry))
  }

  remove(name: string): void {
    this.#write(new Map([...this.servers].filter(([each]) => each !== name)))
  }

  #write(servers: ReadonlyMap<string, unknown>): void {
    const content = { ...this.#content, mcpServers: Object.fromEntries(servers) }
    const text = `${JSON.stringify(content, null, indentOf(this.#text))}\n`
    try {
      if (this.#text === undefined) return writeWhole(this.#path, text)
      // A link stays one, and a file that only its owner may read stays that.
      const target = realpathSync(this.#path)
      writeWhole(target, text, statSync(target).mode)
    } catch (cause) {
      throw new CommandError(`${FILE} cannot be written: ${messageOfThrown(cause)}.`, { cause })
    }
  }
}

function parsed(text: string): Entries {
  const json = text.replace(/^\uFEFF/, '')
  const position = jsonErrorPosition(json)
  if (position !== undefined)
    throw new CommandError(
      `${FILE} is not JSON: ${placeOf(json, position)}. Mend it; it was not changed.`,
    )
  return recordOr(JSON.parse(json), `${FILE} is no JSON object`)
}

const serversIn = ({ mcpServers = {} }: Entries): Entries =>
  recordOr(mcpServers, `mcpServers of ${FILE} is no JSON object`)

function recordOr(value: unknown, problem: string): Entries {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Entries
  throw new CommandError(
    `${problem}. Write { "mcpServers": { "<name>": { "command": "…" } } }; the file was not changed.`,
  )
}

/** As the file has it, so that only what changed is different. */
const indentOf = (text = ''): string => /^[{[]\r?\n([ \t]+)/.exec(text.trimStart())?.[1] ?? '  '
