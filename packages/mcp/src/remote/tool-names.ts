/**
 * What a remote tool is called here. Models take 64 letters, digits, `_` and `-`; servers use more. A name depends on the
 * remote name and the options only, so that it stays the same whatever else is listed.
 */
import { createHash } from 'node:crypto'

const LONGEST = 64
const TAKEN_BY_MODELS = /^[A-Za-z0-9_-]{1,64}$/
const HASH_LENGTH = 8

export interface NamingOptions {
  readonly prefix?: string | undefined
  readonly rename?: { readonly [toolName: string]: string } | undefined
}

/**
 * A name that models take stays as it is. Any other gets a hash of itself at its end, so that two names which differ
 * only in what is replaced stay two names.
 */
function modelName(remoteName: string): string {
  if (TAKEN_BY_MODELS.test(remoteName)) return remoteName
  const hash = createHash('sha256').update(remoteName).digest('hex').slice(0, HASH_LENGTH)
  const clean = cleanName(remoteName).slice(0, LONGEST - HASH_LENGTH - 1)
  return clean === '' ? `tool_${hash}` : `${clean}_${hash}`
}

/** A renamed tool has the name that the program gave it, without the prefix. */
export function offeredName(remoteName: string, { prefix, rename }: NamingOptions): string {
  const renamed = rename && Object.hasOwn(rename, remoteName) ? rename[remoteName]! : undefined
  if (renamed !== undefined) return renamed
  return prefix ? prefixed(prefix, remoteName) : modelName(remoteName)
}

/** Hashes the whole, so that what is cut off still counts. */
export const prefixed = (prefix: string, name: string): string =>
  modelName(`${cleanName(prefix)}_${name}`)

/** Runs of anything that models do not take become one `_`. */
export const cleanName = (text: string): string =>
  text.replace(/[^A-Za-z0-9_-]+/g, '_').replace(/^_+|_+$/g, '')

export const isNameForModels = (name: string): boolean => TAKEN_BY_MODELS.test(name)
