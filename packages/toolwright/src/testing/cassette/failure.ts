/** Errors on a cassette: what is kept of one, and the error that a replay throws again. */
import {
  ConfigurationError,
  ModelResponseError,
  ProviderError,
  ToolExecutionError,
  type ToolwrightError,
} from '../../errors/errors.ts'
import { CATALOGUE, type ErrorCode } from '../../errors/catalogue.ts'
import { messageOfThrown } from '../../errors/message-of-thrown.ts'
import type { JsonObject } from '../../messages/json.ts'
import type { CassetteFailure } from './cassette-file.ts'
import type { Redactor } from './redactor.ts'

/** What programs decide by. */
const FACTS = [
  'retryable', 'provider', 'status', 'retryAfterMs', 'toolMessage', 'toolName', 'refusal', 'partial',
] as const // prettier-ignore

export function failureOf(thrown: unknown, redact: Redactor): CassetteFailure {
  const fields = Object(thrown) as { readonly [field: string]: unknown }
  const { name = 'Error', code } = fields
  const facts = FACTS.filter((fact) => isPlain(fields[fact])).map((fact) => [fact, fields[fact]])
  return {
    name: redact.name(String(name)),
    message: redact.text(ownMessage(messageOfThrown(thrown), code)),
    ...(typeof code === 'string' && { code: redact.name(code) }),
    ...(facts.length > 0 && { facts: redact.data(Object.fromEntries(facts) as JsonObject) }),
  }
}

/** `false` is what is not said. */
const isPlain = (value: unknown): boolean =>
  ['string', 'number'].includes(typeof value) || value === true

/** Without the next step, which the catalogue adds again. */
function ownMessage(message: string, code: unknown): string {
  const { nextStep } = CATALOGUE[code as ErrorCode] ?? {}
  return nextStep !== undefined && message.endsWith(` ${nextStep}`)
    ? message.slice(0, -nextStep.length - 1)
    : message
}

/** An error of the same class where it is one of the catalogue; otherwise one of the same name and message. */
export function thrownAgain(failure: CassetteFailure): Error {
  const { name, message, code, facts = {} } = failure
  const details = facts as never
  const make = code !== undefined && Object.hasOwn(CLASSES, name) ? CLASSES[name] : undefined
  if (make) return Object.assign(make({ ...failure, details }), { name })
  const known =
    code !== undefined && Object.hasOwn(CATALOGUE, code) ? CATALOGUE[code as ErrorCode] : undefined
  const words = known ? `${message} ${known.nextStep}` : message
  return Object.assign(new Error(words), { ...facts, name, ...(code !== undefined && { code }) })
}

interface Remade extends CassetteFailure {
  readonly details: never
}

const toolError = ({ message, code, facts, details }: Remade): ToolwrightError =>
  new ToolExecutionError(String(facts?.['toolMessage'] ?? message), {
    ...(details as { readonly toolName: string }),
    code: code as never,
  })

const CLASSES: { readonly [name: string]: (failure: Remade) => ToolwrightError } = {
  ProviderError: ({ code, message, details }) => new ProviderError(code as never, message, details),
  ModelResponseError: ({ code, message, details }) =>
    new ModelResponseError(code as never, message, details),
  ConfigurationError: ({ code, message, details }) =>
    new ConfigurationError(code as never, message, details),
  ToolExecutionError: toolError,
  ToolTimeoutError: toolError,
}
