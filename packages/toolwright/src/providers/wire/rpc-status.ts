/**
 * The details of an error in Google's status format, `{ error: { code, message, status, details } }`, which
 * many servers send besides Google's own. They say what the HTTP status and headers do not.
 */
import { fieldsIn, isJsonObject, isText } from './wire-value.ts'

export interface RpcStatus {
  /** How long the server asks us to wait, in ms. */
  readonly retryAfterMs?: number
  /** The key is wrong or expired, whatever the status says: Google answers 400. */
  readonly isKeyRefused: boolean
}

/** More details than any server sends. */
const MOST_DETAILS = 32

/** @param value a parsed error: the body of a refusal, or the `error` inside it */
export function rpcStatus(value: unknown): RpcStatus {
  const first: unknown = Array.isArray(value) ? value[0] : value
  const body = fieldsIn(first)
  const error = isJsonObject(body['error']) ? body['error'] : body
  const listed = error['details']
  const details = Array.isArray(listed) ? listed.slice(0, MOST_DETAILS).filter(isJsonObject) : []
  const wait = details.map((detail) => durationMs(detail['retryDelay'])).find(isGiven)
  return {
    isKeyRefused: details.some(({ reason }) => isText(reason) && reason.startsWith('API_KEY_')),
    ...(wait !== undefined && { retryAfterMs: wait }),
  }
}

const isGiven = (x: number | undefined): x is number => x !== undefined

/** A duration as JSON writes it: `34.4s`. */
function durationMs(text: unknown): number | undefined {
  const match = typeof text === 'string' ? /^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(text) : null
  return match === null ? undefined : Math.ceil(Number(match[1]) * 1000)
}
