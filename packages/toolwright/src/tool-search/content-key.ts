/**
 * Short keys that are equal for equal content, for a tool and for a set of tools in any order. They are not
 * meant for security.
 */
import { canonicalJson } from '../internal/canonical-json.ts'
import { remembered } from '../schema/remembered.ts'
import type { ToolReference } from './tool-index.ts'

const keys = new WeakMap<ToolReference, string>()

export const contentKey = (reference: ToolReference): string =>
  remembered(keys, reference, () => {
    const { name, description, inputSchema, examples } = reference
    return shortHash(canonicalJson([name, description, inputSchema, examples]))
  })

export const setKey = (contentKeys: Iterable<string>): string =>
  shortHash([...contentKeys].sort().join())

/** 106 bits from two FNV-like hashes with different multipliers, mixed at the end. */
const shortHash = (text: string): string =>
  `${text.length.toString(36)}-${walk(text, 0x811c9dc5)}-${walk(text, 0x9e3779b9)}`

function walk(text: string, seed: number): string {
  let low = seed
  let high = seed ^ 0x5bd1e995
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    low = Math.imul(low ^ unit, 2654435761)
    high = Math.imul(high ^ unit, 1597334677)
  }
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  return (4294967296 * (2097151 & high) + (low >>> 0)).toString(36)
}
