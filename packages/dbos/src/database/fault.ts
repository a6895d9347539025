/** What an error of PostgreSQL or of its driver means. */
import { DatabaseError, redact, ToolwrightError, type DatabaseErrorCode } from 'toolwright'

interface Fault {
  readonly code: DatabaseErrorCode
  readonly words: string
  /** Instead of the words of the driver, which would not tell their reader what to do. */
  readonly says?: string
  /** It passes: the same is tried again. */
  readonly passes?: true
}

const LOST: Fault = { code: 'database-unreachable', words: 'cannot be reached', passes: true }
const REFUSED: Fault = { code: 'database-refused', words: 'refuses this program' }
const FULL: Fault = { code: 'database-connections', words: 'has no free connection', passes: true }
const LOCKED: Fault = { code: 'database-locked', words: 'stayed locked', passes: true }

/** Codes of PostgreSQL (https://www.postgresql.org/docs/current/errcodes-appendix.html), of Node, and words of pg. */
const FAULTS: readonly (readonly [RegExp, Fault])[] = [
  [/^(53300|53400)$|^timeout exceeded when trying to connect/, FULL],
  [/^(08...|57P0[123]|57014)$/, LOST],
  // EAI_AGAIN: the name server gives no answer for now, as happens while a database moves to another host.
  [
    /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN)$/,
    LOST,
  ],
  [/^Connection terminated|connection error and is not queryable/, LOST],
  [/^(ENOTFOUND|ENOENT)$/, { code: 'database-unreachable', words: 'cannot be reached' }],
  [
    /^SASL: .*password must be/,
    { ...REFUSED, says: 'it asks for a password, and the address has none' },
  ],
  [/^(28...|3D000|42501)$|^SASL: /, REFUSED],
  [/^25006$/, { code: 'database-read-only', words: 'cannot be written to' }],
  // A run that has begun waits for room; DBOS does, too.
  [/^53100$/, { code: 'database-full', words: 'is full', passes: true }],
  [/^(40001|40P01|55P03)$/, LOCKED],
  [/^XX00[12]$/, { code: 'database-corrupt', words: 'is damaged' }],
  [/pool after calling end/, { code: 'database-closed', words: 'is closed' }],
]

function faultOf(thrown: unknown): Fault {
  for (const error of causesOf(thrown)) {
    const { code, message } = factsOf(error)
    const known = FAULTS.find(([pattern]) => pattern.test(code) || pattern.test(message))
    if (known) return known[1]
  }
  return { code: 'database-failed', words: 'failed' }
}

/** DBOS wraps what its driver threw; Node gathers several failed addresses of one host. */
function causesOf(thrown: unknown): readonly unknown[] {
  const causes: unknown[] = []
  for (let error = thrown; error && causes.length < 5; error = innerOf(error)) causes.push(error)
  return causes
}

function innerOf(error: unknown): unknown {
  const {
    cause,
    errors,
    error: wrapped,
  } = Object(error) as {
    readonly cause?: unknown
    readonly errors?: readonly unknown[]
    readonly error?: unknown
  }
  return cause ?? (Array.isArray(errors) ? errors[0] : wrapped)
}

function factsOf(error: unknown): { readonly code: string; readonly message: string } {
  const { code, message } = Object(error) as { readonly code?: unknown; readonly message?: unknown }
  return {
    code: typeof code === 'string' ? code : '',
    message: typeof message === 'string' ? message : String(error),
  }
}

/** The database is gone for a moment, or busy. */
export const passes = (thrown: unknown): boolean =>
  !ToolwrightError.is(thrown) && faultOf(thrown).passes === true

/** Errors of toolwright stay as they are. */
export function toDatabaseError(thrown: unknown): Error {
  if (ToolwrightError.is(thrown)) return thrown
  const { code, words, says, passes: retryable = false } = faultOf(thrown)
  const said = causesOf(thrown)
    .map((error) => factsOf(error).message)
    .find((message) => message !== '')
  const message = redact(says ?? said ?? String(thrown)).replace(/\.$/, '')
  return new DatabaseError(code, `The database of the durable runs ${words}: ${message}.`, {
    cause: thrown,
    retryable,
  })
}
