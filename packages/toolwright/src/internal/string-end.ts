/**
 * Where the JSON string ends whose quote is at `start`; the end of the text when it does not. Not by a
 * pattern, which needs a stack for escapes and runs out of it.
 */
export function stringEnd(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let escapes = end
    while (json[escapes - 1] === '\\') escapes--
    if ((end - escapes) % 2 === 0) return end + 1
  }
  return json.length
}
