/** Makes ids for runs, states, and calls that came without one. */
export interface Ids {
  /** Returns a new, globally unique id that starts with `prefix`. */
  next(prefix: string): string
}

export const systemIds: Ids = {
  // Node joins a UUID of 36 pieces and keeps them all, a kilobyte, until somebody reads the text as a whole.
  next: (prefix) => `${prefix}_${crypto.randomUUID().toLowerCase()}`,
}
