/** What becomes of a tool's exception: words for the model, or a throw that ends the run. */
import type { ToolExecutionError } from '../errors/errors.ts'
import { redact } from '../errors/redact.ts'

/** Returns what the model is told, or throws what the caller of the run gets. */
export type ToolExceptionProcessor = (error: ToolExecutionError) => string | Promise<string>

// A class of errors, whatever its constructor takes.
export type ErrorClass = abstract new (...args: never[]) => object

export interface ExceptionProcessorOptions {
  /** Every tool error ends the run. Default false. */
  readonly alwaysThrow?: boolean
  /** Errors of these classes end the run, unwrapped. */
  readonly rethrow?: readonly ErrorClass[]
}

/** The message, redacted, goes to the model. */
export function defaultExceptionProcessor(
  options: ExceptionProcessorOptions = {},
): ToolExceptionProcessor {
  const { alwaysThrow, rethrow = [] } = options
  return (error) => {
    // The error itself may be meant: a timeout, or one that the tool wrapped itself.
    for (const thrown of [error.cause, error])
      if (rethrow.some((kind) => thrown instanceof kind)) throw thrown
    if (alwaysThrow) throw error
    return redact(error.toolMessage)
  }
}
