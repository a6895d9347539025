/**
 * The observation that the running code belongs to, whichever trace it is written to: by it a run that a tool
 * starts finds the call around it.
 */
import type { AsyncLocalStorage } from 'node:async_hooks'
import { ConfigurationError } from '../../errors/errors.ts'

export interface Ambient {
  readonly writer: string
  readonly id: number
}

let storage: AsyncLocalStorage<Ambient> | undefined

/** Throws where there is no Node: a trace needs its file system as well. */
export function ambientStorage(): AsyncLocalStorage<Ambient> {
  if (storage) return storage
  const { process } = globalThis as { process?: Partial<NodeJS.Process> }
  if (typeof process?.getBuiltinModule !== 'function')
    throw new ConfigurationError('invalid-option', 'traceFile() needs Node and its file system.')
  const hooks = process.getBuiltinModule('node:async_hooks')
  return (storage = new hooks.AsyncLocalStorage<Ambient>())
}
