/**
 * Checks a request to `/api/chat` more strictly than Ollama does, which ignores what it does not know and cuts what
 * does not fit: no unknown field, one text in each message, arguments an object, each call answered once and in
 * order by the name of its tool, thoughts back with their calls, images as plain base64.
 */
import type { ReceivedRequest } from '../../dialect.ts'
import {
  fieldsOf,
  illFormedStrings,
  toolNameViolations,
  type Fields,
} from '../../request-checks.ts'
import type { FaultTurn } from '../../scenario.ts'

const FIELDS: readonly string[] = [
  'model',
  'messages',
  'tools',
  'stream',
  'format',
  'options',
  'keep_alive',
  'think',
  'logprobs',
  'top_logprobs',
]

export function validate(request: ReceivedRequest): readonly string[] {
  const body = fieldsOf(request.body)
  if (!body) return ['the body is not a JSON object']
  const violations = [
    ...illFormedStrings(body),
    ...settingViolations(body),
    ...toolViolations(body.tools),
  ]
  if (!Array.isArray(body.messages) || body.messages.length === 0)
    return [...violations, 'messages: must be a non-empty array']
  return [...violations, ...new MessageWalk(body.messages, request.sent).violations()]
}

function settingViolations(body: Fields): string[] {
  const { model, stream, format, options } = body
  const unknown = Object.keys(body).filter((field) => !FIELDS.includes(field))
  const violations = unknown.map((field) => `${field}: there is no such field`)
  if (typeof model !== 'string' || model === '') violations.push('model: missing')
  if (stream !== undefined && typeof stream !== 'boolean')
    violations.push('stream: must be true or false')
  if (format !== undefined && format !== 'json' && !fieldsOf(format))
    violations.push('format: must be "json" or a schema')
  if (options !== undefined && !fieldsOf(options)) violations.push('options: must be an object')
  return violations
}

function toolViolations(tools: unknown): string[] {
  if (tools === undefined) return []
  if (!Array.isArray(tools) || tools.length === 0) return ['tools: must be a non-empty array']
  const functions = tools.map((tool) => fieldsOf(fieldsOf(tool)?.function) ?? {})
  const schemas = functions.filter(({ parameters }) => fieldsOf(parameters)?.type !== 'object')
  return [
    ...toolNameViolations(functions.map(({ name }) => name)),
    ...schemas.map(({ name }) => `tools: the parameters of ${String(name)} are no object schema`),
  ]
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** A call that waits for its result. */
interface OpenCall {
  readonly id: unknown
  readonly name: unknown
}

/** One pass over the messages, collecting what is wrong. */
class MessageWalk {
  readonly #messages: readonly unknown[]
  readonly #sent: readonly FaultTurn[]
  readonly #found: string[] = []
  /** The calls of the assistant message before, still without a result. */
  #open: OpenCall[] = []
  #turns = 0

  constructor(messages: readonly unknown[], sent: readonly FaultTurn[]) {
    this.#messages = messages
    this.#sent = sent
  }

  violations(): readonly string[] {
    for (const [at, message] of this.#messages.entries()) this.#message(fieldsOf(message) ?? {}, at)
    this.#closed(this.#messages.length)
    return this.#found
  }

  #report(at: number, problem: string): void {
    this.#found.push(`messages[${at}]: ${problem}`)
  }

  #message(message: Fields, at: number): void {
    if (typeof message.content !== 'string') this.#report(at, 'content must be a string')
    this.#images(message.images, at)
    if (message.role === 'tool') return this.#result(message, at)
    this.#closed(at)
    if (message.role === 'assistant') return this.#assistant(message, at)
    if (message.role !== 'system' && message.role !== 'user')
      this.#report(at, `unknown role ${JSON.stringify(message.role)}`)
  }

  /** Every call must have its result before anything else is said. */
  #closed(at: number): void {
    for (const { name } of this.#open) this.#report(at - 1, `no tool result for ${String(name)}`)
    this.#open = []
  }

  #images(images: unknown, at: number): void {
    if (images === undefined) return
    const isSound = Array.isArray(images) && images.every((image) => BASE64.test(String(image)))
    if (!isSound) this.#report(at, 'images must be a list of base64 texts')
  }

  #result(message: Fields, at: number): void {
    const call = this.#open.shift()
    if (!call) return this.#report(at, 'a tool result that no call waits for')
    if (message.tool_name !== call.name)
      this.#report(at, `tool_name must be ${JSON.stringify(call.name)}`)
    if (message.tool_call_id !== call.id)
      this.#report(at, `tool_call_id must be ${JSON.stringify(call.id)}`)
  }

  #assistant(message: Fields, at: number): void {
    const thought = this.#sent[this.#turns]?.reasoning
    this.#turns += 1
    const { tool_calls: calls } = message
    if (calls === undefined) return
    if (!Array.isArray(calls) || calls.length === 0)
      return this.#report(at, 'tool_calls must be a non-empty array')
    this.#open = calls.map((call: unknown) => this.#call(fieldsOf(call) ?? {}, at))
    if (thought !== undefined && message.thinking !== thought)
      this.#report(at, 'the thinking of this turn must come back unchanged')
  }

  #call({ id, function: called }: Fields, at: number): OpenCall {
    const { name, arguments: input } = fieldsOf(called) ?? {}
    if (typeof name !== 'string' || name === '') this.#report(at, 'a tool call has no name')
    if (!fieldsOf(input)) this.#report(at, 'the arguments of a tool call must be an object')
    return { id, name }
  }
}
