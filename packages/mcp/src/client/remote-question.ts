/**
 * A question of a server, as the people who decide see it, and their answer, as the server gets it. An answer is checked
 * against what was asked for before anything is sent.
 */
import { checkJson, type Json, type JsonSchema } from 'toolwright'
import { lookAtSchema } from '../remote/schema-faults.ts'
import { withoutHidden } from '../remote/hidden-text.ts'

/** One thing that a server asks a person for. */
export type RemoteRequest =
  | { readonly mode: 'form'; readonly message: string; readonly requestedSchema: Json }
  | {
      readonly mode: 'url'
      readonly message: string
      /** Where the person has to go; it is shown, never opened. */
      readonly url: string
      readonly elicitationId?: string
    }

/** The `question` of a pending call whose server asks something. */
export type McpQuestion = (
  | RemoteRequest
  | {
      readonly mode: 'several'
      readonly message: string
      readonly requests: { readonly [key: string]: RemoteRequest }
    }
) & {
  /** What the server is called here. */
  readonly server: string
  /** Why the last answer could not be sent. */
  readonly problem?: string
}

/** What goes back to the server for one request. */
export interface RemoteAnswer {
  readonly action: 'accept' | 'decline' | 'cancel'
  readonly content?: { readonly [key: string]: Json }
}

export interface RequestsByKey {
  readonly [key: string]: RemoteRequest
}

const MODES_OF_WEB = /^https?:\/\//i

/** The parameters of `elicitation/create`; words about what is wrong with them if they cannot be shown. */
export function readRequest(params: unknown): RemoteRequest | { readonly fault: string } {
  const {
    mode = 'form',
    message,
    requestedSchema,
    url,
    elicitationId,
  } = Object(params) as {
    readonly [key: string]: unknown
  }
  const words = withoutHidden(typeof message === 'string' ? message : '')
  if (mode === 'url') {
    if (typeof url !== 'string' || !MODES_OF_WEB.test(url) || !URL.canParse(url))
      return { fault: 'asks to open what is no web address' }
    const id = typeof elicitationId === 'string' ? { elicitationId } : {}
    return { mode, message: words, url, ...id }
  }
  if (mode !== 'form') return { fault: `asks in a mode that is not known, ${JSON.stringify(mode)}` }
  if (typeof requestedSchema !== 'object' || requestedSchema === null)
    return { fault: 'asks for an answer without saying which' }
  const { schema, fault } = lookAtSchema(requestedSchema)
  if (fault !== undefined) return { fault: `asks for an answer by a broken schema: ${fault}` }
  return { mode, message: words, requestedSchema: schema as Json }
}

export function questionOf(server: string, requests: RequestsByKey, problem?: string): McpQuestion {
  const all = Object.values(requests)
  const why = problem === undefined ? {} : { problem }
  if (all.length === 1) return { server, ...all[0]!, ...why }
  const message = all.map((request) => request.message).join('\n')
  return { server, mode: 'several', message, requests, ...why }
}

export type ReadAnswer =
  | { readonly ok: true; readonly answers: { readonly [key: string]: RemoteAnswer } }
  | { readonly ok: false; readonly problem: string }

/** For one request the answer itself; for several, answers by their keys. */
export function readAnswer(requests: RequestsByKey, answer: Json): ReadAnswer {
  const keys = Object.keys(requests)
  if (keys.length > 1 && !isRecord(answer))
    return {
      ok: false,
      problem: `Several things are asked: answer with an object of ${keys.join(', ')}.`,
    }
  const answers: { [key: string]: RemoteAnswer } = {}
  for (const key of keys) {
    const given = keys.length === 1 ? answer : (answer as { readonly [key: string]: Json })[key]
    const read = given === undefined ? 'There is no answer.' : answerTo(requests[key]!, given)
    if (typeof read === 'string')
      return { ok: false, problem: keys.length === 1 ? read : `${key}: ${read}` }
    answers[key] = read
  }
  return { ok: true, answers }
}

/** What the server puts into fields that the person left out. */
function defaultsOf(schema: Json): { readonly [key: string]: Json } {
  const { properties } = Object(schema) as { readonly properties?: unknown }
  const fields = Object.entries(isRecord(properties) ? properties : {})
  return Object.fromEntries(
    fields.flatMap(([key, field]) => {
      const value = isRecord(field) ? field.default : undefined
      return value === undefined ? [] : [[key, value] as const]
    }),
  )
}

const ACTIONS: readonly unknown[] = ['accept', 'decline', 'cancel']

/** The answer to send, or words about what is wrong with it. */
function answerTo(request: RemoteRequest, given: Json): RemoteAnswer | string {
  const explicit = explicitAnswer(request, given)
  if (explicit && explicit.action !== 'accept') return { action: explicit.action }
  if (request.mode === 'url')
    return explicit
      ? { action: 'accept' }
      : "Say { action: 'accept' } when it is done there, or 'decline' or 'cancel'."
  const fields = explicit ? (explicit.content ?? {}) : given
  if (!isRecord(fields)) return 'The answer is an object of the fields that are asked for.'
  // What was answered comes first, as it was answered.
  const content = { ...fields, ...defaultsOf(request.requestedSchema), ...fields }
  const checked = checkJson(request.requestedSchema as JsonSchema, content)
  if (checked.ok) return { action: 'accept', content }
  return checked.issues
    .map((issue) => `${issue.path}: expected ${issue.expected}, received ${issue.received}`)
    .join('; ')
}

/** `{ action, content? }`, unless the form has a field of that name. */
function explicitAnswer(
  request: RemoteRequest,
  given: Json,
): (Pick<RemoteAnswer, 'action'> & { readonly content?: Json }) | undefined {
  if (typeof given === 'string' && ACTIONS.includes(given))
    return { action: given as RemoteAnswer['action'] }
  if (!isRecord(given) || !ACTIONS.includes(given.action)) return undefined
  if (Object.keys(given).some((key) => key !== 'action' && key !== 'content')) return undefined
  if (request.mode === 'form' && hasField(request.requestedSchema, 'action')) return undefined
  return given as { readonly action: RemoteAnswer['action']; readonly content?: Json }
}

const hasField = (schema: Json, name: string): boolean => {
  const { properties } = Object(schema) as { readonly properties?: unknown }
  return isRecord(properties) && Object.hasOwn(properties, name)
}

const isRecord = (x: unknown): x is { readonly [key: string]: Json } =>
  typeof x === 'object' && x !== null && !Array.isArray(x)
