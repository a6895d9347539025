/**
 * What `--mcp` names: an address, a command line, a server that `.mcp.json` keeps, or `all` of these. Nothing is
 * started here.
 */
import type { HttpServer, StdioServer } from '@toolwright/mcp'
import type { CommandIo } from '../command/command.ts'
import { CommandError } from '../command/command-error.ts'
import { didYouMean } from '../command/did-you-mean.ts'
import { splitCommandLine } from './command-words.ts'
import { isProgram } from './find-program.ts'
import { FILE, ProjectFile } from './project-file.ts'
import { readEntry, showEntry, toServer, type ServerEntry } from './server-entry.ts'

export interface ChosenServer {
  /** What it is called in `.mcp.json`; undefined for one that is only on the command line. */
  readonly name: string | undefined
  /** The exact command or address, without secrets. */
  readonly shown: string
  readonly server: StdioServer | HttpServer
}

/** Takes every server of the file. */
export const ALL = 'all'

type Surroundings = Pick<CommandIo, 'cwd' | 'env'>

/** Each server once. Throws `CommandError` for what names none. */
export function chooseServers(
  values: readonly string[],
  io: Surroundings,
): readonly ChosenServer[] {
  const distinct = [...new Set(values.map((value) => value.trim()))]
  const chosen = distinct.flatMap((value) => chosenBy(value, io))
  return chosen.filter(({ name }, at) => {
    const first = chosen.findIndex((other) => other.name === name)
    return name === undefined || first === at
  })
}

export const isAddress = (text: string): boolean => /^https?:/i.test(text)

function chosenBy(value: string, io: Surroundings): readonly ChosenServer[] {
  if (value === '')
    throw new CommandError(
      '--mcp is empty. Give it a url, a command or a name: --mcp https://example.com/mcp, --mcp "npx -y some-server".',
    )
  if (isAddress(value)) return [chosen({ type: 'http', url: value }, io)]
  const file = ProjectFile.read(io.cwd)
  if (value === ALL) return allOf(file, io)
  if (file.servers.has(value)) return [kept(value, file, io)]
  const [command = '', ...args] = splitCommandLine(value)
  if (!isProgram(command, io)) throw noServer(value, command, file)
  return [chosen({ command, args }, io)]
}

/** What is on the command line is taken as it is: the shell has replaced its variables already. */
function chosen(entry: ServerEntry, io: Surroundings): ChosenServer {
  const shown = showEntry(entry)
  const server = toServer(entry, { env: {}, cwd: io.cwd, server: shown, isPlain: true })
  return { name: undefined, shown, server }
}

function allOf(file: ProjectFile, io: Surroundings): readonly ChosenServer[] {
  const names = [...file.servers.keys()]
  if (names.length > 0) return names.map((name) => kept(name, file, io))
  throw new CommandError(
    `There are no servers in ${FILE} of this folder. Add one: toolwright mcp add <name> <url|command>.`,
  )
}

function kept(name: string, file: ProjectFile, { env, cwd }: Surroundings): ChosenServer {
  const entry = readEntry(name, file.servers.get(name))
  const server = toServer(entry, { env, cwd, server: name })
  if ('command' in server && !isProgram(server.command, { env, cwd: server.cwd ?? cwd }))
    throw new CommandError(
      `There is no program "${server.command}", which the server "${name}" of ${FILE} needs. Install it, or mend the entry.`,
    )
  return { name, shown: showEntry(entry), server }
}

function noServer(value: string, command: string, file: ProjectFile): CommandError {
  const names = [...file.servers.keys()]
  const isOneWord = command === value
  const near = isOneWord ? didYouMean(value, names) : ''
  const known = names.length === 0 ? '' : ` ${FILE} has: ${names.join(', ')}.`
  const what = isOneWord
    ? `There is no program "${value}", and no server of this name in ${FILE}.`
    : `There is no program "${command}".`
  return new CommandError(
    `${what}${near}${isOneWord ? known : ''} --mcp takes a url, a command with its arguments, or a name that toolwright mcp list shows.`,
  )
}
