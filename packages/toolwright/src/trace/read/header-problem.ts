/** Whether a file is a trace that this version can read and append to. */
import { TRACE_VERSION } from '../trace-line.ts'

/** What is wrong with the beginning of a file that is not empty; undefined if nothing is. */
export function headerProblem(head: string): string | undefined {
  const lines = head.split('\n')
  // What its first writer was writing when the disk was full, or the machine went off.
  const begun = lines.pop()!
  const first = lines.find((line) => parsed(line) !== undefined)
  if (first === undefined)
    return begun.startsWith(BEGINNING) || BEGINNING.startsWith(begun) ? undefined : NO_TRACE
  return versionProblem(parsed(first))
}

/** What is wrong with the first line that is JSON. */
export function versionProblem(line: unknown): string | undefined {
  const { type, version } = Object(line) as { readonly type?: unknown; readonly version?: unknown }
  if (type !== 'trace' || typeof version !== 'number') return NO_TRACE
  if (version === TRACE_VERSION) return undefined
  return `It is a trace of version ${version}, and this is version ${TRACE_VERSION}.`
}

const BEGINNING = '{"type":"trace",'
const NO_TRACE = 'It does not begin like a trace.'

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
