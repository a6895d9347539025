/**
 * Everything a chat needs, for one test: a folder with a tools file, a provider on loopback that says what
 * the test wants, and the command at a terminal or in a pipe. All of it goes when the test is over.
 */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  faultServer,
  type FaultScript,
  type FaultServer,
  type FaultTurn,
} from '@toolwright/fault-server'
import { onTestFinished } from 'vitest'
import { runCommand, runCommandHere, type CommandEnd, type CommandRun } from './command-process.ts'
import { PseudoTerminal, type TerminalRun } from './pseudo-terminal.ts'

export interface ChatDesk {
  readonly folder: string
  readonly server: FaultServer
  /** `toolwright chat …` at a terminal, which stands at its prompt unless `prompts` is false. */
  terminal(words?: readonly string[], run?: Partial<TerminalRun>): PseudoTerminal
  /** `toolwright chat …` without a terminal. */
  run(words: readonly string[], run?: Partial<CommandRun>): Promise<CommandEnd>
  /** The same in this process, where a process is not the point. */
  runHere(words: readonly string[], run?: Partial<CommandRun>): Promise<CommandEnd>
  write(name: string, content: string): void
  /** What the model was sent in its newest request, as text. */
  lastRequest(): string
}

export interface ChatDeskOptions {
  /** What the model says, request by request; the last repeats. */
  readonly turns?: FaultScript
  /** The content of `tools.ts`, after its imports. Offered with `--tools tools.ts`. */
  readonly tools?: string
}

const IMPORTS = `import { tool } from 'toolwright'
const text = { type: 'string' } as const
const object = <P extends object>(properties: P) =>
  ({ type: 'object', properties, required: Object.keys(properties) }) as const
`

export async function chatDesk(options: ChatDeskOptions = {}): Promise<ChatDesk> {
  const { turns = [{ text: ['Hello', ' there.'] }], tools } = options
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-chat-')))
  const server = await faultServer({ dialect: 'openai-compatible', turns })
  const terminals: PseudoTerminal[] = []
  onTestFinished(async () => {
    for (const terminal of terminals) terminal.dispose()
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const write = (name: string, content: string): void => writeFileSync(join(folder, name), content)
  write('package.json', '{ "type": "module" }')
  if (tools !== undefined) write('tools.ts', IMPORTS + tools)
  const env = { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: 'key', TOOLWRIGHT_HOME: folder }
  const offered = tools === undefined ? [] : ['--tools', 'tools.ts']
  const started = (words: readonly string[], more: { readonly env?: object }) => ({
    words: ['chat', ...offered, ...words],
    cwd: folder,
    ...more,
    env: { ...env, ...more.env },
  })
  return {
    folder,
    server,
    write: (name, content) => write(name, name === 'tools.ts' ? IMPORTS + content : content),
    terminal(words = [], more = {}) {
      const terminal = new PseudoTerminal(started(words, more))
      terminals.push(terminal)
      return terminal
    },
    run: (words, more = {}) => runCommand(started(words, more)),
    runHere: (words, more = {}) => runCommandHere(started(words, more)),
    lastRequest: () => server.requests.at(-1)!.text,
  }
}

/** A turn in which the model calls one tool. */
export const calling = (name: string, input: object = {}): FaultTurn => ({
  toolCalls: [{ name, arguments: [JSON.stringify(input)] }],
})
export const saying = (...text: string[]): FaultTurn => ({ text })

/** A tool that prints, and a turn that calls it. */
export const WEATHER = `
export const getWeather = tool({
  name: 'getWeather',
  description: 'Get the weather of a city',
  input: object({ city: text }),
  execute: ({ city }) => { console.log('looking up'); return 'Sunny in ' + city },
})
`
export const BERLIN = calling('getWeather', { city: 'Berlin' })
