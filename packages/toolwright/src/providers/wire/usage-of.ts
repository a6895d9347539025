/** Token counts as sent, without those that are no numbers: a field the provider did not give stays absent. */
import { USAGE_FIELDS, type Usage } from '../../messages/chat-response.ts'

export function usageOf(counts: { readonly [field in keyof Usage]: unknown }): Usage {
  const usage: { -readonly [field in keyof Usage]: number } = {}
  for (const field of USAGE_FIELDS) {
    const count = counts[field]
    if (typeof count === 'number') usage[field] = count
  }
  return usage
}
