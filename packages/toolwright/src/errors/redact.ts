/**
 * Takes secrets out of text before it reaches an error, an event, a log or a model: known values
 * first, then what looks like a key. The one choke point for all of them.
 */
const PATTERNS: readonly RegExp[] = [
  /\b(?:[spr]k-[\w*-]{6,}|(?:[spr]k|xai|gsk|key|gh[op]|glpat|AKIA|AIza)[-_]?[\w-]{12,})/g,
  /\bBearer\s+[^\s"',;]{6,}/gi,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,
  /(?<=(?:passw(?:or)?d|secret|api[-_]?key|authorization|[?&](?:key|(?:access_)?token))["']?\s*[:=]\s*["']?)[^\s"',;&}]{4,}/gi,
  /(?<=:\/\/[^/\s:@]{1,64}:)[^@\s/]+(?=@)/g,
]
export const REDACTED = '[redacted]'

export function redact(text: string, secrets: readonly string[] = []): string {
  let clean = text
  for (const secret of secrets) if (secret.length >= 4) clean = clean.replaceAll(secret, REDACTED)
  for (const pattern of PATTERNS) clean = clean.replace(pattern, REDACTED)
  return clean
}
