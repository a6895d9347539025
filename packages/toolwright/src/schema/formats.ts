/** The formats that are asserted on text. Each expression is linear; whatever is not listed is only a note. */
type Format = (text: string) => boolean

const matches =
  (expression: RegExp): Format =>
  (text) =>
    expression.test(text)

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/
const TIME = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|([+-])(\d\d):(\d\d))$/i

function isDate(text: string): boolean {
  const [, year, month, day] = (DATE.exec(text) ?? []).map(Number)
  if (year === undefined || month === undefined || day === undefined) return false
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0
  return day >= 1 && day <= days
}

function isTime(text: string): boolean {
  const parts = TIME.exec(text)
  if (!parts) return false
  const [hour = 0, minute = 0, second = 0] = parts.slice(1, 4).map(Number)
  const [offsetHour = 0, offsetMinute = 0] = parts.slice(5).map((part) => Number(part ?? 0))
  if (hour > 23 || minute > 59 || offsetHour > 23 || offsetMinute > 59) return false
  if (second < 60) return true
  // A leap second ends a day of UTC.
  const offset = (offsetHour * 60 + offsetMinute) * (parts[4] === '-' ? -1 : 1)
  return second === 60 && (hour * 60 + minute - offset + 1440) % 1440 === 1439
}

const isDateTime: Format = (text) =>
  /^.{10}t/i.test(text) && isDate(text.slice(0, 10)) && isTime(text.slice(11))

const isHostname: Format = (text) =>
  text.length <= 253 &&
  text.split('.').every((label) => /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i.test(label))

const isIpv4 = matches(/^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/)

function isIpv6(text: string): boolean {
  const lastColon = text.lastIndexOf(':')
  const tail = text.slice(lastColon + 1)
  if (tail.includes('.')) return isIpv4(tail) && isIpv6(`${text.slice(0, lastColon + 1)}0:0`)
  if (!/^[\da-f:]+$/i.test(text)) return false
  const halves = text.split('::')
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')))
  const filled =
    halves.length === 2 ? groups.length <= 7 : halves.length === 1 && groups.length === 8
  return filled && groups.every((group) => /^[\da-f]{1,4}$/i.test(group))
}

function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@')
  const name = text.slice(0, at)
  const domain = text.slice(at + 1)
  if (at < 1 || at > 64) return false
  const isName = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/.test(name)
  if (!isName && !/^"(?:[^"\\]|\\.)*"$/.test(name)) return false
  const literal = /^\[(?:ipv6:)?(.*)\]$/i.exec(domain)?.[1]
  return literal === undefined ? isHostname(domain) : isIpv4(literal) || isIpv6(literal)
}

const URI = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s
const URI_CHARACTERS = /^(?:[\w\-.~:/?@!$&'()*+,;=]|%[\da-f]{2})*$/i
const AUTHORITY = /^(?:([^@[\]]*)@)?(?:\[([^\]]*)\]|([^:@[\]]*))(?::\d*)?$/

function isUriReference(text: string): boolean {
  const [, scheme = 'x', authority = '', ...parts] = URI.exec(text)!
  const [all, user = '', ipv6 = '::', host = ''] = AUTHORITY.exec(authority) ?? []
  return (
    all !== undefined &&
    isIpv6(ipv6) &&
    /^[a-z][a-z\d+.-]*$/i.test(scheme) &&
    [user, host, ...parts].every((part = '') => URI_CHARACTERS.test(part))
  )
}

const isUri: Format = (text) => /^[^:/?#]+:/.test(text) && isUriReference(text)

const isDuration: Format = (text) =>
  /^P(?=[\dT])(?:\d+W|(?:\d+Y(?:\d+M(?:\d+D)?)?|\d+M(?:\d+D)?|\d+D)?(?:T(?=\d)(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S))?)$/.test(
    text,
  )

function isRegex(text: string): boolean {
  try {
    return new RegExp(text, 'u') !== undefined
  } catch {
    return false
  }
}

export const FORMATS: { readonly [name: string]: Format } = {
  'date-time': isDateTime,
  date: isDate,
  time: isTime,
  duration: isDuration,
  email: isEmail,
  hostname: isHostname,
  ipv4: isIpv4,
  ipv6: isIpv6,
  uri: isUri,
  'uri-reference': isUriReference,
  uuid: matches(/^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i),
  'json-pointer': matches(/^(?:\/(?:[^~/]|~[01])*)*$/),
  regex: isRegex,
}
