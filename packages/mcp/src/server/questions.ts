/**
 * What a suspended call waits for, as questions that an MCP client can be asked, and the way from its answers back to
 * decisions. A call may ask several things: a client that is a tool passes on everything that its own run waits for.
 */
import type { Decision, Decisions, InnerQuestion, Json, JsonSchema, PendingCall } from 'toolwright'
import {
  addressOf,
  DECLINED,
  formOf,
  ROOTS,
  sampling,
  valueOf,
  type Form,
  type Reading,
} from './form.ts'

/** Forms by key, and what their answers decide once all are there. */
export interface Questions {
  readonly forms: { readonly [key: string]: Form }
  decide(answers: { readonly [key: string]: Reading }): Decision
}

export interface AskedCall {
  /** The schema of its result, if the client supplies it. */
  readonly outputSchemaOf?: (pending: PendingCall) => JsonSchema | undefined
  /** No other call asks: several questions of it go by the keys that the tool gave them. */
  readonly isOnly?: boolean
}

const DENIED = { deny: 'The user declined.' } as const

/** The questions of one call. Keys begin with the id of the call, unless the tool gave them and no other call asks. */
const questionsOf = (pending: PendingCall, asked: AskedCall = {}): Questions =>
  QUESTIONS[pending.kind](pending, asked)

type AskFor = (pending: PendingCall, asked: AskedCall) => Questions

const QUESTIONS: { readonly [kind in PendingCall['kind']]: AskFor } = {
  approval: (pending) => one(pending, approvalForm(pending), (answer) => answer as Decision),
  result: (pending, asked) => one(pending, resultForm(pending, asked), (result) => ({ result })),
  question: (pending, asked) => questionQuestions(pending, asked),
  'unknown-outcome': (pending) => one(pending, outcomeForm(pending), () => 'retry'),
}

function one({ callId }: PendingCall, form: Form, decide: (answer: Json) => Decision): Questions {
  return {
    forms: { [callId]: form },
    decide: ({ [callId]: answer }) => (answer?.kind === 'value' ? decide(answer.value) : DENIED),
  }
}

function approvalForm({ toolName, input, reason, preview }: PendingCall): Form {
  const lines = [
    `Allow the tool "${toolName}" to run?`,
    ...(reason === undefined ? [] : [`Why it asks: ${reason}`]),
    ...(preview === undefined ? [] : [`It would: ${inWords(preview)}`]),
    `Arguments: ${inWords(input)}`,
  ]
  return formOf(lines.join('\n'), APPROVAL, ({ approve, reason: why }) =>
    valueOf(
      approve === true ? 'approve' : { deny: typeof why === 'string' && why ? why : DENIED.deny },
    ),
  )
}

const APPROVAL: JsonSchema = {
  type: 'object',
  properties: {
    approve: { type: 'boolean', title: 'Approve', description: 'Whether the tool may run' },
    reason: { type: 'string', title: 'Reason', description: 'Why it may not run' },
  },
  required: ['approve'],
}

/** A result that is a flat object is a form of its own; any other is entered as text, or as JSON. */
function resultForm(pending: PendingCall, { outputSchemaOf }: AskedCall): Form {
  const { toolName, input } = pending
  const outputSchema = outputSchemaOf?.(pending)
  const message = `What is the result of "${toolName}"?\nArguments: ${inWords(input)}`
  if (outputSchema && isFlat(outputSchema)) return formOf(message, outputSchema, valueOf)
  const isText = !outputSchema || outputSchema.type === 'string'
  const schema = textForm('result', isText ? 'The result' : 'The result, as JSON')
  return formOf(message, schema, ({ result }) =>
    isText ? valueOf(result ?? '') : fromJson(String(result)),
  )
}

function outcomeForm({ toolName, input }: PendingCall): Form {
  const message = `"${toolName}" was cut off, and it is not known whether it had its effect. Try it again?\nArguments: ${inWords(input)}`
  const schema: JsonSchema = {
    type: 'object',
    properties: { retry: { type: 'boolean', title: 'Try again' } },
    required: ['retry'],
  }
  return formOf(message, schema, ({ retry }) => (retry === true ? valueOf('retry') : DECLINED))
}

function questionQuestions(pending: PendingCall, { isOnly }: AskedCall): Questions {
  const { callId, question } = pending
  const answered = (answer: Json): Decision => ({ answer })
  const {
    mode,
    requests,
    pending: inner,
    problem,
  } = Object(question) as {
    readonly [key: string]: Json
  } & Partial<InnerQuestion>
  if (Array.isArray(inner)) return innerQuestions(callId, inner as readonly PendingCall[], problem)
  if (mode === 'several') return severalQuestions(isOnly ? '' : `${callId}.`, requests)
  return one(pending, questionForm(pending.toolName, question), answered)
}

