/** Randomness as a port. */
export interface Random {
  /** Returns a number from 0 up to, but not including, 1. */
  next(): number
  /** Returns random bytes that are safe to use as keys. */
  bytes(length: number): Uint8Array
}

export const systemRandom: Random = {
  next: () => Math.random(),
  bytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
}
