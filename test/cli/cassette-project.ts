/** A folder with tools, the home of the command with a conversation in it, and a vitest that finds the library. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { onTestFinished } from 'vitest'
import { openDatabase, sqlMemoryRepository } from '@toolwright/sql'
import type { Message } from 'toolwright'
import { cleanEnvironment, runCommand, runCommandHere } from './command-process.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

const TOOLS = `
import { tool } from 'toolwright'
import { z } from 'zod'

export const weather = tool({
  name: 'weather',
  description: 'The weather of a city',
  input: z.object({ city: z.string(), unit: z.enum(['c', 'f']).default('c') }),
  execute: () => { throw new Error('This must not run.') },
})
export const bank = {
  pay: tool({
    name: 'pay',
    description: 'Pay somebody',
    input: z.object({ amount: z.number() }),
    approval: ({ amount }) => amount > 10,
    execute: () => { throw new Error('This must not run.') },
  }),
  locate: tool({ name: 'locate', description: 'Where the user is' }),
}
export const answer = 42
`

/** With parallel calls, failures, refusals, approvals, a supplied result, reasoning, and secrets. */
export const CONVERSATION: readonly Message[] = [
  { role: 'user', content: 'Is it warm in Rome? My key is sk-abcdefghijklmnop1234.' },
  {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'Hm.', providerData: { signature: 'c2ln' } },
      { type: 'tool-call', id: 'w1', name: 'weather', arguments: '{"city":"Rome"}' },
      { type: 'tool-call', id: 'w2', name: 'weather', arguments: '{"city":"Atlantis","unit":"f"}' },
      { type: 'tool-call', id: 'w3', name: 'weather', arguments: '{"town":"Oslo"}' },
    ],
  },
  {
    role: 'tool',
    responses: [
      { id: 'w1', name: 'weather', content: '{"degrees":21,"password":"hunter22"}' },
      { id: 'w2', name: 'weather', content: 'There is no Atlantis.', isError: true },
      { id: 'w3', name: 'weather', content: 'Not run: the arguments are invalid.', isError: true },
    ],
  },
  { role: 'assistant', content: "It's 21 °C.\nWarm `enough` for ${you}?" },
  { role: 'user', content: 'Pay 20 and 30.' },
  {
    role: 'assistant',
    content: [
      { type: 'tool-call', id: 'p1', name: 'pay', arguments: '{"amount":20}' },
      { type: 'tool-call', id: 'p2', name: 'pay', arguments: '{"amount":30}' },
      { type: 'tool-call', id: 'l1', name: 'locate', arguments: '{}' },
    ],
  },
  {
    role: 'tool',
    responses: [
      { id: 'p1', name: 'pay', content: 'paid' },
      { id: 'p2', name: 'pay', content: 'Not run: denied. Too much.', isError: true },
      { id: 'l1', name: 'locate', content: 'Rome' },
    ],
  },
  { role: 'assistant', content: 'Paid one.' },
  { role: 'user', content: 'And this was never answered.' },
]

export function cassetteProject(files: { readonly [name: string]: string } = {}) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'cassette-project-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const env = { TOOLWRIGHT_HOME: join(folder, 'home') }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  write('package.json', '{ "type": "module" }')
  write('tools.ts', TOOLS)
  for (const [name, text] of Object.entries(files)) write(name, text)
  return {
    folder,
    write,
    read: (name: string): string => readFileSync(join(folder, name), 'utf8'),
    cassette: (...words: string[]) =>
      runCommandHere({ words: ['cassette', ...words], cwd: folder, env }),
    command: (...words: string[]) => runCommand({ words, cwd: folder, env, input: '' }),
    async keep(id: string, messages: readonly Message[]): Promise<void> {
      mkdirSync(env.TOOLWRIGHT_HOME, { recursive: true })
      const file = pathToFileURL(join(env.TOOLWRIGHT_HOME, 'conversations.db')).href
      await using database = await openDatabase(file)
      await sqlMemoryRepository(database).append(id, messages)
    },
    /** The tests of the folder, by the real vitest. The library is taken from its sources. */
    async vitest(): Promise<{ readonly output: string; readonly exitCode: number | null }> {
      write(
        'vitest.config.ts',
        `import { alias } from ${JSON.stringify(join(root, 'vitest.config.ts'))}\nexport default { resolve: { alias } }\n`,
      )
      const child = spawn(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run'], {
        cwd: folder,
        env: { ...cleanEnvironment(), CI: 'true' },
      })
      let output = ''
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (piece: string) => (output += piece))
      const [exitCode] = (await once(child, 'close')) as [number | null]
      return { output, exitCode }
    },
  }
}
