/** The formats that are asserted on text. Each expression is linear; whatever is not listed is only a note. */
import { patternOf } from './pattern-of.ts'

type Format = (text: string) => boolean

const LEAP = '(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)'
const DATE = `(?:\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))|${LEAP}-02-29)`
const HOUR = '(?:[01]\\d|2[0-3]):[0-5]\\d'
const TIME = `${HOUR}:(?:[0-5]\\d|60)(?:\\.\\d+)?(?:z|[+-]${HOUR})`
const LABEL = '[a-z\\d](?:[a-z\\d-]{0,61}[a-z\\d])?'
const HOST = `${LABEL}(?:\\.${LABEL})*`
const ATOM = "[\\w!#$%&'*+/=?^`{|}~-]+"
const BYTE = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'

function matches(source: string): Format {
  return (text) => new RegExp(`^(?:${source})$`, 'i').test(text)
}

function isRegex(text: string): boolean {
  try {
    return patternOf(text) !== undefined
  } catch {
    return false
  }
}

const isUriText = matches("[a-z][a-z\\d+.-]*:(?:[\\w.~:/?#[\\]@!$&'()*+,;=-]|%[\\da-f]{2})*")

export const FORMATS: { readonly [name: string]: Format } = {
  'date-time': matches(`${DATE}t${TIME}`),
  date: matches(DATE),
  time: matches(TIME),
  duration: matches(
    'P(?=[\\dT])(?:\\d+W|(?:\\d+Y)?(?:\\d+M)?(?:\\d+D)?(?:T(?=\\d)(?:\\d+H)?(?:\\d+M)?(?:\\d+S)?)?)',
  ),
  email: matches(`${ATOM}(?:\\.${ATOM})*@${HOST}`),
  hostname: matches(`(?=.{1,253}$)${HOST}`),
  ipv4: matches(`(?:${BYTE}\\.){3}${BYTE}`),
  // Whatever parses URLs knows IPv6 addresses.
  ipv6: (text) => /^[\da-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]`),
  uri: (text) => isUriText(text) && URL.canParse(text),
  uuid: matches('[\\da-f]{8}-(?:[\\da-f]{4}-){3}[\\da-f]{12}'),
  regex: isRegex,
}
