/**
 * Checks a Responses request as the strictest provider would: ids of calls unique and short, every call
 * answered exactly once before the user speaks again, argument text a JSON object, thoughts unchanged and
 * followed by what they led to, strict tools with strict schemas, strings well-formed.
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
import type { FaultTurn } from '../../scenario.ts'
import { signatureOf } from '../../signature.ts'

export function validate(request: ReceivedRequest): readonly string[] {
  const body = fieldsOf(request.body)
  if (!body) return ['the body is not a JSON object']
  const violations = [...illFormedStrings(body), ...toolViolations(body.tools)]
  if (typeof body.model !== 'string' || body.model === '') violations.push('model: missing')
  if (typeof body.input === 'string' && body.input !== '') return violations
  if (!Array.isArray(body.input) || body.input.length === 0)
    return [...violations, 'input: must be a text or a non-empty array']
  return [...violations, ...new ItemWalk(body.input, request.sent).violations()]
}

function toolViolations(tools: unknown): string[] {
  if (tools === undefined) return []
  if (!Array.isArray(tools)) return ['tools: must be an array']
  const functions = tools
    .map((tool) => fieldsOf(tool) ?? {})
    .filter((tool) => tool.type === 'function' || tool.type === undefined)
  return [
    ...toolNameViolations(functions.map((tool) => tool.name)),
    ...functions.flatMap((tool) => functionViolations(tool)),
  ]
}

function functionViolations({ type, name, parameters, strict }: Fields): string[] {
  const problems: string[] = []
  if (type !== 'function') problems.push('has no type')
  if (fieldsOf(parameters)?.type !== 'object') problems.push('has no object schema')
  if (typeof strict !== 'boolean') problems.push('does not say whether it is strict')
  if (strict === true && !isStrict(parameters)) problems.push('is strict, but its schema is not')
  return problems.map((problem) => `tools: ${String(name)} ${problem}`)
}

/** Objects are closed, and every property is required. */
function isStrict(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isStrict)
  const fields = fieldsOf(schema)
  if (!fields) return true
  const properties = fieldsOf(fields.properties)
  if (properties || fields.type === 'object') {
    const required: unknown[] = Array.isArray(fields.required) ? fields.required : []
    if (fields.additionalProperties !== false) return false
    if (Object.keys(properties ?? {}).some((name) => !required.includes(name))) return false
  }
  return ['items', 'anyOf'].every((key) => isStrict(fields[key])) && eachIsStrict(fields)
}

const eachIsStrict = (fields: Fields): boolean =>
  [fields.properties, fields.$defs, fields.definitions].every((schemas) =>
    Object.values(fieldsOf(schemas) ?? {}).every(isStrict),
  )

/** One pass over the items, collecting what is wrong. */
class ItemWalk {
  readonly #items: readonly Fields[]
  readonly #sent: readonly FaultTurn[]
  readonly #found: string[] = []
  readonly #ids = new Set<unknown>()
  #open: unknown[] = []
  #answers: unknown[] = []

  constructor(items: readonly unknown[], sent: readonly FaultTurn[]) {
    this.#items = items.map((item) => fieldsOf(item) ?? {})
    this.#sent = sent
  }

  violations(): readonly string[] {
    for (const [at, item] of this.#items.entries()) this.#item(item, at)
    this.#settle(this.#items.length - 1)
    for (const [turn, start] of this.#starts().entries()) this.#turn(start, this.#sent[turn])
    return this.#found
  }

  #report(at: number, problem: string): void {
    this.#found.push(`input[${at}]: ${problem}`)
  }

  /** Where the turns of the model begin. */
  #starts(): readonly number[] {
    const isMade = (at: number): boolean =>
      this.#items[at] !== undefined && isOfModel(this.#items[at])
    return [...this.#items.keys()].filter((at) => isMade(at) && !isMade(at - 1))
  }

  /** The thought may be left out of a turn that called nothing; otherwise the turn begins with it. */
  #turn(start: number, sent: FaultTurn | undefined): void {
    if (sent?.reasoning === undefined) return
    const rest = this.#items.slice(start)
    const end = rest.findIndex((item) => !isOfModel(item))
    const turn = rest.slice(0, end === -1 ? rest.length : end)
    if (!turn.some(({ type }) => type === 'function_call')) return
    const [first] = turn
    if (first?.type !== 'reasoning' || thoughtIn(first) !== sent.reasoning)
      this.#report(start, 'the reasoning item of this turn must come first and unchanged')
  }

