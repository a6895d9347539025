/** The data of a context by identity: messages of one kind and instance are one value. */
import { remembered } from '../../schema/remembered.ts'
import type { DataEntry, Entry } from './read-message.ts'

/** The entries of each identity, oldest first. */
export type Identities = ReadonlyMap<string, readonly DataEntry[]>

export const identityOf = ({
  kind,
  instance,
}: {
  readonly kind: string
  readonly instance?: string | undefined
}): string => JSON.stringify([kind, instance])

export function identities(entries: readonly Entry[]): Identities {
  const all = new Map<string, DataEntry[]>()
  for (const entry of entries)
    if (entry.type === 'data') remembered(all, identityOf(entry), (): DataEntry[] => []).push(entry)
  return all
}
