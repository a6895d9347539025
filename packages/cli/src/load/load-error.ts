/** Describes an error that a user's file caused while it was loaded, with the place in the user's code. */
import { spawnSync } from 'node:child_process'
import { isBuiltin } from 'node:module'
import { relative } from 'node:path'
import { CommandError } from '../command/command-error.ts'
import { ownLine } from './own-line.ts'

export interface LoadPlace {
  readonly file: string
  readonly cwd: string
}

/** `/a/b.ts:2:16: ERROR: Unexpected "="`, as the compiler says it. */
const COMPILER_LINE = /^(.+):(\d+):(\d+): ERROR: (.+)$/gm
const MOST_ERRORS = 5

export function loadError(error: unknown, place: LoadPlace): CommandError {
  const say = (message: string): CommandError => new CommandError(message, { cause: error })
  if (error instanceof CommandError) return error
  const message = messageOf(error)
  const mistakes = compilerMistakes(message, place)
  const name = relative(place.cwd, place.file)
  if (mistakes.length > 0)
    return say(`${name} does not compile. Mend it and try again.\n${mistakes.join('\n')}`)
  if (error instanceof SyntaxError && !message.includes('does not provide an export'))
    return say(`${name} does not compile: ${message}${syntaxLine(place)}. Mend it and try again.`)
  if (isMissingModule(error)) return say(missingModule(message, name, place))
  return say(`${name} could not be loaded: ${message}${ownLine(error, place.cwd)}`)
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return `it threw ${String(error)}`
  // The loader adds a query to file names; users should not see it.
  const text = error.message.replace(/\?namespace=[\w-]+/g, '')
  return /^(Syntax)?Error$/.test(error.name) || text.includes(error.name)
    ? text
    : `${error.name}: ${text}`
}

function compilerMistakes(message: string, { cwd }: LoadPlace): readonly string[] {
  const all = Array.from(message.matchAll(COMPILER_LINE), ([, file, line, column, what]) => {
    const hint = /Top-level await/.test(what!) ? TOP_LEVEL_AWAIT : what!
    // The compiler counts columns from 0, editors from 1.
    return `  ${relative(cwd, file!)}:${line}:${Number(column) + 1} ${hint}`
  })
  const more = all.length - MOST_ERRORS
  return more > 0 ? [...all.slice(0, MOST_ERRORS), `  and ${more} more`] : all
}

/** Node knows the line of a syntax error in JavaScript, but only prints it to stderr. */
function syntaxLine({ file }: LoadPlace): string {
  const { stderr } = spawnSync(process.execPath, ['--check', file], { encoding: 'utf8' })
  const [, line] = /^.+?:(\d+)\n/.exec(stderr) ?? []
  return line === undefined ? '' : ` in line ${line}`
}

const TOP_LEVEL_AWAIT =
  'Top-level await needs an ES module: put "type": "module" into package.json, or name the file .mts'

const isMissingModule = (error: unknown): boolean =>
  /^(ERR_)?MODULE_NOT_FOUND$/.test(String((error as { readonly code?: unknown } | null)?.code))

function missingModule(message: string, name: string, { cwd }: LoadPlace): string {
  const [, wanted = '', by] =
    /'([^']+)'(?:[\s\S]*?(?:imported from |\n- )(.+))?/.exec(message) ?? []
  const importer = by ? relative(cwd, by.trim()) : name
  const isPackage = !/^[./]|^[A-Za-z]:/.test(wanted) && !isBuiltin(wanted)
  const fix = isPackage ? `Run npm install ${packageOf(wanted)}.` : 'Mend the import.'
  const displayName = isPackage || wanted.startsWith('.') ? wanted : relative(cwd, wanted)
  return `${importer} imports "${displayName}", which is not there. ${fix}`
}

const packageOf = (specifier: string): string =>
  specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
