/** Finds where JSON text becomes invalid; the engine does not always say. */

/** The position, from 0; undefined if the text is valid JSON. */
export function jsonErrorPosition(text: string): number | undefined {
  if (!fails(text)) return undefined
  // Finds the longest prefix that could still become JSON, by bisection: once a prefix is invalid, every
  // longer one is too.
  let [good, bad] = [0, text.length + 1]
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    if (couldGoOn(text.slice(0, middle))) good = middle
    else bad = middle
  }
  return good
}

/** `line 1, column 7` */
export function placeOf(text: string, position: number): string {
  const before = text.slice(0, position).split('\n')
  return `line ${before.length}, column ${before.at(-1)!.length + 1}`
}

function couldGoOn(beginning: string): boolean {
  const message = fails(beginning)
  if (message === undefined || /end of JSON|Unterminated/i.test(message)) return true
  const [, position] = /position (\d+)/.exec(message) ?? []
  return position !== undefined && Number(position) >= beginning.length
}

function fails(text: string): string | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}
