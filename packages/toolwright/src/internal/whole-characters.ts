/**
 * JSON text in which no escape is half a character: it becomes U+FFFD. `\ud83d` alone is valid JSON and no
 * valid string; `\\ud83d` is a backslash and five letters. Written out: a pattern with a function for each
 * escape takes many times as long.
 */
export function wholeCharacters(json: string): string {
  let whole = ''
  let done = 0
  let at = json.indexOf('\\')
  while (at !== -1) {
    const half = halfAt(json, at)
    if (half === 'first' && halfAt(json, at + 6) === 'second') {
      at += 12
    } else if (half) {
      whole += `${json.slice(done, at)}\ufffd`
      done = at += 6
    } else {
      at += 2
    }
    at = json.indexOf('\\', at)
  }
  return done === 0 ? json : whole + json.slice(done)
}

/** Which half of a character the escape at this place is: `\ud8…` to `\udb…`, or `\udc…` to `\udf…`. */
function halfAt(json: string, at: number): 'first' | 'second' | undefined {
  if (json[at] !== '\\' || json[at + 1] !== 'u' || (json[at + 2] !== 'd' && json[at + 2] !== 'D'))
    return undefined
  const kind = '89abcdef'.indexOf(json[at + 3]!.toLowerCase())
  return kind < 0 ? undefined : kind < 4 ? 'first' : 'second'
}
