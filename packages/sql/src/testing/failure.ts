/** The error of the catalogue that a work ends with. */
import { ToolwrightError } from 'toolwright'

export async function failure(work: () => Promise<unknown>): Promise<ToolwrightError> {
  try {
    await work()
  } catch (thrown) {
    if (ToolwrightError.is(thrown)) return thrown
    throw new Error('It failed with an error that is not of the catalogue.', { cause: thrown })
  }
  throw new Error('It did not fail.')
}
