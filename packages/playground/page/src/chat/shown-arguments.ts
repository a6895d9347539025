/** Arguments of a call as they are read best: code as code, the rest as indented JSON, a beginning as it came. */

export interface ShownArguments {
  /** What the field `code` holds so far. */
  readonly code?: string
  /** The other fields; absent if there are none. */
  readonly text?: string
}

export function shownArguments(written: string): ShownArguments {
  const parsed = parse(written)
  if (parsed === undefined) return beginning(written)
  if (!hasCode(parsed)) return isEmpty(parsed) ? {} : { text: JSON.stringify(parsed, null, 2) }
  const { code, ...rest } = parsed
  return isEmpty(rest) ? { code } : { code, text: JSON.stringify(rest, null, 2) }
}

/** In one line, for a card that is closed. */
export const argumentsLine = (written: string): string =>
  written
    .slice(0, LINE_LENGTH * 4)
    .replace(/\s+/g, ' ')
    .slice(0, LINE_LENGTH)

const LINE_LENGTH = 120

/** Not complete, or no JSON at all. */
function beginning(written: string): ShownArguments {
  const [, inside] =
    /^\s*\{\s*"code"\s*:\s*"((?:[^"\\]|\\(?:u[\da-fA-F]{4}|[^u]))*)/.exec(written) ?? []
  const code = inside === undefined ? undefined : parse(`"${inside}"`)
  if (typeof code === 'string') return { code }
  return written === '' ? {} : { text: written }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const hasCode = (value: unknown): value is { readonly code: string } =>
  typeof value === 'object' && value !== null && 'code' in value && typeof value.code === 'string'

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0
