/** Words as the demo model compares them, and what some of them say about others. */

/** `departureDate` and `Departure dates` are the same two words. */
export function wordsOf(text: string): readonly string[] {
  const words = text.replace(/(?<=[\p{Ll}\d])(?=\p{Lu})/gu, ' ').match(/\p{L}+/gu) ?? []
  return words.map((word) => stem(word.toLowerCase()))
}

const stem = (word: string): string =>
  word.length > 3 ? word.replace(/(?:ing|ies|ied|ed|es|s|e|y)$/, '') : word

/** Words that belong to no value. */
export const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  wordsOf(`
    a an the this that these those some any my our your his her its their me us you i we it them he she they
    is are was were be been am do does did have has had can could will would shall should may might must let
    please kindly thanks hey hi hello ok okay so just also too now then and or but if not no yes want need like
    what which who whom whose when where why how much many there here get give show tell make know look up out
    in on at to from of for by with about into as per between under over until before after since via using near
    named called titled labelled saying lasting long than one s d ll re ve m`),
)

/** What the word before a value says about the parameter it is for. */
const CUES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    from: 'from origin source start departure sender since begin base',
    to: 'to destination target recipient receiver end arrival until',
    into: 'to target language destination currency unit',
    in: 'city town location place region country area language currency unit room folder',
    near: 'city town location place region country area address',
    at: 'location place address venue branch store time price rate',
    on: 'date day topic subject platform device channel',
    for: 'customer client user person member guest patient recipient owner item product topic purpose',
    behalf: 'customer client user person member guest patient owner',
    about: 'topic subject query keyword term',
    by: 'author artist creator deadline due percent',
    with: 'guest attendee participant ingredient',
    as: 'role status type label format priority',
    named: 'name title label heading caption',
    saying: 'message text body content note comment caption',
    that: 'message text body content note comment',
    remind: 'task message text reminder note',
    under: 'max maximum limit budget price',
    over: 'min minimum',
    until: 'until end to deadline',
    between: 'from start origin min',
  }).map(([cue, words]) => [stem(cue), wordsOf(words)]),
)
const SAME_CUE: { readonly [word: string]: string } = { call: 'nam', titl: 'nam', label: 'nam', below: 'under', before: 'until', above: 'over', around: 'near' } // prettier-ignore

/** How much a word near a value speaks for a parameter: the name says more than the description. */
export function pull(word: string, name: ReadonlySet<string>, about: ReadonlySet<string>): number {
  if (name.has(word)) return 3
  if (CUES.get(SAME_CUE[word] ?? word)?.some((each) => name.has(each))) return 2
  return about.has(word) && !FUNCTION_WORDS.has(word) ? 1.2 : 0
}
