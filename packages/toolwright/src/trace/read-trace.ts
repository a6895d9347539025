/** Reads a trace that is at hand as text; `TraceReader` takes it line by line. */
import { TraceReader } from './read/trace-reader.ts'
import type { Trace } from './trace.ts'

/**
 * Throws a TraceError if the text is no trace, or one of another version. Lines that cannot be read are left out,
 * and stand in `problems`.
 *
 * @example
 * const { runs } = readTrace(await readFile('run.jsonl', 'utf8'))
 */
export function readTrace(text: string): Trace {
  const reader = new TraceReader()
  for (const line of text.split('\n')) reader.add(line)
  return reader.trace()
}
