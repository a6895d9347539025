/** What the SDK throws, as an error of the catalogue. The SDK's classes are not asked: two copies of it may be loaded. */
import { McpError, redact, ToolwrightError } from 'toolwright'
import { OWN_ERROR } from './inbound.ts'
import { CUT } from './message-filter.ts'

export interface Asked {
  readonly server: string
  /** What was asked, as words for a sentence: `listing its tools`. */
  readonly what: string
  /** The server's last words on stderr. */
  readonly lastWords?: string | undefined
}

type Facts = Error & {
  readonly code?: unknown
  readonly status?: unknown
  readonly data?: { readonly status?: unknown; readonly supported?: unknown }
}

/** A request that was not sent did not run. */
const NOT_SENT = /^Not connected$/
const UNSENT_CODES: readonly unknown[] = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]
const VERSION_ERRORS: readonly unknown[] = [-32_022, 'ERA_NEGOTIATION_FAILED']
/** No way to the server was found, or it was lost. */
const LOST_CODES: readonly unknown[] = ['CONNECTION_CLOSED', 'NOT_CONNECTED', 'SEND_FAILED']

/** What is done when a connection is opened. */
export const CONNECTING = 'connecting'

export function toMcpError(thrown: unknown, asked: Asked): McpError {
  if (ToolwrightError.is(thrown) && thrown instanceof McpError) return thrown
  const kind = kindOf(bare(thrown as Facts))
  const { server, what, lastWords } = asked
  // A server that ends before it has said anything is not lost: it was never there.
  const code = what === CONNECTING && kind.code === 'mcp-closed' ? 'mcp-unreachable' : kind.code
  const { words } = kind
  const rpcCode = (thrown as Facts)?.code
  return new McpError(code, `Server "${server}", ${what}: ${words}${inLastWords(lastWords)}`, {
    cause: thrown,
    server,
    ...(typeof rpcCode === 'number' && rpcCode !== OWN_ERROR && { rpcCode }),
  })
}

/** A program's last words, apart from the sentence that follows them. Nothing if it said nothing. */
export function inLastWords(words: string | undefined): string {
  if (!words) return ''
  if (words.includes('\n')) return ` Its last words:\n${words}\n`
  return ` Its last words: ${words}${/[.!?]$/.test(words) ? '' : '.'}`
}

/** What looking for the protocol failed by, if that was not the protocol. */
const bare = (thrown: Facts): Facts =>
  thrown?.code === 'ERA_NEGOTIATION_FAILED' && thrown.cause instanceof Error
    ? (thrown.cause as Facts)
    : thrown

/** The connection broke while a request was on its way: nothing says whether it ran. */
export function isCut(thrown: unknown): boolean {
  const { code, message } = Object(thrown) as Facts
  if (isUnsent(thrown)) return false
  return (
    code === 'CONNECTION_CLOSED' || (code === OWN_ERROR && message === CUT) || isBrokenFetch(thrown)
  )
}

export function isUnsent(thrown: unknown): boolean {
  const { code, message } = Object(thrown) as Facts
  return (
    NOT_SENT.test(String(message)) ||
    code === 'NOT_CONNECTED' ||
    UNSENT_CODES.includes(causeCode(thrown))
  )
}

/** A session that the server does not know any more: nothing ran. */
export const isSessionGone = (thrown: unknown): boolean => statusOf(thrown as Facts) === 404

const isBrokenFetch = (thrown: unknown): boolean =>
  thrown instanceof TypeError && /fetch failed|terminated|network/i.test(thrown.message)

function causeCode(thrown: unknown): unknown {
  const { cause } = Object(thrown) as {
    readonly cause?: {
      readonly code?: unknown
      readonly errors?: readonly { readonly code?: unknown }[]
    }
  }
  return cause?.code ?? cause?.errors?.[0]?.code
}

function kindOf(thrown: Facts): {
  readonly code: McpError['code'] & `mcp-${string}`
  readonly words: string
} {
  const { code, message = String(thrown) } = Object(thrown) as Facts
  const status = statusOf(thrown)
  const words = ended(redact(message).slice(0, 500))
  if (
    status === 401 ||
    status === 403 ||
    thrown?.name === 'UnauthorizedError' ||
    thrown?.name === 'InsufficientScopeError'
  )
    return { code: 'mcp-unauthorized', words: status ? `it answered ${status}.` : words }
  if (
    (VERSION_ERRORS.includes(code) && status === undefined) ||
    /protocol version is not supported/i.test(message)
  )
    return { code: 'mcp-version', words }
  if (code === 'REQUEST_TIMEOUT') return { code: 'mcp-timeout', words }
  if (isUnsent(thrown) || isBrokenFetch(thrown))
    return {
      code: 'mcp-unreachable',
      words: ended(`${words} ${redact(causeWords(thrown))}`.trim()),
    }
  if (LOST_CODES.includes(code)) return { code: 'mcp-closed', words: 'the connection was closed.' }
  if (status !== undefined)
    return { code: 'mcp-unreachable', words: `it answered ${status}. ${words}` }
  if (typeof code === 'number' && code !== OWN_ERROR) return { code: 'mcp-refused', words }
  return { code: 'mcp-protocol', words }
}

function causeWords(thrown: Facts): string {
  const { cause } = thrown as {
    readonly cause?: { readonly message?: string; readonly code?: string }
  }
  return cause?.message || cause?.code || ''
}

function statusOf(thrown: Facts): number | undefined {
  const status = thrown?.status ?? thrown?.data?.status
  return typeof status === 'number' ? status : undefined
}

const ended = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)
