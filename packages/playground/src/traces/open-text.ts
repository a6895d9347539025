/** A file that a person opens: a trace or a cassette. */
import { readTrace, TraceError } from 'toolwright/trace'
import type { OpenedTrace } from '../protocol/opened-trace.ts'
import { Refusal } from '../server/refusal.ts'

export function openText(text: string, name: string): OpenedTrace {
  try {
    return { kind: 'trace', name, trace: readTrace(text) }
  } catch (thrown) {
    if (!(thrown instanceof TraceError)) throw thrown
    throw new Refusal(422, thrown.code, { message: thrown.message })
  }
}
