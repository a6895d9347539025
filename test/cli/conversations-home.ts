/** A home of the command for one test, with the conversations that are kept in it. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { onTestFinished } from 'vitest'
import { openDatabase, sqlMemoryRepository } from '@toolwright/sql'
import type { ChatMemoryRepository, Message } from 'toolwright'
import { runCommand, runCommandHere } from './command-process.ts'

export const said = (content: string): Message => ({ role: 'user', content })
export const answered = (content: string): Message => ({ role: 'assistant', content })

/** A folder that TOOLWRIGHT_HOME names. Its name needs escaping in an address. */
export function home() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright 100%41 #?')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'conversations.db')
  const env = { TOOLWRIGHT_HOME: folder }
  const path = (name: string): string => join(folder, 'conversations', name)
  return {
    folder,
    file,
    env,
    path,
    run: (...words: string[]) => runCommand({ words, cwd: tmpdir(), env, input: '' }),
    here: (...words: string[]) =>
      runCommandHere({ words: ['conversations', ...words], cwd: tmpdir(), env }),
    chatHere: (...words: string[]) =>
      runCommandHere({ words: ['chat', '--model', 'demo', ...words], cwd: tmpdir(), env }),
    chat: (id: string, prompt: string) =>
      runCommand({
        words: ['chat', '--model', 'demo', '--conversation', id, prompt],
        cwd: tmpdir(),
        env,
        input: '',
      }),
    async stored<Value>(work: (repository: ChatMemoryRepository) => Promise<Value>) {
      await using database = await openDatabase(pathToFileURL(file).href)
      return await work(sqlMemoryRepository(database))
    },
    /** As versions before the database wrote it. */
    earlier(name: string, conversation: string, ...additions: readonly Message[][]): void {
      mkdirSync(path('.'), { recursive: true })
      const lines = additions.map((messages) => JSON.stringify({ conversation, messages }))
      writeFileSync(path(name), lines.map((line) => `${line}\n`).join(''))
    },
  }
}
