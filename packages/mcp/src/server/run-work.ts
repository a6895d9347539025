/**
 * Prompts, resources and completions are the program's own work, as tools are, and take the same way: one call through
 * the library's own loop, with its checks, limits, timeouts, policy, questions and redaction.
 */
import type { InputRequiredResult } from '@modelcontextprotocol/server'
import { tool, type Json, type ObservedFacts, type ToolContext } from 'toolwright'
import { answerCall } from './answer-call.ts'
import { detachable } from './detachable.ts'
import type { Peer } from './peer.ts'
import { INTERNAL_ERROR, Refusal } from './refusal.ts'
import { reporterOf } from './report.ts'
import { servedFacts } from './served-observer.ts'
import type { Serving } from './serving.ts'
import type { ServedTool } from './tool-list.ts'
import type { Answered } from './to-result.ts'

export interface Work {
  /** What it is called where tools have a name. No tool can have it: a name of MCP has neither slash nor space. */
  readonly name: string
  /** What it is done for. A state counts for these only. */
  readonly given: { readonly [name: string]: string }
  /** Which prompt it is, for those who observe it. What else is asked for has too many names. */
  readonly facts?: ObservedFacts
  run(context: ToolContext): Promise<Json>
}

/** More than a person reads, and less than fills the memory. */
const MOST_CONTENT_BYTES = 8 * 1024 * 1024
const LONGEST_TOOL_NAME = 128

export interface DoneWork<Answer> {
  readonly work: Work
  answer(json: Json): Answer
}

export async function runWork<Answer>(
  serving: Serving,
  peer: Peer,
  { work, answer }: DoneWork<Answer>,
): Promise<Answer | InputRequiredResult> {
  const { principal, context } = peer
  const leave = serving.gate.enter(principal.id)
  if (!leave) throw new Refusal(INTERNAL_ERROR, serving.gate.tooMany)
  const refused = (text: string): never => {
    throw new Refusal(INTERNAL_ERROR, text)
  }
  const call = {
    tool: toolOf(work, serving.options.maxContentBytes ?? MOST_CONTENT_BYTES),
    arguments: work.given,
    principal,
    signal: detachable(context.mcpReq.signal).signal,
    facts: servedFacts(peer, work.facts ?? {}),
    onProgress: reporterOf(peer, () => false),
  }
  const answered = ({ response: { content, isError } }: Answered): Answer =>
    isError ? refused(String(content)) : answer(JSON.parse(String(content)) as Json)
  return answerCall<Answer>(serving, { call, peer, answered, refused }).finally(leave)
}

/** The result travels as JSON. It is a direct one: those are not cut to what a model can read. */
const toolOf = ({ name, run }: Work, maxBytes: number): ServedTool => ({
  name,
  callback: tool({
    name: name.slice(0, LONGEST_TOOL_NAME),
    description: `Answers ${name}`,
    input: { type: 'object', additionalProperties: { type: 'string' } },
    hints: { readOnly: true },
    returnDirect: true,
    execute: async (_given: unknown, context) =>
      sized(JSON.stringify(await run(context)), maxBytes),
  }),
})

function sized(json: string, maxBytes: number): string {
  // Three bytes a UTF-16 unit is the most there can be: what is short needs no counting.
  const isSmall = json.length * 3 <= maxBytes
  if (isSmall || new TextEncoder().encode(json).length <= maxBytes) return json
  throw new Error(`There is more of it than the ${maxBytes} bytes that this server sends.`)
}
