/** Dates in words: what a sentence says, counted from what a date tool answered or from the clock. */
import { parse, type ParsedComponents } from 'chrono-node'
import { NUMBER, numberIn } from './numbers.ts'

/** What time it is, and how far from UTC in minutes. */
export interface Now {
  readonly instant: Date
  readonly timezone: number
}

export interface DateMention {
  readonly start: number
  readonly end: number
  readonly text: string
  readonly date: ParsedComponents
  /** It means something else at another time. */
  readonly relative: boolean
}

const UNIT = '(?:second|minute|hour|day|night|week|month|year)s?'
/** How long, not when. */
const DURATION = new RegExp(`\\b(?:for|lasting)\\s+\\S+\\s+${UNIT}\\b|\\b\\S+\\s+${UNIT}\\s+long\\b`, 'gi') // prettier-ignore
const PAST = /\b(?:last|past|ago|yesterday|previous)\b/i
const ELSEWHEN_MS = 61_000_183_000

/** The dates in a sentence; a range is two. */
export function datesIn(sentence: string, now: Now): readonly DateMention[] {
  const text = sentence
    .replace(DURATION, (duration) => '§'.repeat(duration.length))
    // Chrono counts in words up to twelve.
    .replace(NUMBER, (said) =>
      numberIn(said) > 12 ? String(numberIn(said)).padStart(said.length) : said,
    )
  const from = (instant: Date) =>
    parse(text, { ...now, instant }, { forwardDate: !PAST.test(text) })
  const elsewhen = from(new Date(now.instant.getTime() + ELSEWHEN_MS))
  return from(now.instant).flatMap(({ index, text: said, start, end: until }, at) => {
    const relative = elsewhen[at]?.start.date().getTime() !== start.date().getTime()
    const end = index + said.length
    const mention = { start: index, end, text: sentence.slice(index, end), date: start, relative }
    if (!until) return [mention]
    const middle = index + Math.max(1, said.search(/\b(?:to|until|till|and)\b|[-–]/i))
    return [
      { ...mention, end: middle },
      { ...mention, start: middle, date: until },
    ]
  })
}

/** What time it is according to a text, e.g. the answer of a date tool. */
export function readNow(text: string, { instant, timezone: here }: Now): Now | undefined {
  const [found] = parse(text, { instant, timezone: here })
  const timezone = found?.start.get('timezoneOffset') ?? zoneNamedIn(text, instant) ?? here
  const [exact] = parse(text, { instant, timezone })
  return exact && { instant: exact.date(), timezone }
}

/** The offset of `Asia/Tokyo` and its like. */
function zoneNamedIn(text: string, instant: Date): number | undefined {
  const timeZone = /\b(?:UTC|[A-Z][a-z]+\/[A-Z]\w+)\b/.exec(text)?.[0]
  try {
    const there = timeZone && Date.parse(`${instant.toLocaleString('sv-SE', { timeZone })}Z`)
    return there ? Math.round((there - instant.getTime()) / 60_000) : undefined
  } catch {
    return undefined
  }
}

/** As a schema's format wants it; without one as exact as it was said. */
export function formatDate(date: ParsedComponents, { timezone }: Now, format?: string): string {
  const instant = date.date()
  const wall = new Date(instant.getTime() + timezone * 60_000).toISOString()
  const said = !date.isCertain('hour') ? 'date' : date.isCertain('day') ? 'date-time' : 'clock'
  if ((format ?? said) === 'date') return wall.slice(0, 10)
  if ((format ?? said) === 'clock') return wall.slice(11, 16)
  return format === 'time' ? `${instant.toISOString().slice(11, 19)}Z` : instant.toISOString()
}

/** For people: `Wednesday, 2015-10-21`, with the time if it was said. */
export function dateInWords(date: ParsedComponents, { timezone }: Now): string {
  const wall = new Date(date.date().getTime() + timezone * 60_000)
  const weekday = wall.toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' })
  const [day, time] = wall.toISOString().split('T')
  return `${weekday}, ${day}${date.isCertain('hour') ? ` ${time!.slice(0, 5)}` : ''}`
}