/** A form of the tool's own, an address, words of a model, folders, or a text that is answered by a text. */
function questionForm(toolName: string, question: Json | undefined): Form {
  const { problem } = Object(question) as { readonly problem?: Json }
  const form = bareForm(toolName, question)
  return typeof problem === 'string' ? withProblem(form, problem) : form
}

function bareForm(toolName: string, question: Json | undefined): Form {
  const {
    mode,
    optional: _optional,
    problem: _problem,
    ...params
  } = Object(question) as {
    readonly [key: string]: Json
  }
  if (mode === 'sampling') return sampling(params)
  if (mode === 'roots') return ROOTS
  const { message, url, requestedSchema } = params
  const words = inWords(message ?? question ?? `"${toolName}" asks for an answer.`)
  if (mode === 'url' && typeof url === 'string') return addressOf(words, url)
  if (typeof requestedSchema === 'object' && requestedSchema !== null)
    return formOf(words, requestedSchema as JsonSchema, valueOf)
  return formOf(words, textForm('answer', 'The answer'), ({ answer }) => valueOf(answer ?? ''))
}

/** Several questions of one call: the answer has one entry for each that was asked. */
function severalQuestions(prefix: string, requests: Json | undefined): Questions {
  const keyed = Object.entries(Object(requests) as { readonly [key: string]: Json })
  const forms = keyed.map(([key, request]): [string, Form] => {
    const { optional } = Object(request) as { readonly optional?: Json }
    const form = questionForm(key, request)
    return [prefix + key, { ...form, isOptional: optional === true, isNamed: prefix === '' }]
  })
  return {
    forms: Object.fromEntries(forms),
    decide(answers) {
      const given = keyed.map(([key]) => [key, answers[prefix + key]] as const)
      const asked = given.filter(([, answer]) => answer?.kind !== 'left-out')
      if (asked.some(([, answer]) => answer?.kind !== 'value')) return DENIED
      const values = asked.map(([key, answer]) => [key, (answer as { value: Json }).value])
      return { answer: Object.fromEntries(values) as Json }
    },
  }
}

/** What the run of a client that is a tool waits for: the answer is its decisions. */
function innerQuestions(
  callId: string,
  inner: readonly PendingCall[],
  problem: string | undefined,
): Questions {
  const prefix = `${callId}.`
  const { forms, decide } = allQuestions(inner)
  const named = Object.entries(forms).map(([key, form]) => [
    prefix + key,
    problem === undefined ? form : withProblem(form, problem),
  ])
  return {
    forms: Object.fromEntries(named) as Questions['forms'],
    decide(answers) {
      const own = Object.entries(answers).filter(([key]) => key.startsWith(prefix))
      const inside = own.map(([key, answer]) => [key.slice(prefix.length), answer])
      return { answer: decide(Object.fromEntries(inside) as typeof answers) as Json }
    },
  }
}

export interface AllQuestions {
  readonly forms: Questions['forms']
  decide(answers: { readonly [key: string]: Reading }): Decisions
}

/** The questions of all calls that wait, and the decisions about them. */
export function allQuestions(pending: readonly PendingCall[], asked?: AskedCall): AllQuestions {
  const each = pending.map((call) => [call.callId, questionsOf(call, asked)] as const)
  return {
    forms: Object.assign({}, ...each.map(([, { forms }]) => forms)) as Questions['forms'],
    decide: (answers) =>
      Object.fromEntries(each.map(([callId, { decide }]) => [callId, decide(answers)])),
  }
}

/** The same question, after an answer that could not be used. */
export function withProblem(form: Form, problem: string): Form {
  const { asks } = form
  if (asks.method !== 'elicitation/create') return form
  const message = `${asks.params.message}\nThe last answer could not be used: ${problem}`
  return { ...form, asks: { ...asks, params: { ...asks.params, message } } }
}

const textForm = (field: string, title: string): JsonSchema => ({
  type: 'object',
  properties: { [field]: { type: 'string', title } },
  required: [field],
})

function fromJson(text: string): Reading {
  try {
    return valueOf(JSON.parse(text) as Json)
  } catch {
    return { kind: 'open', problem: 'it is not JSON' }
  }
}

const PRIMITIVES: readonly unknown[] = ['string', 'number', 'integer', 'boolean']

/** Whether clients can show it as a form. */
function isFlat({ type, properties }: JsonSchema): boolean {
  const fields = Object.values(properties ?? {})
  const isPrimitive = (field: unknown): boolean =>
    PRIMITIVES.includes((Object(field) as JsonSchema).type)
  return type === 'object' && fields.length > 0 && fields.every(isPrimitive)
}

/** More than a person reads before deciding. */
const MOST_WORDS = 4000

function inWords(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.length > MOST_WORDS ? `${text.slice(0, MOST_WORDS)}…` : text
}
