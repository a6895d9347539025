/** A file that a person opens: a trace or a cassette. */
import type { Message } from 'toolwright'
import { CassetteError, readCassette } from 'toolwright/testing'
import { readTrace, TraceError } from 'toolwright/trace'
import type { OpenedTrace } from '../protocol/opened-trace.ts'
import { Refusal } from '../server/refusal.ts'

export function openText(text: string, name: string): OpenedTrace {
  try {
    if (CASSETTE.test(text.slice(0, 1000))) return openedCassette(text, name)
    return { kind: 'trace', name, trace: readTrace(text) }
  } catch (thrown) {
    if (!(thrown instanceof TraceError) && !(thrown instanceof CassetteError)) throw thrown
    throw new Refusal(422, thrown.code, { message: thrown.message })
  }
}

const CASSETTE = /"format"\s*:\s*"toolwright-cassette"/

function openedCassette(text: string, name: string): OpenedTrace {
  const { exchanges, calls } = readCassette(text, name)
  return {
    kind: 'cassette',
    name,
    exchanges: exchanges.map(({ messages, tools, response, ...ending }) => ({
      // The canonical form is that of messages, without what changes from run to run.
      messages: messages as unknown as readonly Message[],
      tools: tools.map(({ name, description }) => ({ name, description })),
      answer: response ?? ending,
    })),
    calls: calls.map(({ tool, input, ...outcome }) => ({ tool, input, outcome })),
  }
}
