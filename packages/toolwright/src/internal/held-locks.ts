/**
 * The locks that are held around a piece of work, by the signal that the work was given. A tool that asks a client
 * hands its own signal on; so the run inside knows which locks it would wait for in vain.
 */
export interface HeldKey {
  /** Equal keys of different owners are different locks. */
  readonly owner: object
  readonly key: string
}

const heldBySignal = new WeakMap<AbortSignal, readonly HeldKey[]>()

export const heldAround = (signal: AbortSignal | undefined): readonly HeldKey[] | undefined =>
  signal && heldBySignal.get(signal)

export function holdAround(signal: AbortSignal, held: readonly HeldKey[] | undefined): void {
  if (held) heldBySignal.set(signal, held)
}
