/**
 * Splits text into words: `getCurrentWeather`, `get_current_weather` and "Get current weather" give the
 * same words. Scripts without spaces are split into pairs of letters.
 */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const CAMEL = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu
const WORD = /[\p{L}\p{N}\p{M}]+/gu
const ASCII = /^[\x00-\x7f]*$/
/** The same split as for other texts, but faster; for ASCII only. */
const ASCII_WORD = /[A-Z]+(?=[A-Z][a-z])|[A-Z]*[a-z0-9]+|[A-Z]+/g
/** Longer words are hashes or encoded data and are ignored. */
const LONGEST_WORD = 40

export function wordsOf(text: string): readonly string[] {
  const words = ASCII.test(text) ? asciiWords(text) : otherWords(text)
  return words.filter((word) => word.length <= LONGEST_WORD)
}

const asciiWords = (text: string): readonly string[] =>
  (text.match(ASCII_WORD) ?? []).map((word) => word.toLowerCase())

function otherWords(text: string): readonly string[] {
  const words = withoutAccents(text).replace(CAMEL, ' ').toLowerCase().match(WORD) ?? []
  return words.flatMap((word) => (UNSPACED.test(word) ? pairsOf(word) : word))
}

/** The text is composed again afterwards, because Hangul decomposes too. */
const withoutAccents = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')

function pairsOf(word: string): readonly string[] {
  const letters = [...word]
  if (letters.length < 3) return [word]
  return letters.slice(1).map((letter, index) => letters[index]! + letter)
}
