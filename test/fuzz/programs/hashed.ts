/** Chance by name: the same seed and name give the same number, in whatever order they are asked. */
import { createHash } from 'node:crypto'

export const hashed = (seed: number, name: string): number =>
  createHash('md5').update(`${seed} ${name}`).digest().readUInt32LE(0)
