/**
 * The stem of an English word after Porter (1980), so that `calculates`, `calculating` and `calculation`
 * match. Words of other alphabets, numbers and short words are returned unchanged.
 */
const stems = new Map<string, string>()
const MOST_KNOWN = 50_000

export function stem(word: string): string {
  const cached = stems.get(word)
  if (cached !== undefined) return cached
  if (stems.size >= MOST_KNOWN) stems.clear()
  const stemmed = word.length > 2 && /^[a-z]+$/.test(word) ? porter(word) : word
  stems.set(word, stemmed)
  return stemmed
}

/** The pattern of consonants (C) and vowels (V) in a word. `y` is a vowel after a consonant. */
const shapeOf = (text: string): string =>
  text
    .replace(/[^aeiouy]/g, 'C')
    .replace(/[aeiou]/g, 'V')
    .replace(/^y/, 'C')
    .replace(/Vy/g, 'VC')
    .replace(/y/g, 'V')

/** How often a run of vowels is followed by a run of consonants. */
const measure = (text: string): number => (shapeOf(text).match(/V+C+/g) ?? []).length
const hasVowel = (text: string): boolean => shapeOf(text).includes('V')
const endsDouble = (text: string): boolean =>
  /([^aeiou])\1$/.test(text) && shapeOf(text).endsWith('C')
const endsShort = (text: string): boolean => shapeOf(text).endsWith('CVC') && !/[wxy]$/.test(text)

type Endings = readonly (readonly [ending: string, replacement: string])[]

/** In each table the longest matching ending decides, even if its stem is too short. */
const LONG_ENDINGS: Endings = [
  ['ational', 'ate'], ['tional', 'tion'], ['enci', 'ence'], ['anci', 'ance'], ['izer', 'ize'], ['bli', 'ble'],
  ['alli', 'al'], ['entli', 'ent'], ['eli', 'e'], ['ousli', 'ous'], ['ization', 'ize'], ['ation', 'ate'],
  ['ator', 'ate'], ['alism', 'al'], ['iveness', 'ive'], ['fulness', 'ful'], ['ousness', 'ous'], ['aliti', 'al'],
  ['iviti', 'ive'], ['biliti', 'ble'], ['logi', 'log'],
] // prettier-ignore
const ADJECTIVES: Endings = [
  ['icate', 'ic'], ['ative', ''], ['alize', 'al'], ['iciti', 'ic'], ['ical', 'ic'], ['ful', ''], ['ness', ''],
] // prettier-ignore
const RESIDUES: Endings = [
  'al', 'ance', 'ence', 'er', 'ic', 'able', 'ible', 'ant', 'ement', 'ment', 'ent', 'sion', 'tion', 'ou', 'ism',
  'ate', 'iti', 'ous', 'ive', 'ize',
].map((ending) => [ending, /[st]ion/.test(ending) ? ending[0]! : ''] as const) // prettier-ignore

function porter(word: string): string {
  let text = withoutPlural(word)
  text = withoutPast(text)
  if (text.endsWith('y') && hasVowel(text.slice(0, -1))) text = `${text.slice(0, -1)}i`
  text = replaceEnding(text, LONG_ENDINGS, 0)
  text = replaceEnding(text, ADJECTIVES, 0)
  text = replaceEnding(text, RESIDUES, 1)
  if (text.endsWith('e')) {
    const rest = text.slice(0, -1)
    const size = measure(rest)
    if (size > 1 || (size === 1 && !endsShort(rest))) text = rest
  }
  return text.endsWith('ll') && measure(text.slice(0, -1)) > 1 ? text.slice(0, -1) : text
}

function withoutPlural(text: string): string {
  if (/(?:sses|ies)$/.test(text)) return text.slice(0, -2)
  return /[^s]s$/.test(text) ? text.slice(0, -1) : text
}

function withoutPast(text: string): string {
  if (text.endsWith('eed')) return measure(text.slice(0, -3)) > 0 ? text.slice(0, -1) : text
  const rest = text.replace(/(?:ed|ing)$/, '')
  if (rest === text || !hasVowel(rest)) return text
  if (/(?:at|bl|iz)$/.test(rest)) return `${rest}e`
  if (endsDouble(rest) && !/[lsz]$/.test(rest)) return rest.slice(0, -1)
  return measure(rest) === 1 && endsShort(rest) ? `${rest}e` : rest
}

function replaceEnding(text: string, endings: Endings, minMeasure: number): string {
  let longest: Endings[number] | undefined
  for (const candidate of endings)
    if (text.endsWith(candidate[0]) && candidate[0].length > (longest?.[0].length ?? 0))
      longest = candidate
  if (!longest) return text
  const [ending, replacement] = longest
  const rest = text.slice(0, -ending.length)
  return measure(rest + (minMeasure > 0 ? replacement : '')) > minMeasure
    ? rest + replacement
    : text
}
