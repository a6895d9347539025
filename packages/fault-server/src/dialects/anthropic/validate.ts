/**
 * Checks a Messages request as the strictest provider would: roles alternate, each tool_use is answered
 * exactly once at the head of the next message, inputs are objects, texts are not empty, signed thoughts
 * come back unchanged and in place, strings are well-formed.
 */
import type { ReceivedRequest } from '../../dialect.ts'
import {
  fieldsOf,
  illFormedStrings,
  toolNameViolations,
  unpairedIds,
  type Fields,
} from '../../request-checks.ts'
import type { FaultTurn } from '../../scenario.ts'
import { signatureOf } from '../../signature.ts'

export function validate(request: ReceivedRequest): readonly string[] {
  const body = fieldsOf(request.body)
  if (!body) return ['the body is not a JSON object']
  const violations = [...illFormedStrings(body), ...toolViolations(body.tools)]
  if (request.headers['anthropic-version'] === undefined)
    violations.push('the header anthropic-version is missing')
  if (typeof body.model !== 'string' || body.model === '') violations.push('model: missing')
  if (!Number.isInteger(body.max_tokens) || Number(body.max_tokens) < 1)
    violations.push('max_tokens: must be a positive integer')
  if (!Array.isArray(body.messages) || body.messages.length === 0)
    return [...violations, 'messages: must be a non-empty array']
  return [...violations, ...new MessageWalk(body.messages, request.sent).violations()]
}

function toolViolations(tools: unknown): string[] {
  if (tools === undefined) return []
  if (!Array.isArray(tools)) return ['tools: must be an array']
  const definitions = tools.map((tool) => fieldsOf(tool) ?? {})
  const schemas = definitions.filter((tool) => fieldsOf(tool.input_schema)?.type !== 'object')
  return [
    ...toolNameViolations(definitions.map((tool) => tool.name)),
    ...schemas.map((tool) => `tools: the input_schema of ${String(tool.name)} is no object schema`),
  ]
}

/** One pass over the messages, collecting what is wrong. */
class MessageWalk {
  readonly #messages: readonly unknown[]
  readonly #sent: readonly FaultTurn[]
  readonly #found: string[] = []
  readonly #ids = new Set<unknown>()
  /** The tool calls of the message before. */
  #open: readonly unknown[] = []
  #turns = 0

  constructor(messages: readonly unknown[], sent: readonly FaultTurn[]) {
    this.#messages = messages
    this.#sent = sent
  }

  violations(): readonly string[] {
    for (const [at, message] of this.#messages.entries()) this.#message(fieldsOf(message) ?? {}, at)
    if (this.#open.length) this.#report(this.#messages.length - 1, 'tool_use without tool_result')
    return this.#found
  }

  #report(at: number, problem: string): void {
    this.#found.push(`messages.${at}: ${problem}`)
  }

  #message(message: Fields, at: number): void {
    const expected = at % 2 === 0 ? 'user' : 'assistant'
    if (message.role !== expected)
      this.#report(at, `roles must alternate: ${expected} expected, ${String(message.role)} found`)
    const blocks = blocksOf(message.content)
    if (!blocks?.length) return this.#report(at, 'content must not be empty')
    for (const block of blocks) this.#text(block, at)
    if (message.role === 'assistant') this.#assistant(blocks, at)
    else this.#user(blocks, at)
  }

  #text(block: Fields, at: number): void {
    if (block.type !== 'text') return
    if (typeof block.text !== 'string' || block.text.trim() === '')
      this.#report(at, 'text content blocks must be non-empty')
  }

  #user(blocks: readonly Fields[], at: number): void {
    const head = blocks.findIndex((block) => block.type !== 'tool_result')
    const results = blocks.slice(0, head === -1 ? blocks.length : head)
    if (blocks.slice(results.length).some((block) => block.type === 'tool_result'))
      this.#report(at, 'tool_result blocks must come first')
    for (const result of results) this.#result(result, at)
    const problem = unpairedIds(
      this.#open,
      results.map((result) => result.tool_use_id),
    )
    if (problem) this.#report(at, problem)
    this.#open = []
  }

  #result(result: Fields, at: number): void {
    if (result.content === undefined || typeof result.content === 'string') return
    const blocks = blocksOf(result.content)
    if (!blocks) return this.#report(at, 'the content of a tool_result must be text or blocks')
    for (const block of blocks) this.#text(block, at)
  }

  #assistant(blocks: readonly Fields[], at: number): void {
    const calls = blocks.filter((block) => block.type === 'tool_use')
    this.#open = calls.map((call) => this.#call(call, at))
    this.#thoughts(blocks, at)
  }

  #call(call: Fields, at: number): unknown {
    if (typeof call.id !== 'string' || !/^[a-zA-Z0-9_-]+$/.test(call.id))
      this.#report(at, `the tool_use id ${JSON.stringify(call.id)} is not valid`)
    else if (this.#ids.has(call.id)) this.#report(at, `tool_use ids must be unique: ${call.id}`)
    if (typeof call.name !== 'string' || call.name === '')
      this.#report(at, 'a tool_use has no name')
    if (!fieldsOf(call.input)) this.#report(at, 'the input of a tool_use must be an object')
    this.#ids.add(call.id)
    return call.id
  }

  /** A thought may be left out of a turn that called nothing; otherwise it stands first, as it was signed. */
  #thoughts(blocks: readonly Fields[], at: number): void {
    const thought = this.#sent[this.#turns]?.reasoning
    this.#turns += 1
    for (const block of blocks)
      if (block.type === 'thinking' && block.signature !== signatureOf(String(block.thinking)))
        this.#report(at, 'the signature of a thinking block does not match its text')
    if (thought === undefined || !blocks.some((block) => block.type === 'tool_use')) return
    if (blocks[0]?.type !== 'thinking' || blocks[0].thinking !== thought)
      this.#report(at, 'the thinking block of this turn must come first and unchanged')
  }
}

function blocksOf(content: unknown): readonly Fields[] | undefined {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (!Array.isArray(content)) return undefined
  return content.map((block) => fieldsOf(block) ?? {})
}
