/** Why a model stopped, in our words. */
import type { FinishReason } from '../../messages/chat-response.ts'

/**
 * @param known the provider's words; one that is not among them becomes `other`
 * @param hasCalls decides between `stop` and `tool-calls`, because servers say either for both
 */
export function finishReason(
  known: ReadonlyMap<string, FinishReason>,
  raw: string | undefined,
  hasCalls: boolean,
): FinishReason {
  const reason = (raw === undefined ? undefined : known.get(raw)) ?? 'other'
  return reason === 'stop' && hasCalls ? 'tool-calls' : reason
}
