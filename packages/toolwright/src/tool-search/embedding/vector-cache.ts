/** Where vectors wait to be used again: a port, because disks and databases differ. Losing one costs time, never an answer. */
export interface VectorCache {
  /** For each key its vector, if it is there. */
  get(keys: readonly string[]): Promise<readonly (Float32Array | undefined)[]>
  set(entries: readonly (readonly [key: string, vector: Float32Array])[]): Promise<void>
}
