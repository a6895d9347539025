/** A conversation of the playground as a cassette and a test, to be saved beside each other. */
import type {
  ExportedConversation,
  PlaygroundOptions,
  UnexportedConversation,
} from '@toolwright/playground'
import { fileNameOf, makeCassette } from '../cassette/make-cassette.ts'
import { CommandError } from '../command/command-error.ts'
import type { LoadedTools } from '../load/load-tools.ts'

type Export = NonNullable<PlaygroundOptions['exportConversation']>

/** `folder` is where the files belong: the test imports the tools from there. */
export const exportConversation =
  (loaded: () => readonly LoadedTools[], folder: string): Export =>
  async ({ id, title, messages }: ExportedConversation) => {
    const name = title || id
    // Two conversations may begin with the same question.
    const base = `${fileNameOf(name)}-${id.slice(0, 6)}`
    const made = await makeCassette({
      conversation: { name, messages },
      loaded: loaded(),
      folder,
      cassetteName: `${base}.cassette.json`,
    }).catch(problemOf)
    if ('problem' in made) return made
    const files = [
      { name: `${base}.cassette.json`, text: made.cassette },
      { name: `${base}.test.ts`, text: made.test },
    ]
    const where = `Save both files in ${folder}, and run them with vitest.`
    return { files, notes: [where, ...made.notes] }
  }

/** Errors that explain themselves are for the person at the page; others are bugs. */
function problemOf(error: unknown): UnexportedConversation {
  if (error instanceof CommandError) return { problem: error.message }
  throw error
}
