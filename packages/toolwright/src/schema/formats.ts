/** The formats that are checked, each in linear time. Formats that are not listed are ignored. */
import { patternOf } from './pattern-of.ts'

type Format = (text: string) => boolean

const HOUR = '(?:[01]\\d|2[0-3]):[0-5]\\d'
const TIME = `${HOUR}:(?:[0-5]\\d|60)(?:\\.\\d+)?(?:z|[+-]${HOUR})`
const LABEL = '[a-z\\d](?:[a-z\\d-]{0,61}[a-z\\d])?'
const HOST = `${LABEL}(?:\\.${LABEL})*`
const ATOM = "[\\w!#$%&'*+/=?^`{|}~-]+"
const BYTE = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const URI = "[a-z][a-z\\d+.-]*:(?:[\\w.~:/?#[\\]@!$&'()*+,;=-]|%[\\da-f]{2})*"

function matches(source: string): Format {
  return (text) => new RegExp(`^(?:${source})$`, 'i').test(text)
}

/** `Date` turns a day that does not exist into another day, or into an invalid date. */
function isDate(text: string): boolean {
  return new Date(`${text}T00:00Z`).toJSON()?.slice(0, 10) === text
}

function isRegex(text: string): boolean {
  try {
    return patternOf(text) !== undefined
  } catch {
    return false
  }
}

export const FORMATS: { readonly [name: string]: Format } = {
  'date-time': (text) => isDate(text.slice(0, 10)) && matches(`t${TIME}`)(text.slice(10)),
  date: isDate,
  time: matches(TIME),
  duration: matches(
    'P(?=[\\dT])(?:\\d+W|(?:\\d+Y)?(?:\\d+M)?(?:\\d+D)?(?:T(?=\\d)(?:\\d+H)?(?:\\d+M)?(?:\\d+S)?)?)',
  ),
  email: matches(`${ATOM}(?:\\.${ATOM})*@${HOST}`),
  hostname: matches(`(?=.{1,253}$)${HOST}`),
  ipv4: matches(`(?:${BYTE}\\.){3}${BYTE}`),
  // The URL parser checks IPv6 addresses.
  ipv6: (text) => matches('[\\da-f:.]+')(text) && URL.canParse(`http://[${text}]`),
  uri: (text) => matches(URI)(text) && URL.canParse(text),
  uuid: matches('[\\da-f]{8}-(?:[\\da-f]{4}-){3}[\\da-f]{12}'),
  regex: isRegex,
}
