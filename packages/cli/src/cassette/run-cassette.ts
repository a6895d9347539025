/** Runs the `cassette` command after its command line is read. */
import { existsSync, rmSync } from 'node:fs'
import { basename, dirname, relative, resolve } from 'node:path'
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
  rmSync(places.cassette, { force: true })
  const played = await orCommandError(places, async () => {
    await recordTurns(places.cassette, turns, own)
    return replayTurns(places.cassette, turns, given)
  })
  const cassetteName = basename(places.cassette)
  const test = { name, cassetteName, system: turns.system, turns: played, tools: imported }
  writeWhole(places.test, testFile(test))
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

/** Nothing is left of a cassette that cannot be played. */
async function orCommandError<Value>(places: Places, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    rmSync(places.cassette, { force: true })
    if (error instanceof CommandError || !ToolwrightError.is(error)) throw error
    throw new CommandError(
      `The conversation cannot be played again: ${printable(messageOfThrown(error))}`,
      { cause: error },
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
