/**
 * The `toolwright` command: finds the command by its name, parses the command line, runs it, and turns its
 * result or error into output and an exit code. Commands are loaded only when needed.
 */
import { readFileSync } from 'node:fs'
import type { Command, CommandIo } from './command/command.ts'
import { CommandError, messageOfThrown } from './command/command-error.ts'
import { didYouMean } from './command/did-you-mean.ts'
import { leave } from './command/ended-process.ts'
import { commandHelp, mainHelp, type Listed } from './command/help.ts'
import { parseCommandLine } from './command/parse-command-line.ts'

interface Entry extends Listed {
  load(): Promise<Command>
}

const COMMANDS: readonly Entry[] = [
  {
    name: 'chat',
    summary: 'Chat with a model that may call your tools',
    load: async () => (await import('./commands/chat.ts')).chat,
  },
  {
    name: 'conversations',
    summary: 'List, show or delete the conversations that chat keeps',
    load: async () => (await import('./commands/conversations.ts')).conversations,
  },
  {
    name: 'cassette',
    summary: 'Turn a conversation into a test that replays it',
    load: async () => (await import('./commands/cassette.ts')).cassette,
  },
  {
    name: 'tools',
    summary: 'List the tools of a file or an MCP server',
    load: async () => (await import('./commands/tools.ts')).tools,
  },
  {
    name: 'call',
    summary: 'Check arguments and run one tool',
    load: async () => (await import('./commands/call.ts')).call,
  },
  {
    name: 'search',
    summary: 'Find the tools that fit a need in words',
    load: async () => (await import('./commands/search.ts')).search,
  },
  {
    name: 'mcp',
    summary: 'Serve tools to MCP clients, and keep the MCP servers of a project',
    load: async () => (await import('./commands/mcp.ts')).mcp,
  },
  {
    name: 'trace',
    summary: 'Show what happened in runs, from a trace file',
    load: async () => (await import('./commands/trace.ts')).trace,
  },
  {
    name: 'playground',
    summary: 'Try tools out on a page: call them, chat, see what happened',
    load: async () => (await import('./commands/playground.ts')).playground,
  },
  {
    name: 'generate',
    summary: 'Write tools from TypeScript signatures and their doc comments',
    load: async () => (await import('./commands/generate.ts')).generate,
  },
]

/** Runs the command of this process. */
export async function start(): Promise<void> {
  const { stdin, stdout, stderr, env } = process
  const io: CommandIo = { stdin, stdout, stderr, env, cwd: process.cwd() }
  // A reader that closes the pipe early, as in `toolwright tools x.ts | head`, ends the command quietly.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') leave(0)
    stderr.write(
      `toolwright: The output cannot be written: ${error.message}. Write it elsewhere.\n`,
    )
    leave(1)
  })
  // If stderr is closed, notes are dropped; the answer still goes to stdout.
  stderr.on('error', () => {})
  process.on('uncaughtException', (error) => {
    // If others listen, e.g. the chat at its prompt, they handle the error and the process goes on.
    if (process.listenerCount('uncaughtException') === 1) void reportStray(error, io).then(leave)
  })
  const code = await runCommandLine(process.argv.slice(2), io)
  // Tools may leave timers and connections open, so the process ends when everything is written.
  for (const stream of [stdout, stderr]) await new Promise((written) => stream.write('', written))
  leave(code)
}

/** Returns the exit code: 0 done, 1 negative result, 2 the command line or a file is wrong, 70 a bug. */
export async function runCommandLine(words: readonly string[], io: CommandIo): Promise<number> {
  const [name, ...rest] = words
  try {
    if (name === '--version' || name === '-v') return print(io, `${version()}\n`)
    if (name === 'help' && rest[0] !== undefined) return await runCommandLine([rest[0], '-h'], io)
    if (name === undefined || name === '--help' || name === '-h' || name === 'help')
      return print(io, mainHelp(COMMANDS, version()))
    const command = await findCommand(name).load()
    const input = parseCommandLine(command, rest)
    return input === 'help' ? print(io, commandHelp(command)) : await command.run(input, io)
  } catch (error) {
    return await report(error, io)
  }
}

function findCommand(name: string): Entry {
  const entry = COMMANDS.find((command) => command.name === name)
  if (entry) return entry
  const names = COMMANDS.map((command) => command.name)
  throw new CommandError(
    `There is no command "${name}".${didYouMean(name, names)} There are: ${names.join(', ')}.`,
  )
}

function print(io: CommandIo, text: string): 0 {
  io.stdout.write(text)
  return 0
}

/** Reports an error that no code awaits, e.g. in a timer of the user's code. Anything else is a bug. */
async function reportStray(error: unknown, io: CommandIo): Promise<number> {
  const { ownLine } = await import('./load/own-line.ts')
  const place = ownLine(error, io.cwd)
  const message = messageOfThrown(error)
  const isOurs = error instanceof Error && place === ''
  return report(
    isOurs ? error : new CommandError(strayMessage(message, place), { exitCode: 1 }),
    io,
  )
}

const strayMessage = (message: string, place: string): string =>
  `Something failed that nobody awaits: ${message}${place}\nAwait it in the tool, or catch what it throws.`

async function report(error: unknown, { stderr }: CommandIo): Promise<number> {
  const isExpected = error instanceof CommandError
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  const message = isExpected ? error.message : `this should not have happened.\n${stack}`
  stderr.write(`${await wrapped(`toolwright: ${message}`, stderr)}\n`)
  return isExpected ? error.exitCode : 70
}

/** A message may quote a provider, a tool or a file, so it is made safe. */
async function wrapped(message: string, stream: NodeJS.WriteStream): Promise<string> {
  if (!stream.isTTY) return message
  const { printable } = await import('./terminal/printable.ts')
  const { widthOf, wrap } = await import('./terminal/wrap.ts')
  return wrap(printable(message), { width: widthOf(stream) })
}

function version(): string {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}
