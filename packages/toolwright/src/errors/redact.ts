/**
 * Takes secrets out of text before it reaches an error, an event, a log or a model: known values first, then
 * what looks like a key. The one choke point for all of them. Text is redacted first and cut afterwards: a
 * secret that was cut is not recognised any more. Every pattern takes time that grows with the text only.
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
  '[^\\s"\',;&}\\\\]{4,}',
].join('|')
const NAMES = [
  'passw(?:or)?d',
  'secret',
  'api[-_]?key',
  '(?:access|private|secret)[-_]key',
  '(?:access|refresh|auth|session)[-_]?token',
  '[?&](?:key|token|sig|signature)',
].join('|')

/** What stands before the secret is the first group, and stays. */
const PATTERNS: readonly RegExp[] = [
  new RegExp(
    `(\\b)(?:[spr]k-[\\w*-]{6,}|(?:[spr]k|xai|gsk|key|gh[opsur]|github_pat|glpat|AKIA|AIza)[-_]?[\\w-]{12,}|xox[a-z]-[\\w-]{8,})(?:${BREAK}[\\w*-]{12,})*`,
    'g',
  ),
  /(\b)Bearer\s+[^\s"',;]{6,}/gi,
  /(\b)Basic\s+(?=[a-z+/_-]{0,512}[\d=])[\w+/=-]{8,}/gi,
  /((?<![\w-]))eyJ(?:[\w-]{16,}|[\w-]{8,15}(?=\.))(?:\.[\w-]*){0,2}/g,
  new RegExp(`(authorization${IS}(?:\\\\*["'])?)(?:[\\w-]{1,20}[ \\t]+)?[^\\s"',;}]{4,}`, 'gi'),
  new RegExp(`(cookie${IS}(?:\\\\*["'])?)[^\\r\\n"'\\\\]{4,1024}`, 'gi'),
  new RegExp(`((?:${NAMES})${IS}(?:\\\\*["'])?)(?:${VALUE})`, 'gi'),
  // What follows an address with a colon is a port, or a password up to the last @.
  /(:\/\/[^\s/:@"'[\]]{0,256}:)(?!\d{1,5}(?![^\s/?#"',;.)\]}]))(?:[^\s/"']{1,512}(?=@)|[^\s/"'@]{1,512})/g,
  /()-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^-]{0,16384}(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?/g,
]

/** @param secrets values that are known to be secret; also found in part, with line breaks or escaped */
export function redact(text: string, secrets: readonly string[] = []): string {
  if (text.length <= MOST_READ) return withoutSecrets(text, secrets)
  const shown = withoutSecrets(text.slice(0, MOST_READ), secrets).slice(0, -EDGE)
  return `${shown.toWellFormed()}… [${text.length - MOST_READ + EDGE} characters left out]`
}

function withoutSecrets(text: string, secrets: readonly string[]): string {
  let clean = text
  for (const secret of new Set(secrets.flatMap(formsOf))) clean = withoutSecret(clean, secret)
  for (const pattern of PATTERNS) clean = clean.replace(pattern, `$1${REDACTED}`)
  return clean
}

/** As it is, as JSON writes it, and as an address has it. */
const formsOf = (secret: string): readonly string[] =>
  secret.length < 4
    ? []
    : [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret.toWellFormed())]

/** From this length on, the beginning of a secret gives it away. */
const LONG_SECRET = 16
const BEGINNING = 8
const GAP = '(?:\\s|\\\\[nrt])*'
const IN_GAP = /(?:\s|\\[nrt])*/y

/** A long secret is found by its beginning: whoever wrote the text may have cut it, or broken it into lines. */
function withoutSecret(text: string, secret: string): string {
  if (secret.length < LONG_SECRET) return text.replaceAll(secret, REDACTED)
  const letters = secret.split('')
  const beginning = new RegExp(letters.slice(0, BEGINNING).map(escaped).join(GAP), 'g')
  let clean = ''
  let end = 0
  for (let found = beginning.exec(text); found; found = beginning.exec(text)) {
    clean += text.slice(end, found.index) + REDACTED
    end = endOfSecret(text, beginning.lastIndex, letters)
    beginning.lastIndex = end
  }
  return clean + text.slice(end)
}

/** How far the text goes on like the secret whose beginning ends at `start`. */
function endOfSecret(text: string, start: number, letters: readonly string[]): number {
  let end = start
  for (const letter of letters.slice(BEGINNING)) {
    IN_GAP.lastIndex = end
    IN_GAP.test(text)
    if (text[IN_GAP.lastIndex] !== letter) break
    end = IN_GAP.lastIndex + 1
  }
  return end
}

const escaped = (letter: string): string => letter.replace(/[\\^$.*+?()[\]{}|/-]/, '\\$&')
