/**
 * Checks a Chat Completions request as the strictest provider would: ids unique and not empty, every
 * call answered exactly once right after its message, argument text a JSON object, strings well-formed.
 */
import type { ReceivedRequest } from '../../dialect.ts'
import {
  fieldsOf,
  illFormedStrings,
  isJsonObjectText,
  toolNameViolations,
  unpairedIds,
  type Fields,
} from '../../request-checks.ts'

export function validate(request: ReceivedRequest): readonly string[] {
  const body = fieldsOf(request.body)
  if (!body) return ['the body is not a JSON object']
  const violations = [...illFormedStrings(body), ...toolViolations(body.tools)]
  if (typeof body.model !== 'string' || body.model === '') violations.push('model: missing')
  if (!Array.isArray(body.messages) || body.messages.length === 0)
    return [...violations, 'messages: must be a non-empty array']
  return [...violations, ...new MessageWalk(body.messages).violations()]
}

function toolViolations(tools: unknown): string[] {
  if (tools === undefined) return []
  if (!Array.isArray(tools) || tools.length === 0) return ['tools: must be a non-empty array']
  const functions = tools.map((tool) => fieldsOf(fieldsOf(tool)?.function))
  const schemas = functions.filter(
    (definition) =>
      definition?.parameters !== undefined && fieldsOf(definition.parameters)?.type !== 'object',
  )
  return [
    ...toolNameViolations(functions.map((definition) => definition?.name)),
    ...schemas.map(
      (definition) => `tools: the parameters of ${String(definition?.name)} are no object schema`,
    ),
  ]
}

/** One pass over the messages, collecting what is wrong. */
class MessageWalk {
  readonly #messages: readonly unknown[]
  readonly #found: string[] = []
  readonly #ids = new Set<unknown>()

  constructor(messages: readonly unknown[]) {
    this.#messages = messages
  }

  violations(): readonly string[] {
    for (let at = 0; at < this.#messages.length;) at = this.#step(at)
    return this.#found
  }

  #report(at: number, problem: string): void {
    this.#found.push(`messages[${at}]: ${problem}`)
  }

  /** Checks the message here, with the results that belong to it, and says where the next one is. */
  #step(at: number): number {
    const message = fieldsOf(this.#messages[at]) ?? {}
    if (message.role === 'tool') {
      this.#report(at, 'a tool message must follow the assistant message with its tool_calls')
      return at + 1
    }
    if (message.role === 'assistant') return this.#assistant(message, at)
    if (!['system', 'developer', 'user'].includes(String(message.role)))
      this.#report(at, `unknown role ${JSON.stringify(message.role)}`)
    if (!hasContent(message)) this.#report(at, 'content is missing')
    return at + 1
  }

  #assistant(message: Fields, at: number): number {
    if (message.tool_calls === undefined) {
      if (!hasContent(message)) this.#report(at, 'content is missing')
      return at + 1
    }
    if (!Array.isArray(message.tool_calls) || message.tool_calls.length === 0) {
      this.#report(at, 'tool_calls must be a non-empty array')
      return at + 1
    }
    const ids = message.tool_calls.map((call: unknown) => this.#call(fieldsOf(call) ?? {}, at))
    return this.#results(ids, at + 1)
  }

  #call(call: Fields, at: number): unknown {
    const definition = fieldsOf(call.function)
    if (call.type !== 'function') this.#report(at, 'a tool call has no type "function"')
    if (typeof call.id !== 'string' || call.id.trim() === '')
      this.#report(at, 'a tool call has no id')
    else if (this.#ids.has(call.id)) this.#report(at, `the tool call id ${call.id} was used before`)
    if (typeof definition?.name !== 'string' || !/^[a-zA-Z0-9_-]{1,64}$/.test(definition.name))
      this.#report(at, `the name of the tool call ${JSON.stringify(definition?.name)} is not valid`)
    if (!isJsonObjectText(definition?.arguments))
      this.#report(at, `the arguments ${JSON.stringify(definition?.arguments)} are no JSON object`)
    this.#ids.add(call.id)
    return call.id
  }

  #results(ids: readonly unknown[], start: number): number {
    let at = start
    const answers: unknown[] = []
    for (; fieldsOf(this.#messages[at])?.role === 'tool'; at += 1) {
      const message = fieldsOf(this.#messages[at])!
      if (!hasContent(message)) this.#report(at, 'the content of a tool message is missing')
      answers.push(message.tool_call_id)
    }
    const problem = unpairedIds(ids, answers)
    if (problem) this.#report(start - 1, problem)
    return at
  }
}

function hasContent(message: Fields): boolean {
  return (
    typeof message.content === 'string' ||
    (Array.isArray(message.content) && message.content.length > 0)
  )
}
