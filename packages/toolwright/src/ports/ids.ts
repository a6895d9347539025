/** Makes ids for runs, states, and calls that came without one. */
export interface Ids {
  /** Returns a new, globally unique id that starts with `prefix`. */
  next(prefix: string): string
}

export const systemIds: Ids = { next: (prefix) => `${prefix}_${crypto.randomUUID()}` }
