/** How a conversation is named. */

/** A conversation id, alone or within a tenant. Two tenants never share a conversation. */
export type ConversationKey = string | { readonly tenant: string; readonly conversation: string }

/** What a request named its conversation by, if that is a key. */
export function conversationKeyOf(named: unknown): ConversationKey | undefined {
  const { tenant, conversation } = Object(named) as { readonly [key: string]: unknown }
  const isKey = isNamed(named) || (isNamed(tenant) && isNamed(conversation))
  return isKey ? (named as ConversationKey) : undefined
}

const isNamed = (x: unknown): boolean => typeof x === 'string' && x !== ''
