/** Token counts as sent, without those that are no numbers: a field the provider did not give stays absent. */
import type { Usage } from '../../messages/chat-response.ts'

export function usageOf(counts: { readonly [field in keyof Usage]: unknown }): Usage {
  return Object.fromEntries(
    Object.entries(counts).filter(([, count]) => typeof count === 'number'),
  ) as Usage
}
