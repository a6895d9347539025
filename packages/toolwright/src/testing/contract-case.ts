/**
 * What every contract suite is made of: named cases that throw an `AssertionError` when the
 * implementation is wrong. They know no test runner; one line ties them to any:
 * `for (const { name, run } of suite) it(name, run)`.
 */
import { AssertionError } from 'node:assert'

export interface ContractCase {
  readonly name: string
  /** Resolves when the implementation keeps this part of the contract, rejects with what is wrong. */
  run(): Promise<void>
}

export interface ContractFailure {
  readonly name: string
  readonly error: unknown
}

/** Runs a suite without any test runner, one case after another, and tells what failed. */
export async function failedCases(
  suite: readonly ContractCase[],
): Promise<readonly ContractFailure[]> {
  const failures: ContractFailure[] = []
  for (const { name, run } of suite) {
    try {
      await run()
    } catch (error) {
      failures.push({ name, error })
    }
  }
  return failures
}

/** A failed check, in words. */
export const wrong = (message: string, cause?: unknown): AssertionError =>
  Object.assign(new AssertionError({ message }), cause === undefined ? {} : { cause })
