/** Whether a file is a trace that this version can read and append to. */
import { TRACE_VERSION } from '../trace-line.ts'

/** What is wrong with the beginning of a file that is not empty; undefined if nothing is. */
export function headerProblem(head: string): string | undefined {
  const lines = head.split('\n')
  const at = lines.findIndex((line) => parsed(line) !== undefined)
  // What its first writers were writing when the disk was full, or the machine went off.
  const begun = at < 0 ? lines : lines.slice(0, at)
  if (!begun.every(isBegunHeader)) return NO_TRACE
  return at < 0 ? undefined : versionProblem(parsed(lines[at]!))
}

const isBegunHeader = (line: string): boolean =>
  line.startsWith(BEGINNING) || BEGINNING.startsWith(line)

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
