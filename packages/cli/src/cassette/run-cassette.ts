/** Runs the `cassette` command after its command line is read. */
import { existsSync, mkdirSync } from 'node:fs'
import { basename, dirname, relative, resolve } from 'node:path'
import type { CommandIo } from '../command/command.ts'
import { CommandError, messageOfThrown } from '../command/command-error.ts'
import { writeWhole } from '../generate/files/write-whole.ts'
import type { LoadedTools } from '../load/load-tools.ts'
import { printsAside } from '../terminal/prints-aside.ts'
import { keptConversation, type ConversationSource } from './kept-conversation.ts'
import { fileNameOf, makeCassette } from './make-cassette.ts'

export interface CassetteRequest {
  readonly source: ConversationSource
  /** Files of tools. */
  readonly tools: readonly string[]
  /** Where to write, without the endings. */
  readonly out: string | undefined
  readonly force: boolean
}

export async function runCassette(request: CassetteRequest, io: CommandIo): Promise<number> {
  const conversation = await keptConversation(request.source, io)
  const places = placesOf(request.out ?? fileNameOf(conversation.name), io.cwd)
  if (!request.force) refuseTaken(places, io.cwd)
  const made = await makeCassette({
    conversation,
    loaded: await toolsOf(request.tools, io),
    folder: dirname(places.test),
    cassetteName: basename(places.cassette),
  })
  write(places.cassette, made.cassette)
  write(places.test, made.test)
  const shown = [places.cassette, places.test].map((file) => relative(io.cwd, file) || file)
  io.stdout.write(shown.map((file) => `${file}\n`).join(''))
  for (const note of made.notes) io.stderr.write(`toolwright: ${note}\n`)
  return 0
}

interface Places {
  readonly cassette: string
  readonly test: string
}

function placesOf(name: string, cwd: string): Places {
  const base = resolve(cwd, name.replace(/\.(?:cassette\.json|test\.ts)$/, ''))
  return { cassette: `${base}.cassette.json`, test: `${base}.test.ts` }
}

function refuseTaken(places: Places, cwd: string): void {
  const taken = Object.values(places).find((file: string) => existsSync(file)) as string | undefined
  if (taken !== undefined)
    throw new CommandError(
      `${relative(cwd, taken) || taken} is there already. Name others with --out, or write over it with --force.`,
    )
}

async function toolsOf(files: readonly string[], io: CommandIo): Promise<readonly LoadedTools[]> {
  if (files.length === 0) return []
  const { loadAll } = await import('../load/load-all.ts')
  return printsAside(io, () => loadAll(files, { cwd: io.cwd }))
}

function write(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeWhole(file, text)
  } catch (error) {
    throw new CommandError(
      `${file} cannot be written: ${messageOfThrown(error)}. Make its folder writable, or name another with --out.`,
    )
  }
}
