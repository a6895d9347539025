/** Dates in words: what a sentence says, counted from what a date tool answered or from the clock. */
import { parse, type ParsedComponents, type ParsingReference } from 'chrono-node'

/** What time it is, and how far from UTC, in minutes. */
export interface Now {
  readonly instant: Date
  readonly timezone: number
}

export interface DateMention {
  readonly start: number
  readonly end: number
  readonly text: string
  readonly date: ParsedComponents
  /** It means something else on another day. */
  readonly relative: boolean
}

/** How long, not when: "for an hour", "30 minutes long". */
const UNIT = '(?:second|minute|hour|day|night|week|month|year)s?'
const DURATION = new RegExp(
  `\\b(?:for|lasting)\\s+\\S+\\s+${UNIT}\\b|\\b\\S+\\s+${UNIT}\\s+long\\b`,
  'gi',
)
const PAST = /\b(?:last|past|ago|yesterday|previous)\b/i
const ELSEWHEN = 1_000_003 * 61_000

/** The dates in a sentence; a range is two. A span of time ("for an hour") is none. */
export function datesIn(text: string, now: Now): readonly DateMention[] {
  const later = { ...now, instant: new Date(now.instant.getTime() + ELSEWHEN) }
  const searched = text.replace(DURATION, (duration) => '§'.repeat(duration.length))
  const inSentence = (reference: ParsingReference) =>
    parse(searched, reference, { forwardDate: !PAST.test(text) })
  const others = inSentence(later)
  return inSentence(now).flatMap(({ index, text: said, start, end }, at): DateMention[] => {
    const relative = others[at]?.start.date().getTime() !== start.date().getTime()
    const stop = index + said.length
    const middle = end ? index + Math.max(1, said.search(/\b(?:to|until|till|and)\b|[-–]/i)) : stop
    const first = { start: index, end: middle, text: said, date: start, relative }
    return end ? [first, { ...first, start: middle, end: stop, date: end }] : [first]
  })
}

/** What time it is according to a text, e.g. the answer of a date tool. */
export function readNow(text: string, clock: number): Now | undefined {
  const local = -new Date(clock).getTimezoneOffset()
  const [found] = parse(text, { instant: new Date(clock), timezone: local })
  if (!found) return
  const timezone = found.start.get('timezoneOffset') ?? zoneNamedIn(text, found.date()) ?? local
  const [exact] = parse(text, { instant: new Date(clock), timezone })
  return { instant: exact!.date(), timezone }
}

/** The offset of `Asia/Tokyo` and its like, in minutes. */
function zoneNamedIn(text: string, date: Date): number | undefined {
  const timeZone = /\b(?:UTC|[A-Z][a-z]+\/[A-Z]\w+)\b/.exec(text)?.[0]
  if (!timeZone) return
  try {
    const there = date.toLocaleString('sv-SE', { timeZone })
    return (Date.parse(`${there}Z`) - Math.floor(date.getTime() / 1000) * 1000) / 60_000
  } catch {
    return
  }
}

/** As a schema wants it: `date`, `time`, `date-time`, or what the words say. */
export function formatDate(date: ParsedComponents, format: string | undefined, timezone: number) {
  const wall = new Date(date.date().getTime() + timezone * 60_000).toISOString()
  const hour = date.isCertain('hour')
  const shape = format ?? (!hour ? 'date' : date.isCertain('day') ? 'date-time' : 'time')
  if (shape === 'date') return wall.slice(0, 10)
  if (shape === 'time') return format ? `${wall.slice(11, 19)}Z` : wall.slice(11, 16)
  return date.date().toISOString()
}

/** For people: `Wednesday, 2015-10-21`, with the time if it was said. */
export function dateInWords(date: ParsedComponents, timezone: number): string {
  const wall = new Date(date.date().getTime() + timezone * 60_000)
  const day = wall.toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' })
  const iso = wall.toISOString()
  return `${day}, ${iso.slice(0, 10)}${date.isCertain('hour') ? ` ${iso.slice(11, 16)}` : ''}`
}
