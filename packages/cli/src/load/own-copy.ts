/**
 * Lets a tools file outside of any project import `toolwright` without installing it: it gets the copy that
 * comes with this command. An installed copy always takes precedence.
 */
import Module, { register } from 'node:module'
import { fileURLToPath } from 'node:url'

const OURS = /^toolwright(\/|$)/

/** Runs in the thread of the loader hooks. */
const HOOKS = `
let ours
export function initialize(url) { ours = url }
export async function resolve(specifier, context, next) {
  try {
    return await next(specifier, context)
  } catch (error) {
    if (!${String(OURS)}.test(specifier)) throw error
    return next(specifier, { ...context, parentURL: ours }).catch(() => { throw error })
  }
}`

interface Resolving {
  _resolveFilename(specifier: string, ...rest: unknown[]): string
}

let offered = false

/** From now on, modules that cannot find `toolwright` get the command's copy. */
export function offerOwnCopy(): void {
  if (offered) return
  offered = true
  register(`data:text/javascript,${encodeURIComponent(HOOKS)}`, { data: import.meta.url })
  offerToRequire(Module as unknown as Resolving)
}

function offerToRequire(modules: Resolving): void {
  const resolve = modules._resolveFilename
  modules._resolveFilename = function (specifier, ...rest) {
    try {
      return resolve.call(this, specifier, ...rest)
    } catch (error) {
      if (!OURS.test(specifier)) throw error
      return ownPath(specifier) ?? raise(error)
    }
  }
}

function ownPath(specifier: string): string | undefined {
  try {
    return fileURLToPath(import.meta.resolve(specifier)).replace(/\?.*$/, '')
  } catch {
    return undefined
  }
}

function raise(error: unknown): never {
  throw error
}
