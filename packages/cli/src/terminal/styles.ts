/** Colours: on a terminal unless NO_COLOR is set, and anywhere if FORCE_COLOR is set. */

export type Style = (text: string) => string

export type StyleName = 'plain' | 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'
export type Styles = { readonly [name in StyleName]: Style }

export interface Coloured {
  readonly isTTY?: boolean
}

const CODES: { readonly [name in StyleName]: readonly [on: number, off: number] | undefined } = {
  plain: undefined,
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
}

export function stylesOf(
  stream: Coloured,
  env: { readonly [name: string]: string | undefined },
): Styles {
  const coloured = wantsColour(stream, env)
  const styles = Object.entries(CODES).map(([name, codes]): [string, Style] => [
    name,
    codes && coloured ? styled(codes) : (text) => text,
  ])
  return Object.fromEntries(styles) as Styles
}

const styled =
  ([on, off]: readonly [number, number]): Style =>
  (text) =>
    text === '' ? '' : `\x1b[${on}m${text}\x1b[${off}m`

function wantsColour(
  { isTTY = false }: Coloured,
  { FORCE_COLOR, NO_COLOR, TERM }: { readonly [name: string]: string | undefined },
): boolean {
  if (FORCE_COLOR) return FORCE_COLOR !== '0'
  return isTTY && !NO_COLOR && TERM !== 'dumb'
}
