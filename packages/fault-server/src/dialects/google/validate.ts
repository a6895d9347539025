/**
 * Checks a Gemini request as the strictest model would: roles alternate, calls are answered by as many results
 * right after them, with the same names and ids, the first call of a turn is signed as it was, no part is
 * empty, no field unknown, strings are well-formed.
 */
import type { ReceivedRequest } from '../../dialect.ts'
import {
  fieldsOf,
  illFormedStrings,
  toolNameViolations,
  type Fields,
} from '../../request-checks.ts'
import type { FaultTurn } from '../../scenario.ts'
import { isSignatureOfTurn, signatureOfTurn } from './signature-of-turn.ts'

const NAME = /^[A-Za-z_][\w.:-]{0,63}$/
/** What the provider documents for calls that it did not make. */
const UNSIGNED = 'skip_thought_signature_validator'
const KNOWN_FIELDS = new Set([
  'model',
  'contents',
  'systemInstruction',
  'tools',
  'toolConfig',
  'generationConfig',
  'safetySettings',
  'cachedContent',
  'labels',
])

export function validate(request: ReceivedRequest): readonly string[] {
  const body = fieldsOf(request.body)
  if (!body) return ['the body is not a JSON object']
  const violations = [...illFormedStrings(body), ...toolViolations(body.tools)]
  for (const field of Object.keys(body))
    if (!KNOWN_FIELDS.has(field)) violations.push(`unknown field ${JSON.stringify(field)}`)
  if (!request.headers['x-goog-api-key']) violations.push('the header x-goog-api-key is missing')
  if (!Array.isArray(body.contents) || body.contents.length === 0)
    return [...violations, 'contents: must be a non-empty array']
  return [...violations, ...new ContentWalk(body.contents, request.sent).violations()]
}

function toolViolations(tools: unknown): string[] {
  if (tools === undefined) return []
  if (!Array.isArray(tools) || tools.length === 0) return ['tools: must be a non-empty array']
  const declarations = tools.flatMap((tool: unknown) => {
    const declared = fieldsOf(tool)?.functionDeclarations
    return Array.isArray(declared) ? declared.map((each) => fieldsOf(each) ?? {}) : []
  })
  const schemas = declarations.filter(
    ({ parametersJsonSchema: schema }) =>
      schema !== undefined && fieldsOf(schema)?.type !== 'object',
  )
  return [
    ...toolNameViolations(
      declarations.map(({ name }) => name),
      NAME,
    ),
    ...schemas.map(({ name }) => `tools: the schema of ${String(name)} is no object schema`),
  ]
}

/** One pass over the contents, collecting what is wrong. */
class ContentWalk {
  readonly #contents: readonly unknown[]
  readonly #sent: readonly FaultTurn[]
  readonly #found: string[] = []
  readonly #ids = new Set<unknown>()
  /** The calls of the content before. */
  #open: readonly Fields[] = []
  #turns = 0

  constructor(contents: readonly unknown[], sent: readonly FaultTurn[]) {
    this.#contents = contents
    this.#sent = sent
  }

  violations(): readonly string[] {
    for (const [at, content] of this.#contents.entries()) this.#content(fieldsOf(content) ?? {}, at)
    if (this.#open.length) this.#report(this.#contents.length - 1, 'functionCall without a result')
    return this.#found
  }

  #report(at: number, problem: string): void {
    this.#found.push(`contents[${at}]: ${problem}`)
  }

  #content(content: Fields, at: number): void {
    const expected = at % 2 === 0 ? 'user' : 'model'
    if (content.role !== expected)
      this.#report(at, `roles must alternate: ${expected} expected, ${String(content.role)} found`)
    const parts = Array.isArray(content.parts)
      ? content.parts.map((part: unknown) => fieldsOf(part) ?? {})
      : []
    if (parts.length === 0) return this.#report(at, 'parts must not be empty')
    for (const part of parts) this.#part(part, at)
    if (content.role === 'model') this.#model(parts, at)
    else this.#user(parts, at)
  }

  #part(part: Fields, at: number): void {
    const { thought: _thought, thoughtSignature, ...data } = part
    if (Object.keys(data).length === 0) return this.#report(at, 'a part has no data')
    if (part.text === undefined) return
    if (typeof part.text !== 'string' || (part.text === '' && thoughtSignature === undefined))
      this.#report(at, 'a text must not be empty')
  }

  #user(parts: readonly Fields[], at: number): void {
    const head = parts.findIndex((part) => part.functionResponse === undefined)
    const results = parts.slice(0, head === -1 ? parts.length : head)
    if (parts.slice(results.length).some((part) => part.functionResponse !== undefined))
      this.#report(at, 'functionResponse parts must come first')
    if (results.length !== this.#open.length)
      this.#report(at, `${this.#open.length} calls, but ${results.length} function responses`)
    for (const [index, { functionResponse }] of results.entries())
      this.#result(fieldsOf(functionResponse) ?? {}, this.#open[index] ?? {}, at)
    this.#open = []
  }

  #result(result: Fields, call: Fields, at: number): void {
    if (result.name !== call.name || result.id !== call.id)
      this.#report(at, `the result ${named(result)} does not answer the call ${named(call)}`)
    if (!fieldsOf(result.response)) this.#report(at, 'the response of a result must be an object')
  }

  #model(parts: readonly Fields[], at: number): void {
    const calls = parts.filter((part) => part.functionCall !== undefined)
    this.#open = calls.map((part) => this.#call(fieldsOf(part.functionCall) ?? {}, at))
    const [first] = calls
    for (const part of parts)
      if (part !== first && part.thoughtSignature !== undefined)
        this.#report(at, 'a signature has moved to another part')
    const problem = first && this.#signatureProblem(first.thoughtSignature)
    if (problem !== undefined) this.#report(at, `the first functionCall ${problem}`)
    if (first === undefined || !this.#isForeign(first.thoughtSignature)) this.#turns += 1
  }

  #signatureProblem(signature: unknown): string | undefined {
    const expected = this.#expected()
    if (signature !== undefined && signature === expected) return undefined
    if (this.#isForeign(signature)) return undefined
    if (expected === undefined && (signature === UNSIGNED || isSignatureOfTurn(signature)))
      return undefined
    return signature === undefined
      ? 'is missing its thoughtSignature'
      : 'has a wrong thoughtSignature'
  }

  /** The signature of this server's own turn, if this is one with calls. */
  #expected(): string | undefined {
    const sent = this.#sent[this.#turns]
    return sent?.toolCalls ? signatureOfTurn(sent) : undefined
  }

  /** What another server signed is good here too, and stands for no turn of this one. */
  #isForeign(signature: unknown): boolean {
    return (
      isSignatureOfTurn(signature) &&
      !this.#sent.some((turn) => signatureOfTurn(turn) === signature)
    )
  }

  #call(call: Fields, at: number): Fields {
    if (typeof call.name !== 'string' || call.name === '')
      this.#report(at, 'a functionCall has no name')
    if (!fieldsOf(call.args)) this.#report(at, 'the args of a functionCall must be an object')
    if (call.id === undefined) return call
    if (typeof call.id !== 'string' || call.id === '')
      this.#report(at, 'a functionCall has an empty id')
    if (this.#ids.has(call.id)) this.#report(at, `functionCall ids must be unique: ${named(call)}`)
    this.#ids.add(call.id)
    return call
  }
}

const named = ({ name, id }: Fields): string =>
  `${String(name)}${id === undefined ? '' : ` (${String(id)})`}`
