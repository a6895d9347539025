/** Where JSON text stops being JSON; the engine does not always say. */

/** From 0; undefined when the text is JSON. */
export function jsonErrorPosition(text: string): number | undefined {
  if (!fails(text)) return undefined
  // The longest beginning that could still become JSON, by halving: what cannot, never can again.
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
