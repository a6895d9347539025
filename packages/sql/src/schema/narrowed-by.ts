/** Which conversations are asked for: one, all of a tenant, or all. */
import { checkText, hashOf, hashOfKey } from './hashes.ts'

export interface NarrowedBy {
  readonly key_hash?: string
  readonly tenant_hash?: string
}

/** `conversation` without `tenant` is the key that is a plain text. */
export function narrowedBy(query: {
  readonly tenant?: string | undefined
  readonly conversation?: string | undefined
}): NarrowedBy {
  const { tenant, conversation } = query
  if (tenant !== undefined) checkText('tenant', tenant)
  if (conversation !== undefined) checkText('conversation', conversation)
  if (conversation !== undefined)
    return { key_hash: hashOfKey(tenant === undefined ? conversation : { tenant, conversation }) }
  return tenant === undefined ? {} : { tenant_hash: hashOf(tenant) }
}
