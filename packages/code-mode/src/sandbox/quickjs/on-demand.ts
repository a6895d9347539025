/** What is loaded when the first program comes. */
import type { Places } from './places.ts'
import type { PoolSettings } from './worker-pool.ts'

export async function loadPlaces(settings: PoolSettings): Promise<Places> {
  const isInline = settings.workers === 0 || !(await hasWorkers())
  if (!isInline) return new (await import('./worker-pool.ts')).WorkerPool(settings)
  return new (await import('./inline-places.ts')).InlinePlaces()
}

async function hasWorkers(): Promise<boolean> {
  try {
    return typeof (await import('node:worker_threads')).Worker === 'function'
  } catch {
    return false
  }
}

/** As many as there are cores, within bounds: a second one keeps a program that computes from the others. */
export async function usualWorkers(): Promise<number> {
  const { availableParallelism } = await import('node:os')
  return Math.min(4, Math.max(2, availableParallelism()))
}
