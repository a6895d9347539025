/** The prices of `--prices`. */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { readPrices, type Prices } from 'toolwright/trace'
import { CommandError, messageOfThrown } from '../command/command-error.ts'

export async function readPricesFile(file: string, cwd: string): Promise<Prices> {
  try {
    return readPrices(JSON.parse(await readFile(resolve(cwd, file), 'utf8')))
  } catch (thrown) {
    throw new CommandError(`${file}: The prices cannot be used: ${messageOfThrown(thrown)}`, {
      cause: thrown,
    })
  }
}
