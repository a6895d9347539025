/** The calls that people make by hand, of all pages. */
import { randomUUID } from 'node:crypto'
import { checkJson, type Json } from 'toolwright'
import type { CallList, StartCall, Started } from '../protocol/routes.ts'
import { OnceByRequest } from '../runs/once-by-request.ts'
import type { Warn } from '../server/answer-error.ts'
import { fieldIssue } from '../server/field-issue.ts'
import { notFound, Refusal } from '../server/refusal.ts'
import type { ToolDesk } from '../tools/tool-desk.ts'
import { HandCall } from './hand-call.ts'

/** Calls at once. */
const MOST_RUNNING = 32
/** Calls that have ended and can still be followed. */
const ENDED_KEPT = 50

export class HandCalls {
  readonly #tools: ToolDesk
  readonly #warn: Warn
  readonly #calls = new Map<string, HandCall>()
  readonly #started = new OnceByRequest<Started>(500)

  constructor(tools: ToolDesk, warn: Warn) {
    this.#tools = tools
    this.#warn = warn
  }

  start(asked: StartCall): Promise<Started> {
    return this.#started.run(asked.requestId, () => this.#start(asked))
  }

  list(): CallList {
    return { calls: [...this.#calls.values()].reverse().map(({ row }) => row) }
  }

  named(id: string): HandCall {
    const call = this.#calls.get(id)
    if (!call) throw notFound('There is no such call any more. Call the tool again.')
    return call
  }

  async close(): Promise<void> {
    await Promise.all([...this.#calls.values()].map((call) => call.stop()))
  }

  async #start({ tool: name, input, context = {} }: StartCall): Promise<Started> {
    const tool = await this.#tools.named(name)
    checkArguments(tool.definition, input)
    const ended = [...this.#calls.values()].filter((call) => call.isEnded)
    if (this.#calls.size - ended.length >= MOST_RUNNING)
      throw new Refusal(429, 'too-many', {
        message: `${MOST_RUNNING} calls run or wait. Stop some of them.`,
      })
    for (const { id } of ended.slice(0, Math.max(0, ended.length - ENDED_KEPT)))
      this.#calls.delete(id)
    const id = randomUUID()
    this.#calls.set(id, new HandCall({ id, tool, input, context, warn: this.#warn }))
    return { id }
  }
}

/** Field by field, for the form. The call itself checks again, as any call does. */
function checkArguments(
  { name, inputSchema }: { name: string; inputSchema: object },
  input: Json,
): void {
  const checked = checkJson(inputSchema, input)
  if (checked.ok) return
  throw new Refusal(422, 'tool-input', {
    message: `The arguments do not fit tool "${name}". Correct them.`,
    issues: checked.issues.map(fieldIssue),
  })
}
