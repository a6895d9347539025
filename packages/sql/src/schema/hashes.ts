/** Short texts that stand for keys of any length, of which an index takes only so much. */
import { createHash } from 'node:crypto'
import { ConfigurationError, type ConversationKey } from 'toolwright'

/** The same for equal texts only. JSON writes every text differently, also half of a surrogate pair. */
export const hashOf = (...texts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(texts)).digest('base64url')

/** A plain text and the key of a tenant never have the same one. */
export const hashOfKey = (key: ConversationKey): string =>
  typeof key === 'string' ? hashOf(key) : hashOf(key.tenant, key.conversation)

export const hashOfTenant = (key: ConversationKey | undefined): string | null =>
  key === undefined || typeof key === 'string' ? null : hashOf(key.tenant)

export function checkKey(key: unknown): asserts key is ConversationKey {
  if (typeof key === 'string') return
  if (key === undefined || key === null)
    throw new ConfigurationError('missing-conversation-id', 'The conversation has no id.')
  const { tenant, conversation } = key as { readonly [name: string]: unknown }
  if (typeof tenant === 'string' && typeof conversation === 'string') return
  throw new ConfigurationError(
    'invalid-option',
    'The key of a conversation is a text, or { tenant, conversation } of two texts.',
  )
}

export function checkText(name: string, value: unknown): asserts value is string {
  if (typeof value === 'string') return
  throw new ConfigurationError('invalid-option', `${name} is no text.`)
}
