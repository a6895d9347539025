/** The words, the level and the data of a line of the log. */
import { messageOfThrown } from '../errors/message-of-thrown.ts'
import { redact } from '../errors/redact.ts'
import { contentOf } from './content-of.ts'
import type { LogLevel } from './logger.ts'
import type { Content, Ending } from './told.ts'

/** A failed run is an error, a call that is not run a warning; all else is debug. */
export function lineOf(
  kind: string,
  { failed, error, refused }: Ending,
): readonly [LogLevel, string] {
  if (refused) return ['warn', 'refused']
  if (!failed) return ['debug', 'ended']
  const why = error === undefined ? '' : `: ${wordsOf(error)}`
  return [kind === 'client' ? 'error' : 'debug', `failed${why}`]
}

/** What a line of the log needs besides its words. */
export function logged(data: object): { readonly [key: string]: unknown } {
  const {
    kind: _kind,
    name: _name,
    definition: _definition,
    options: _options,
    error: _error,
    failed: _failed,
    ...rest
  } = data as { readonly [key: string]: unknown }
  return rest
}

/** Loggers write where others read: what they get of content is a copy without secrets. Tools are logged by name. */
export function shownContent(content: Content): object {
  if (!content) return {}
  const { tools: _tools, ...shown } = content as { readonly tools?: unknown }
  return contentOf(shown) as object
}

export const wordsOf = (thrown: unknown): string => redact(messageOfThrown(thrown))
