/** Words as the demo model compares them: split, lowered, without their endings. */

/** `departureDate` and `Departure dates` are the same two words. */
export function wordsOf(text: string): readonly string[] {
  const words = text.replace(/(?<=[\p{Ll}\d])(?=\p{Lu})/gu, ' ').match(/\p{L}+/gu) ?? []
  return words.map((word) => stem(word.toLowerCase()))
}

const stem = (word: string): string =>
  word.length > 3 ? word.replace(/(?:ing|ies|ied|ed|es|s|e|y)$/, '') : word

const stems = (text: string): ReadonlySet<string> => new Set(wordsOf(text))

/** Words that belong to no value. */
export const FUNCTION_WORDS = stems(`
  a an the this that these those some any my our your his her its their me us you i we it them he she they
  is are was were be been am do does did have has had can could will would shall should may might must let
  please kindly thanks hey hi hello ok okay so just also too now then and or but if not no yes want need like
  what which who whom whose when where why how much many there here get give show tell make know look up out
  in on at to from of for by with about into as per between under over until before after since via using
  named called titled labelled saying than one s d ll re ve m`)

/** What a word before a value says about the parameter that it is for. */
const CUES: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    from: 'from origin source start departure sender since begin base current old',
    to: 'to destination target recipient receiver end arrival until new assignee',
    into: 'to target language destination currency unit',
    in: 'in city location place region country area language currency unit room folder',
    at: 'at location place address venue time restaurant store price rate',
    on: 'on date day topic platform device channel',
    for: 'for recipient customer user person patient client name guest item product topic reason',
    of: 'of name item product subject number amount',
    about: 'about topic subject query keyword term',
    by: 'by author artist creator deadline due percent',
    with: 'with guest attendee participant ingredient message name',
    as: 'as role status type label format name',
    named: 'name title label',
    called: 'name title label',
    titled: 'title name subject',
    saying: 'message text body content note comment caption',
    that: 'message text body content note comment',
    under: 'max maximum limit budget price',
    below: 'max maximum limit budget price',
    most: 'max maximum limit',
    over: 'min minimum',
    least: 'min minimum',
    until: 'until end to deadline',
    before: 'before end deadline due until',
    between: 'from start origin min',
  }).map(([cue, words]) => [stem(cue), stems(words)]),
)

/** How much a word near a value speaks for a parameter: its name says more than its description. */
export function pull(word: string, name: ReadonlySet<string>, about: ReadonlySet<string>): number {
  if (name.has(word)) return 3
  const cue = CUES.get(word)
  if (cue && [...cue].some((each) => name.has(each))) return 2
  if (FUNCTION_WORDS.has(word)) return 0
  return about.has(word) ? 1.2 : 0
}
