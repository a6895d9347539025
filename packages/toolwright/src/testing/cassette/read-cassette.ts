/** Reads a cassette file, and says what is wrong with one that was torn, edited, or made by another version. */
import { readFileSync } from 'node:fs'
import { CassetteError } from '../../errors/errors.ts'
import { describeIssue, type Issue } from '../../errors/issue.ts'
import { messageOfThrown } from '../../errors/message-of-thrown.ts'
import { compileSchema } from '../../schema/compile-schema.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import {
  CASSETTE_FORMAT,
  CASSETTE_VERSION,
  type CassetteExchange,
  type CassetteFile,
} from './cassette-file.ts'
import { CASSETTE_SHAPE, ENDINGS, EXCHANGE_SHAPES } from './cassette-shape.ts'

export const readCassetteFile = (path: string, file: string): CassetteFile =>
  checkedCassette(textOf(path, file), file)

/** `file` is what messages call it. */
export function checkedCassette(text: string, file: string): CassetteFile {
  const value = parsed(text, file)
  refuseOthers(value, file)
  refuseMisshapen(value, CASSETTE_SHAPE, { file, path: '$' })
  const cassette = value as CassetteFile
  let messages = 0
  for (const [at, exchange] of cassette.exchanges.entries()) {
    const place = { file, path: `$.exchanges[${at}]` }
    refuseMisshapen(exchange, EXCHANGE_SHAPES[exchange.kind]!, place)
    refuseUnended(exchange, place)
    if (exchange.kind !== 'model') continue
    refuseLoose(cassette, exchange.request.tools ?? [], place)
    const { repeats = 0, messages: own } = exchange.request
    if (repeats > messages) throw repeatsTooMany(repeats, messages, place)
    messages = repeats + own.length
  }
  return cassette
}

function textOf(path: string, file: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    if ((cause as { readonly code?: string }).code === 'ENOENT')
      throw new CassetteError('cassette-missing', `There is no cassette ${file}.`, { file })
    throw unreadable(file, `cannot be read: ${messageOfThrown(cause)}.`, cause)
  }
}

function parsed(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const what = text.trim() === '' ? 'is empty' : `is no JSON: ${messageOfThrown(cause)}`
    throw unreadable(file, `${what}.`, cause)
  }
}

/** Another version has another shape, so this is asked first. */
function refuseOthers(value: unknown, file: string): void {
  const { format, version } = Object(value) as Partial<CassetteFile>
  if (format !== CASSETTE_FORMAT)
    throw unreadable(file, `is no cassette: its format is not "${CASSETTE_FORMAT}".`)
  if (version === CASSETTE_VERSION) return
  throw new CassetteError(
    'cassette-version',
    `The cassette ${file} has version ${JSON.stringify(version)}, and this version of toolwright plays version ${CASSETTE_VERSION}.`,
    { file },
  )
}

interface Place {
  readonly file: string
  readonly path: string
}

function refuseMisshapen(value: unknown, shape: JsonSchema, { file, path }: Place): void {
  const checked = compileSchema(shape, { coerce: false }).check(value)
  if (checked.ok) return
  const issues = checked.issues.map((issue: Issue) => ({
    ...issue,
    path: `${path}${issue.path.slice(1)}`,
  }))
  throw unreadable(file, `is not as it was written. ${issues.map(describeIssue).join('; ')}.`)
}

function refuseUnended(exchange: CassetteExchange, { file, path }: Place): void {
  const endings = ENDINGS[exchange.kind]!
  const given = endings.filter((ending) => ending in exchange)
  if (given.length === 1) return
  const has = given.length === 0 ? 'none of them' : given.join(' and ')
  throw unreadable(
    file,
    `is not as it was written. ${path} ends with one of ${endings.join(', ')}, and it has ${has}.`,
  )
}

function refuseLoose(
  { tools }: CassetteFile,
  keys: readonly string[],
  { file, path }: Place,
): void {
  const loose = keys.find((key) => !Object.hasOwn(tools, key))
  if (loose !== undefined)
    throw unreadable(
      file,
      `is not as it was written. ${path}.request.tools names "${loose}", which is not among $.tools.`,
    )
}

const repeatsTooMany = (repeats: number, messages: number, { file, path }: Place): CassetteError =>
  unreadable(
    file,
    `is not as it was written. ${path}.request repeats ${repeats} messages of a request that has ${messages}.`,
  )

const unreadable = (file: string, what: string, cause?: unknown): CassetteError =>
  new CassetteError('cassette-unreadable', `The cassette ${file} ${what}`, { file, cause })
