/**
 * Orders the words of `mcp add`: the server's command may have options of its own, so only those of `add` itself are
 * taken out of it, up to a `--`.
 */

/** The options of `add` that take a value, and those that take none. */
const OWN = ['--env', '--header']
const SWITCHES = ['--help', '-h']

export function arrangeAdd(words: readonly string[]): readonly string[] {
  const own: string[] = []
  const others: string[] = []
  let at = 0
  for (; at < words.length && words[at] !== '--'; at++) {
    const word = words[at]!
    // Without a value it stands alone, so that this is what is said about it.
    if (OWN.includes(word) && at === words.length - 1) return [word]
    if (OWN.includes(word)) own.push(`${word}=${words[++at]}`)
    else if (isOwn(word) || (SWITCHES.includes(word) && others.length < 3)) own.push(word)
    else others.push(word)
  }
  return others[0] === 'add' ? [...own, '--', ...others, ...words.slice(at + 1)] : words
}

const isOwn = (word: string): boolean => OWN.some((option) => word.startsWith(`${option}=`))
