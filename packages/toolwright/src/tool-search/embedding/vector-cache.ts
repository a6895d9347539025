/** The port for cached vectors, because disks and databases differ. A lost vector only costs time. */
export interface VectorCache {
  /** Returns the vector of each key, or undefined where there is none. */
  get(keys: readonly string[]): Promise<readonly (Float32Array | undefined)[]>
  set(entries: readonly (readonly [key: string, vector: Float32Array])[]): Promise<void>
}
