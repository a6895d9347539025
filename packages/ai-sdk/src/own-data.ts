/**
 * What a provider said about a part travels with the part and goes back with it: signatures, ids, encrypted
 * reasoning. It is kept under a key of the bridge's own, so that an adapter of toolwright that goes on with the
 * conversation does not take it for its own.
 */
import type { Annotations, AssistantPart, Json } from 'toolwright'
import type { SentProviderOptions } from './sent-types.ts'

/** The key of `providerOptions` and `providerData` that belongs to the bridge. */
export const OWN = 'aiSdk'

type Metadata = { readonly [provider: string]: Json } | undefined

/** For text and media. */
export const asOptions = (metadata: Metadata): Pick<Annotations, 'providerOptions'> =>
  metadata ? { providerOptions: { [OWN]: metadata } } : {}

/** For reasoning and calls. */
export const asData = (metadata: Metadata): { readonly providerData?: Json } =>
  metadata ? { providerData: { [OWN]: metadata } } : {}

/** What the bridge kept with a call or a thought; undefined if it came from another model. */
export function ownData(part: AssistantPart): Metadata {
  const data = 'providerData' in part ? part.providerData : undefined
  const own = (data as { readonly [OWN]?: unknown } | null | undefined)?.[OWN]
  return typeof own === 'object' && own !== null ? (own as Metadata) : undefined
}

/** Options as the provider gets them: what the program set, over what the provider said itself. */
export function sentOptions(
  annotated: Annotations,
  kept?: Metadata,
): { providerOptions?: SentProviderOptions } {
  const { [OWN]: own, ...given } = annotated.providerOptions ?? {}
  const options = { ...own, ...kept, ...given }
  return Object.keys(options).length === 0
    ? {}
    : { providerOptions: options as SentProviderOptions }
}
