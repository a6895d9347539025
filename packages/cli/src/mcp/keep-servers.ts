/** `toolwright mcp add` and `remove`: change what `.mcp.json` keeps. Nothing is started. */
import type { CommandIo } from '../command/command.ts'
import { CommandError } from '../command/command-error.ts'
import { didYouMean } from '../command/did-you-mean.ts'
import { ALL, isAddress } from './choose-servers.ts'
import { splitCommandLine } from './command-words.ts'
import { hasVariables } from './expand-variables.ts'
import { FILE, ProjectFile } from './project-file.ts'
import { showEntry, type ServerEntry } from './server-entry.ts'

export interface AddedServer {
  readonly name: string | undefined
  /** A url, or a command and its arguments; a single word may be a whole command line. */
  readonly words: readonly string[]
  /** `KEY=VALUE` */
  readonly env: readonly string[]
  /** `Name: value` */
  readonly headers: readonly string[]
}

const NAME = /^[A-Za-z0-9_][\w.-]{0,63}$/
const USAGE = 'Write toolwright mcp add <name> <url|command…>.'

export async function addServer({ name, ...added }: AddedServer, io: CommandIo): Promise<number> {
  if (name === undefined) throw new CommandError(`add needs a name and a server. ${USAGE}`)
  if (!NAME.test(name) || name === ALL)
    throw new CommandError(
      `"${name}" cannot be the name of a server: up to 64 letters, digits, "_", "-" and "." can, but not "${ALL}". ${USAGE}`,
    )
  const entry = entryOf(added)
  const file = ProjectFile.read(io.cwd)
  if (file.servers.has(name))
    throw new CommandError(
      `${FILE} has a server "${name}" already. Take another name, or first: toolwright mcp remove ${name}.`,
    )
  file.set(name, entry)
  io.stdout.write(`Added ${name} to ${FILE}: ${showEntry(entry)}\n`)
  for (const secret of plainSecrets(entry))
    io.stderr.write(
      `toolwright: ${secret} is in ${FILE} as it is. To keep it out, write '\${${variableOf(secret)}}' and set that variable.\n`,
    )
  return 0
}

function entryOf({ words, env, headers }: Omit<AddedServer, 'name'>): ServerEntry {
  const [first = '', ...rest] = words
  if (first.trim() === '') throw new CommandError(`add needs a url or a command. ${USAGE}`)
  if (!isAddress(first)) {
    if (headers.length > 0)
      throw new CommandError('--header is for a url. For a program write --env.')
    const [command = '', ...args] = rest.length > 0 ? words : splitCommandLine(first)
    return { command, args, ...(env.length > 0 && { env: pairsOf(env, ENV) }) }
  }
  if (rest.length > 0) throw new CommandError(`A url takes no arguments; "${rest[0]}" is too much.`)
  if (env.length > 0) throw new CommandError('--env is for a program. For a url write --header.')
  if (!URL.canParse(first) && !hasVariables(first))
    throw new CommandError(
      'That is not the url of a server. Write it like https://example.com/mcp.',
    )
  return {
    type: 'http',
    url: first,
    ...(headers.length > 0 && { headers: pairsOf(headers, HEADER) }),
  }
}

interface PairForm {
  readonly option: string
  readonly pattern: RegExp
  readonly example: string
}

const ENV: PairForm = {
  option: '--env',
  pattern: /^([A-Za-z_]\w*)=([\s\S]*)$/,
  example: "--env TOKEN='${TOKEN}'",
}
const HEADER: PairForm = {
  option: '--header',
  pattern: /^([\w!#$%&'*+.^`|~-]+):[ \t]*([^\r\n]*)$/,
  example: "--header 'Authorization: Bearer ${TOKEN}'",
}

/** What does not fit is not quoted: it may be a secret. */
const pairsOf = (
  texts: readonly string[],
  { option, pattern, example }: PairForm,
): { readonly [name: string]: string } =>
  Object.fromEntries(
    texts.map((text) => {
      const [, name, value] = pattern.exec(text) ?? []
      if (name !== undefined) return [name, value!]
      throw new CommandError(`${option} is not of the right form. Write ${example}.`)
    }),
  )

/** Names of what looks like a secret and is no variable. */
function plainSecrets(entry: ServerEntry): readonly string[] {
  const pairs = Object.entries(('url' in entry ? entry.headers : entry.env) ?? {})
  return pairs
    .filter(([name, value]) => SECRET.test(name) && value !== '' && !hasVariables(value))
    .map(([name]) => name)
}

const SECRET = /key|token|secret|passw|auth|cookie/i

const variableOf = (name: string): string => name.replace(/\W+/g, '_').toUpperCase()

export async function removeServer(name: string | undefined, io: CommandIo): Promise<number> {
  if (name === undefined)
    throw new CommandError('remove needs the name of a server; toolwright mcp list shows them.')
  const file = ProjectFile.read(io.cwd)
  if (!file.servers.has(name)) throw noServer(name, file)
  file.remove(name)
  io.stdout.write(`Removed ${name} from ${FILE}.\n`)
  return 0
}

function noServer(name: string, { servers }: ProjectFile): CommandError {
  const names = [...servers.keys()]
  const has = names.length === 0 ? 'It has none.' : `It has: ${names.join(', ')}.`
  return new CommandError(`${FILE} has no server "${name}".${didYouMean(name, names)} ${has}`)
}
