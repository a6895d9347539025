/** Who takes part. Each is one long-lived process, built once and reused for all cases. */
export interface Contender {
  readonly name: string
  /** File in workers/. */
  readonly worker: string
  /** The hand-written loops it is held against; none for the loops themselves. */
  readonly heldAgainst?: { readonly fetch: string; readonly http?: string }
}

export const CONTENDERS: readonly Contender[] = [
  { name: 'raw-http', worker: 'raw-http' },
  { name: 'raw-fetch', worker: 'raw-fetch' },
  { name: 'raw-fetch#2', worker: 'raw-fetch' },
  {
    name: 'toolwright',
    worker: 'toolwright',
    heldAgainst: { fetch: 'raw-fetch', http: 'raw-http' },
  },
  { name: 'raw-anthropic', worker: 'raw-anthropic' },
  {
    name: 'toolwright-anthropic',
    worker: 'toolwright-anthropic',
    heldAgainst: { fetch: 'raw-anthropic' },
  },
]

/** The same program twice: how far apart they are is how much the figures can be trusted. */
export const CONTROL = { first: 'raw-fetch', second: 'raw-fetch#2' } as const
