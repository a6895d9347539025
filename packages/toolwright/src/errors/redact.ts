/**
 * Takes secrets out of text before it reaches an error, an event, a log or a model: known values
 * first, then what looks like a key. The one choke point for all of them.
 */
const PATTERNS: readonly RegExp[] = [
  /\b(?:sk|pk|rk|xai|gsk|key|ghp|gho|glpat|AKIA|AIza)[-_]?[A-Za-z0-9_-]{12,}/g,
  /\b(?:sk|pk|rk)-[A-Za-z0-9_*-]{6,}/g,
  /\bBearer\s+[^\s"',;]{6,}/gi,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g,
  /(?<=[?&](?:key|api_key|apikey|access_token|token)=)[^&\s"']+/gi,
  /(?<=(?:password|passwd|secret|api[-_]?key|authorization|x-api-key)["']?\s*[:=]\s*["']?)[^\s"',;&}]{4,}/gi,
  /(?<=:\/\/[^/\s:@]{1,64}:)[^@\s/]+(?=@)/g,
]
export const REDACTED = '[redacted]'

export function redact(text: string, secrets: readonly string[] = []): string {
  let clean = text
  for (const secret of secrets) if (secret.length >= 4) clean = clean.replaceAll(secret, REDACTED)
  for (const pattern of PATTERNS) clean = clean.replace(pattern, REDACTED)
  return clean
}
