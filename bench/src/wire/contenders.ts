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
  ...pair('anthropic'),
  ...pair('responses'),
  ...pair('gemini'),
  ...pair('ollama'),
]

/** A loop written by hand in a format, and toolwright in the same. */
function pair(format: string): readonly Contender[] {
  const [raw, ours] = [`raw-${format}`, `toolwright-${format}`]
  return [
    { name: raw, worker: raw },
    { name: ours, worker: ours, heldAgainst: { fetch: raw } },
  ]
}

/** The same program twice: how far apart they are is how much the figures can be trusted. */
export const CONTROL = { first: 'raw-fetch', second: 'raw-fetch#2' } as const