  #item(item: Fields, at: number): void {
    switch (item.type ?? 'message') {
      case 'message':
        return this.#message(item, at)
      case 'function_call':
        return this.#call(item, at)
      case 'function_call_output':
        return this.#result(item, at)
      case 'reasoning':
        return this.#thought(item, at)
      default:
        if (typeof item.type !== 'string') this.#report(at, 'the item has no type')
    }
  }

  #message({ role, content }: Fields, at: number): void {
    if (!['system', 'developer', 'user', 'assistant'].includes(String(role)))
      this.#report(at, `unknown role ${JSON.stringify(role)}`)
    if (role === 'user') this.#settle(at)
    if (typeof content === 'string') return
    if (!Array.isArray(content) || content.length === 0) return this.#report(at, 'no content')
    const kinds = role === 'assistant' ? /^(?:output_text|refusal)$/ : INPUT
    this.#contents(content, kinds, at)
  }

  #contents(content: readonly unknown[], kinds: RegExp, at: number): void {
    for (const part of content) {
      const { type, text } = fieldsOf(part) ?? {}
      if (!kinds.test(String(type))) this.#report(at, `content of type ${JSON.stringify(type)}`)
      if (/_text$/.test(String(type)) && typeof text !== 'string')
        this.#report(at, 'a text without text')
    }
  }

  #call(call: Fields, at: number): void {
    const id = call.call_id
    if (typeof id !== 'string' || id.trim() === '' || id.length > 64)
      this.#report(at, `the call_id ${JSON.stringify(id)} is not valid`)
    else if (this.#ids.has(id)) this.#report(at, `the call_id ${id} was used before`)
    if (typeof call.name !== 'string' || !/^[a-zA-Z0-9_-]+$/.test(call.name))
      this.#report(at, `a call of ${JSON.stringify(call.name)}, which is no name`)
    if (!isJsonObjectText(call.arguments))
      this.#report(at, `the arguments ${JSON.stringify(call.arguments)} are no JSON object`)
    this.#ids.add(id)
    this.#open.push(id)
  }

  #result({ call_id: id, output }: Fields, at: number): void {
    this.#answers.push(id)
    if (!this.#ids.has(id)) this.#report(at, 'an output comes before its call')
    if (typeof output === 'string') return
    if (!Array.isArray(output) || output.length === 0) return this.#report(at, 'no output')
    this.#contents(output, INPUT, at)
  }

  /** What was called must have been answered by now. */
  #settle(at: number): void {
    const problem = unpairedIds(this.#open, this.#answers)
    if (problem) this.#report(at, problem)
    this.#open = []
    this.#answers = []
  }

  #thought(item: Fields, at: number): void {
    if (item.encrypted_content !== signatureOf(thoughtIn(item)))
      this.#report(at, 'the encrypted content of a reasoning item does not match')
    const next = this.#items[at + 1]
    if (next === undefined || !isOfModel(next))
      this.#report(at, 'a reasoning item without the item that has to follow it')
  }
}

const INPUT = /^input_(?:text|image|file)$/

function thoughtIn({ summary }: Fields): string {
  const parts: unknown[] = Array.isArray(summary) ? summary : []
  return parts.map((part) => String(fieldsOf(part)?.text)).join('')
}

/** Whether the model made it, and neither the user nor a tool. */
const isOfModel = ({ type, role }: Fields): boolean =>
  role === undefined ? type !== 'function_call_output' : role === 'assistant'
