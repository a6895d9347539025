/** The words, the level and the data of a line of the log. */
import { ToolwrightError } from '../errors/errors.ts'
import { messageOfThrown } from '../errors/message-of-thrown.ts'
import { redact } from '../errors/redact.ts'
import { contentOf } from './content-of.ts'
import type { LogLevel } from './logger.ts'
import type { Content, Ending } from './told.ts'

/**
 * A failed run is an error; a call that is not run or that failed is a warning, because only the model is told; all else
 * is debug, also what was broken off by the end of what is around it.
 */
export function lineOf(
  kind: string,
  { failed, error, refused }: Ending,
  isBrokenOff: boolean,
): readonly [LogLevel, string] {
  if (refused) return ['warn', 'refused']
  if (!failed) return ['debug', 'ended']
  const why = error === undefined ? '' : `: ${wordsOf(error)}`
  return [isBrokenOff ? 'debug' : (LEVEL_OF_FAILURE[kind] ?? 'debug'), `failed${why}`]
}

const LEVEL_OF_FAILURE: { readonly [kind: string]: LogLevel } = { client: 'error', tool: 'warn' }

/** What a line of the log needs besides its words. */
export function logged(data: object): { readonly [key: string]: unknown } {
  const {
    kind: _kind,
    name: _name,
    definition: _definition,
    options: _options,
    error,
    failed: _failed,
    ...rest
  } = data as { readonly [key: string]: unknown }
  return error === undefined ? rest : { ...rest, errorType: typeOf(error) }
}

/** What failures are counted by in a log: a code of the catalogue, or the class of what was thrown. */
function typeOf(error: unknown): string {
  try {
    if (ToolwrightError.is(error)) return error.code
    if (!(error instanceof Error)) return typeof error
    return error instanceof DOMException ? error.name : error.constructor.name
  } catch {
    // Some values throw when they are looked at.
    return 'unknown'
  }
}

/** Loggers write where others read: what they get of content is a copy without secrets. Tools are logged by name. */
export function shownContent(content: Content): object {
  if (!content) return {}
  const { tools: _tools, ...shown } = content as { readonly tools?: unknown }
  return contentOf(shown) as object
}

export const wordsOf = (thrown: unknown): string => redact(messageOfThrown(thrown))
