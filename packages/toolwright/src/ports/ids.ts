/** Names for runs, states and calls that came without one. */
export interface Ids {
  /** A new id, unique in the world, starting with `prefix`. */
  next(prefix: string): string
}

export const systemIds: Ids = { next: (prefix) => `${prefix}_${crypto.randomUUID()}` }
