/**
 * The questions of MCP servers, as a suspended call has them: a form of simple fields, or an address where something is
 * to be done. Other questions are a tool's own, of any shape.
 */
import type { Json, JsonSchema } from 'toolwright'

export interface FormQuestion {
  readonly mode: 'form'
  readonly message: string
  readonly requestedSchema: JsonSchema
}

export interface UrlQuestion {
  readonly mode: 'url'
  readonly message: string
  readonly url: string
}

/** Several questions at once, by keys of the server. */
export interface SeveralQuestions {
  readonly mode: 'several'
  readonly requests: ReadonlyMap<string, OneQuestion>
}

export type OneQuestion = FormQuestion | UrlQuestion

export interface RemoteQuestion {
  /** The server that asks; a tool of the program's own may ask in the same way. */
  readonly server: string | undefined
  /** Why the last answer could not be used. */
  readonly problem: string | undefined
  readonly asked: OneQuestion | SeveralQuestions
}

type Fields = { readonly [key: string]: unknown }

/** Undefined if it is no such question. */
export function remoteQuestion(question: Json | undefined): RemoteQuestion | undefined {
  const fields = Object(question) as Fields
  const asked = fields.mode === 'several' ? several(fields.requests) : oneQuestion(fields)
  return asked && { server: textOr(fields.server), problem: textOr(fields.problem), asked }
}

function several(requests: unknown): SeveralQuestions | undefined {
  const entries = Object.entries(Object(requests) as Fields).map(
    ([key, request]) => [key, oneQuestion(Object(request) as Fields)] as const,
  )
  if (entries.length === 0 || entries.some(([, request]) => request === undefined)) return undefined
  return { mode: 'several', requests: new Map(entries as [string, OneQuestion][]) }
}

function oneQuestion({ mode, message, requestedSchema, url }: Fields): OneQuestion | undefined {
  if (typeof message !== 'string') return undefined
  if (mode === 'url') return typeof url === 'string' ? { mode, message, url } : undefined
  const isForm = mode === 'form' && typeof requestedSchema === 'object' && requestedSchema !== null
  return isForm ? { mode, message, requestedSchema: requestedSchema as JsonSchema } : undefined
}

const textOr = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined
