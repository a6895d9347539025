/**
 * A request that is refused as the protocol wants it: with a code. The SDK sends code, message and data of whatever a
 * handler throws, so that its own class of errors is not needed for it.
 */
export const INVALID_PARAMS = -32602
export const INTERNAL_ERROR = -32603
export const HEADER_MISMATCH = -32020
export const MISSING_CAPABILITY = -32021

export class Refusal extends Error {
  override name = 'Refusal'
  readonly code: number
  readonly data: object | undefined
  constructor(code: number, message: string, data?: object) {
    super(message)
    this.code = code
    this.data = data
  }
}
