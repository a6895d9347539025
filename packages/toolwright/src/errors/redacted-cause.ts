/**
 * What was thrown, as an error may carry it as its `cause`: printing an error prints its causes too. The same
 * object where it holds no secret, otherwise a copy that tells the same without it.
 */
import { redactKnown } from './known-secrets.ts'
import { messageOfThrown } from './message-of-thrown.ts'

/** What network errors say besides their message. */
const FACTS = ['code', 'errno', 'syscall', 'address', 'port', 'hostname', 'host'] as const
const DEEPEST = 8

export function redactedCause(thrown: unknown, secrets: readonly string[], depth = 0): unknown {
  if (typeof thrown === 'string') return redactKnown(thrown, secrets)
  if (typeof thrown !== 'object' || thrown === null) return thrown
  const { message, stack, cause, errors } = thrown as Partial<AggregateError>
  const words = redactKnown(messageOfThrown(thrown), secrets)
  const inner = depth < DEEPEST ? redactedCause(cause, secrets, depth + 1) : undefined
  const all = Array.isArray(errors) && depth < DEEPEST ? errors : []
  const allInner = all.map((each) => redactedCause(each, secrets, depth + 1))
  const isSame =
    words === (message ?? words) &&
    inner === cause &&
    allInner.every((each, index) => each === all[index]) &&
    (typeof stack !== 'string' || redactKnown(stack, secrets) === stack)
  if (isSame) return thrown
  const { name = 'Error' } = thrown as Partial<Error>
  const options = inner === undefined ? undefined : { cause: inner }
  const copy =
    all.length > 0 ? new AggregateError(allInner, words, options) : new Error(words, options)
  const facts = FACTS.flatMap((fact) => {
    const value = (thrown as { readonly [fact: string]: unknown })[fact]
    return value === undefined ? [] : [[fact, value] as const]
  })
  const trace = typeof stack === 'string' ? redactKnown(stack, secrets) : `${name}: ${words}`
  return Object.assign(copy, Object.fromEntries(facts), { name, stack: trace })
}
