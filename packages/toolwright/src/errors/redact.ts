/**
 * Takes what looks like a secret out of text before it reaches an error, an event, a log or a model: the one
 * choke point for all of them. Text is redacted first and cut afterwards, because a secret that was cut is not
 * recognised any more. The time that a pattern takes grows no faster than the text.
 */
export const REDACTED = '[redacted]'

/** Of longer text only so much is read, and what is left out is said. */
const MOST_READ = 256 * 1024
/** A secret that is cut where reading stops may not be recognised, so nothing near that place is shown. */
const EDGE = 1024

/** A line break inside a key, as it is or escaped in JSON. */
const BREAK = '(?:\\r?\\n|\\\\r\\\\n|\\\\n)'
/** What stands between the name of a secret and its value, with quotes that may be escaped in JSON. */
const IS = '(?:\\\\*["\'])?\\s*[:=]\\s*'
/** A value in quotes, up to the quote that closes it; or one without quotes. */
const VALUE = [
  '(?<=")(?:[^"\\\\]|\\\\[^"]){1,512}',
  "(?<=')(?:[^'\\\\]|\\\\[^']){1,512}",
  '(?!(?:null|true|false)\\b)[^\\s"\',;&}\\\\]{4,}',
].join('|')
/**
 * What names of secrets end with, in any case, with `_` or `-` between their words or without. The guide lists them
 * (docs/guide/14-observing.md). Tokens are counted (`maxTokens`) and lead to pages: those are no secrets.
 */
const NAMES = [
  'passw(?:or)?ds?',
  'passphrase',
  // A folder, as shells have it, is none.
  `pwd(?!${IS}["']?[/~.])`,
  'secrets?',
  'api[-_]?keys?',
  '(?:access|private|secret|signing|encryption)[-_]?key',
  'token(?<!(?:(?:page|next|continuation)[-_]?|unexpected )token)',
  'session[-_]?id',
  'connection[-_]?string',
  '[?&](?:key|sig|signature)',
  // Words of every day: only as the name of a field, in quotes.
  '["\'](?:pin|otp|jwt|bearer)',
  'credentials?(?<=["\'][\\w-]{0,64})',
].join('|')

/** What stands before the secret is the first group, and stays. */
const PATTERNS: readonly RegExp[] = [
  new RegExp(
    `(\\b)(?:[spr]k-[\\w*-]{6,}|(?:[spr]k|xai|gsk|key|gh[opsur]|github_pat|glpat|AKIA|AIza)[-_]?[\\w-]{12,}|xox[a-z]-[\\w-]{8,}|(?:npm|hf)_[a-zA-Z\\d]{20,}|SG\\.[\\w-]{16,}\\.[\\w-]{16,})(?:${BREAK}[\\w*-]{12,})*`,
    'g',
  ),
  /(\b)Bearer\s+[^\s"',;]{6,}/gi,
  /(\b)Basic\s+(?=[a-z+/_-]{0,512}[\d=])[\w+/=-]{8,}/gi,
  /((?<![\w-]))eyJ(?:[\w-]{16,}|[\w-]{8,15}(?=\.))(?:\.[\w-]*){0,2}/g,
  new RegExp(`(authorization${IS}(?:\\\\*["'])?)(?:[\\w-]{1,20}[ \\t]+)?[^\\s"',;}]{4,}`, 'gi'),
  new RegExp(`(cookies?${IS}(?:\\\\*["'])?)[^\\r\\n"'\\\\]{4,1024}`, 'gi'),
  new RegExp(`((?:${NAMES})${IS}(?:\\\\*["'])?)(?:${VALUE})`, 'gi'),
  // What follows an address with a colon is a port, or a password up to the last @.
  /(:\/\/[^\s/:@"'[\]]{0,256}:)(?!\d{1,5}(?![^\s/?#"',;.)\]}]))(?:[^\s/"']{1,512}(?=@)|[^\s/"'@]{1,512})/g,
  /()-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^-]{0,16384}(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?/g,
]

/**
 * @example
 * throw new ProviderError('provider-rejected', redact(answer.message), { provider })
 */
export function redact(text: string): string {
  if (text.length <= MOST_READ) return redacted(text)
  const shown = redacted(text.slice(0, MOST_READ)).slice(0, -EDGE).toWellFormed()
  return `${shown}… [${text.length - MOST_READ + EDGE} characters left out]`
}

/** The same for text of any length, of which nothing may be left out. */
export const redactWhole = (text: string): string => redacted(text)

const redacted = (text: string): string =>
  PATTERNS.reduce((clean, pattern) => clean.replace(pattern, `$1${REDACTED}`), text)
