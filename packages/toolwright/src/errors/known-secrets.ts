/**
 * Takes secrets that are known out of text, also where they are escaped, broken into lines or cut: what remains
 * of a key gives it away. Then what only looks like a secret.
 */
import { redact, REDACTED } from './redact.ts'

export function redactKnown(text: string, secrets: readonly string[]): string {
  return redact([...new Set(secrets.flatMap(formsOf))].reduce(withoutSecret, text))
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
