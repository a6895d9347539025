/** What a server sends: nothing about it is certain until it has been looked at. */

export type Inbound = { readonly [key: string]: unknown }
export type RequestId = string | number

/** What a server answered, as it came. */
export type RawResult = { readonly [key: string]: unknown }

export interface RpcFailure {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

/** The code of errors that are made here, not by the server. */
export const OWN_ERROR = -32_099

export const isId = (x: unknown): x is RequestId => typeof x === 'number' || typeof x === 'string'

/** The error of an answer, whatever the server put there. */
export function failure(error: unknown): RpcFailure {
  const { code, message, data } = Object(error) as Inbound
  return {
    code: Number.isSafeInteger(code) ? (code as number) : OWN_ERROR,
    message: typeof message === 'string' ? message : 'The server gave no reason.',
    ...(data !== undefined && { data }),
  }
}

/** The result of an answer, which has to be an object. */
export function resultOf(
  method: string,
  result: unknown,
): { readonly result: RawResult } | { readonly error: RpcFailure } {
  if (typeof result === 'object' && result !== null && !Array.isArray(result))
    return { result: result as RawResult }
  return { error: { code: OWN_ERROR, message: `The answer to ${method} has no result.` } }
}
