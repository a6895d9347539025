/** Runs the `cassette` command after its command line is read. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { ToolwrightError } from 'toolwright'
import type { CommandIo } from '../command/command.ts'
import { CommandError, messageOfThrown } from '../command/command-error.ts'
import { writeWhole } from '../generate/files/write-whole.ts'
import type { LoadedTools } from '../load/load-tools.ts'
import { printable } from '../terminal/printable.ts'
import { printsAside } from '../terminal/prints-aside.ts'
import { keptConversation, type ConversationSource } from './kept-conversation.ts'
import { recordTurns, replayTurns } from './record-turns.ts'
import { importedTools, testFile } from './test-file.ts'
import { turnsOf } from './turns-of.ts'

export interface CassetteRequest {
  readonly source: ConversationSource
  /** Files of tools. */
  readonly tools: readonly string[]
  /** Where to write, without the endings. */
  readonly out: string | undefined
  readonly force: boolean
}

export async function runCassette(request: CassetteRequest, io: CommandIo): Promise<number> {
  const { name, messages } = await keptConversation(request.source, io)
  const turns = turnsOf(messages)
  if (turns.turns.length === 0)
    throw new CommandError(
      'No question of this conversation was answered, so there is nothing to test.',
    )
  const places = placesOf(request.out ?? fileName(name), io.cwd)
  if (!request.force) refuseTaken(places, io.cwd)
  const loaded = await toolsOf(request.tools, io)
  const own = loaded.flatMap(({ tools }) => tools)
  const imported = importedTools(loaded, dirname(places.test))
  const given = imported ? own : []
  const { played, text } = await aside(async (file) => {
    await recordTurns(file, turns, own)
    const played = await replayTurns(file, turns, given)
    return { played, text: readFileSync(file, 'utf8') }
  })
  const cassetteName = basename(places.cassette)
  const test = { name, cassetteName, system: turns.system, turns: played, tools: imported }
  write(places.cassette, text)
  write(places.test, testFile(test))
  const shown = [places.cassette, places.test].map((file) => relative(io.cwd, file) || file)
  io.stdout.write(shown.map((file) => `${file}\n`).join(''))
  for (const note of notesOf({
    unanswered: turns.unanswered,
    loaded,
    isImported: imported !== undefined,
  }))
    io.stderr.write(`toolwright: ${note}\n`)
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

/** An id may hold anything. */
const fileName = (name: string): string =>
  name
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
    .slice(0, 80) || 'conversation'

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

/** Recorded elsewhere first: what cannot be played is not written, and what was there stays. */
async function aside<Value>(work: (file: string) => Promise<Value>): Promise<Value> {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-cassette-'))
  try {
    return await work(join(folder, 'conversation.cassette.json'))
  } catch (error) {
    if (error instanceof CommandError || !ToolwrightError.is(error)) throw error
    const message = printable(messageOfThrown(error))
    throw new CommandError(`The conversation cannot be played again: ${message}`, { cause: error })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
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

interface Noted {
  readonly unanswered: number
  readonly loaded: readonly LoadedTools[]
  readonly isImported: boolean
}

function notesOf({ unanswered, loaded, isImported }: Noted): readonly string[] {
  const questions = unanswered === 1 ? '1 question' : `${unanswered} questions`
  return [
    ...(unanswered > 0
      ? [`${questions} had no answer and ${unanswered === 1 ? 'is' : 'are'} left out.`]
      : []),
    ...(loaded.length === 0
      ? ['The test knows the tools by name only. Give --tools <file> to test your own.']
      : isImported
        ? []
        : [
            'The test uses the tools as the cassette knows them: what the files export cannot be imported by it.',
          ]),
  ]
}
