/** Chance as a port. */
export interface Random {
  /** A number from 0 up to, not including, 1. */
  next(): number
  /** Bytes fit for keys. */
  bytes(length: number): Uint8Array
}

export const systemRandom: Random = {
  next: () => Math.random(),
  bytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
}
