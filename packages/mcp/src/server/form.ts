/** One thing that a client is asked (a form, an address, words of its model, its folders), and how its answer is read. */
import { checkJson, type CheckResult, type Json, type JsonSchema } from 'toolwright'

/** The parameters of `elicitation/create`. */
export type Elicitation =
  | {
      readonly mode: 'form'
      readonly message: string
      readonly requestedSchema: { readonly [key: string]: unknown }
    }
  | { readonly mode: 'url'; readonly message: string; readonly url: string }

/** The request that asks it. */
export type Asking =
  | { readonly method: 'elicitation/create'; readonly params: Elicitation }
  | {
      readonly method: 'sampling/createMessage'
      readonly params: { readonly [key: string]: unknown }
    }
  | { readonly method: 'roots/list'; readonly params: object }

export type Reading =
  | { readonly kind: 'value'; readonly value: Json }
  | { readonly kind: 'declined' }
  /** The tool can do without it, and the client cannot be asked or did not want to answer. */
  | { readonly kind: 'left-out' }
  /** Nothing usable was answered: it is asked again. */
  | { readonly kind: 'open'; readonly problem?: string }

export interface Form {
  readonly asks: Asking
  /** Reads the client's result for it, which comes from outside. */
  read(response: unknown): Reading
  /** The tool can do without an answer. */
  readonly isOptional?: boolean
  /** The tool itself gave the key, so that a client may answer before it is asked. */
  readonly isNamed?: boolean
}

export const valueOf = (value: Json): Reading => ({ kind: 'value', value })
export const DECLINED: Reading = { kind: 'declined' }

/** A form with fields of its own. The content is checked before it is read. */
export function formOf(
  message: string,
  schema: JsonSchema,
  read: (content: { readonly [field: string]: Json }) => Reading,
): Form {
  const requestedSchema = schema as { readonly [key: string]: unknown }
  return elicited({ mode: 'form', message, requestedSchema }, (content) => {
    const checked = checkedContent(schema, content)
    return checked.kind === 'value' ? read(checked.value as { [field: string]: Json }) : checked
  })
}

/** Opening the address is the answer: what is entered there does not come this way. */
export const addressOf = (message: string, url: string): Form =>
  elicited({ mode: 'url', message, url }, () => valueOf({ action: 'accept' }))

const elicited = (params: Elicitation, read: (content: Json) => Reading): Form => ({
  asks: { method: 'elicitation/create', params },
  read(response) {
    const { action, content } = Object(response) as { readonly [key: string]: Json }
    if (action === 'decline' || action === 'cancel') return DECLINED
    return action === 'accept' ? read(content ?? {}) : { kind: 'open' }
  },
})

/** Words of the client's model. `params` are those of `sampling/createMessage`; the answer is its result. */
export const sampling = (params: { readonly [key: string]: Json }): Form => ({
  asks: { method: 'sampling/createMessage', params },
  read: (response) => withField(response, 'content'),
})

/** The folders of the client. The answer is the result of `roots/list`. */
export const ROOTS: Form = {
  asks: { method: 'roots/list', params: {} },
  read: (response) => withField(response, 'roots'),
}

function withField(response: unknown, field: string): Reading {
  const value = (Object(response) as { readonly [key: string]: unknown })[field]
  const isThere = typeof value === 'object' && value !== null
  return isThere ? valueOf(response as Json) : { kind: 'open' }
}

function checkedContent(schema: JsonSchema, content: Json): Reading {
  const checked = check(schema, content)
  if (!checked || checked.ok) return valueOf(content)
  const problems = checked.issues.map(
    ({ path, expected, message }) => `${path}: ${message ?? `expected ${expected}`}`,
  )
  return { kind: 'open', problem: problems.join('; ') }
}

/** A schema of a remote tool may be broken. Then there is nothing to hold the answer against, and its owner decides. */
function check(schema: JsonSchema, content: Json): CheckResult | undefined {
  try {
    return checkJson(schema, content)
  } catch {
    return undefined
  }
}
