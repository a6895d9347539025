/** Tokens as OpenTelemetry counts them. */
import type { Usage } from 'toolwright'

/**
 * The conventions count what was read from and written to a cache as input. Some providers do too, others leave it
 * out of `inputTokens`; then the total is larger by just that, or the cache gave and took more than the input has.
 */
export function inputTokens(usage: Usage): number | undefined {
  const { inputTokens: input, outputTokens: output = 0, totalTokens: total } = usage
  if (input === undefined) return undefined
  const cached = (usage.cacheReadTokens ?? 0) + (usage.cacheWriteTokens ?? 0)
  const isBeside = cached > input || total === input + output + cached
  return isBeside ? input + cached : input
}
