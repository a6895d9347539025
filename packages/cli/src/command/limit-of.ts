/** The value of an option `--limit`. */
import { CommandError } from './command-error.ts'

export function limitOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new CommandError(`--limit is a whole number from 1, not "${text}". Write --limit 5.`)
}
