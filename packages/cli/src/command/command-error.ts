/** An error that the user can act on. Anything else that is thrown is a bug, and is shown with its stack. */

/**
 * 1: the command ran and the result is negative (bad arguments, lint findings, a failing tool). 2: the
 * command line or a file is wrong.
 */
export type ExitCode = 1 | 2

export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly exitCode: ExitCode

  /** The message says what happened and, in its last sentence, what to do. */
  constructor(
    message: string,
    options: { readonly exitCode?: ExitCode; readonly cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.exitCode = options.exitCode ?? 2
  }
}

/** The message of anything that was thrown. */
export const messageOfThrown = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown)
