/**
 * Runs a pattern of a model with an engine whose time grows only linearly with the text, so no pattern can
 * hang the process. The engine is an optional peer dependency, loaded with the first pattern.
 */
import { ConfigurationError } from '../../errors/errors.ts'

/** Returns where each match begins, up to a few; empty if there is none. */
export type FindMatches = (text: string) => readonly number[]

const LONGEST_PATTERN = 200
/** The most instructions of a compiled pattern. The engine's time is this number times the text's length. */
const LARGEST_PROGRAM = 400
export const MOST_MATCHES = 5

/** Returns undefined if the text is not a pattern, or one that is too large to run on every tool. */
export async function linearPattern(pattern: string): Promise<FindMatches | undefined> {
  if (pattern.length > LONGEST_PATTERN) return undefined
  const { RE2JS } = await engine()
  try {
    const compiled = RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE)
    if (compiled.programSize() > LARGEST_PROGRAM) return undefined
    return (text) => {
      const starts: number[] = []
      const matcher = compiled.matcher(text)
      while (starts.length < MOST_MATCHES && matcher.find()) starts.push(matcher.start())
      return starts
    }
  } catch {
    return undefined
  }
}

async function engine(): Promise<typeof import('re2js')> {
  try {
    return await import('re2js')
  } catch (cause) {
    throw new ConfigurationError(
      'missing-peer',
      'regexToolIndex() runs patterns with the package re2js, which is not installed.',
      { cause },
    )
  }
}
