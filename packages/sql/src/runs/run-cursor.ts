/** Where a page of waiting runs ended, as a text that goes through a browser and back. */
import { ConfigurationError } from 'toolwright'

export interface RunPlace {
  readonly savedAt: number
  readonly id: number
}

export const toCursor = ({ savedAt, id }: RunPlace): string => `${savedAt}.${id}`

export function fromCursor(cursor: unknown): RunPlace {
  const found = typeof cursor === 'string' ? /^(-?\d{1,16})\.(\d{1,16})$/.exec(cursor) : null
  const [savedAt, id] = [Number(found?.[1]), Number(found?.[2])]
  if (Number.isSafeInteger(savedAt) && Number.isSafeInteger(id)) return { savedAt, id }
  throw new ConfigurationError(
    'invalid-option',
    'cursor is no cursor of this list. Give that of the page before, or none for the first page.',
  )
}
