/** Makes a cassette of a conversation, and a test that plays it. Nothing is written where the user would see it. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ToolwrightError } from 'toolwright'
import { CommandError, messageOfThrown } from '../command/command-error.ts'
import type { LoadedTools } from '../load/load-tools.ts'
import { printable } from '../terminal/printable.ts'
import type { KeptConversation } from './kept-conversation.ts'
import { recordTurns, replayTurns } from './record-turns.ts'
import { toolsBesides } from './replay-parts.ts'
import { importedTools, testFile } from './test-file.ts'
import { turnsOf } from './turns-of.ts'

export interface WantedCassette {
  readonly conversation: KeptConversation
  /** The user's tools. None: the test knows those of the cassette. */
  readonly loaded: readonly LoadedTools[]
  /** Where the test will be. */
  readonly folder: string
  /** The cassette's file, beside the test. */
  readonly cassetteName: string
}

export interface MadeCassette {
  readonly cassette: string
  readonly test: string
  /** What is worth knowing. */
  readonly notes: readonly string[]
}

/** Throws `CommandError` if it cannot be played. */
export async function makeCassette(wanted: WantedCassette): Promise<MadeCassette> {
  const { conversation, loaded, folder, cassetteName } = wanted
  const { name, messages } = conversation
  const turns = turnsOf(messages)
  if (turns.turns.length === 0)
    throw new CommandError(
      'No question of this conversation was answered, so there is nothing to test.',
    )
  const ofFiles = loaded.flatMap(({ tools }) => tools)
  const besides = toolsBesides(turns.turns, ofFiles)
  const own = [...ofFiles, ...besides]
  const imported = besides.length > 0 ? undefined : importedTools(loaded, folder)
  const { played, text } = await aside(async (file) => {
    await recordTurns(file, turns, own)
    const played = await replayTurns(file, turns, imported ? own : [])
    return { played, text: readFileSync(file, 'utf8') }
  })
  const test = { name, cassetteName, system: turns.system, turns: played, tools: imported }
  const { unanswered } = turns
  const names = besides.map(({ definition }) => definition.name)
  const notes = notesOf({ unanswered, loaded, isImported: imported !== undefined, besides: names })
  return { cassette: text, test: testFile(test), notes }
}

/** A name of files for an id, which may hold anything. */
export const fileNameOf = (name: string): string =>
  name
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
    .slice(0, 80) || 'conversation'

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

interface Noted {
  readonly unanswered: number
  readonly loaded: readonly LoadedTools[]
  readonly isImported: boolean
  /** Names of tools that the conversation had and no file has. */
  readonly besides: readonly string[]
}

function notesOf({ unanswered, loaded, isImported, besides }: Noted): readonly string[] {
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
            `The test uses the tools as the cassette knows them: ${
              besides.length > 0
                ? `the conversation had ${besides.join(', ')}, which no file exports.`
                : 'what the files export cannot be imported by it.'
            }`,
          ]),
  ]
}
