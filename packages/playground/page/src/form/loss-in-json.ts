/** What reading a JSON text would change without a word: numbers with too many digits, and keys that are there twice. */
import { lossOf } from './read-number.ts'

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*|[{}[\]:]/g

/** The text is JSON. Undefined: nothing is lost. */
export function lossInJson(text: string): string | undefined {
  /** The keys of each object around; a list has none. */
  const around: (Set<string> | undefined)[] = []
  let lastText = ''
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === '{') around.push(new Set())
    else if (token === '[') around.push(undefined)
    else if (token === '}' || token === ']') around.pop()
    else if (token.startsWith('"')) lastText = token
    else {
      const problem = token === ':' ? takeKey(lastText, around.at(-1)) : lossOf(token)
      if (problem !== undefined) return `Line ${lineAt(text, index)}: ${problem}`
    }
  }
  return undefined
}

function takeKey(quoted: string, keys: Set<string> | undefined): string | undefined {
  // The same key may be written with escapes and without.
  const key = JSON.parse(quoted) as string
  if (keys?.has(key)) return `the object has the key ${JSON.stringify(key)} twice.`
  keys?.add(key)
  return undefined
}

const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length
