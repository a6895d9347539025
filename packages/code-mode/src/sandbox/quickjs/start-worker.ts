/** Starts the thread of a worker. It sees nothing of the environment of its host. */
import { Worker, type WorkerOptions } from 'node:worker_threads'
import type { WorkerStart } from './wire.ts'

const FILE = new URL('./worker.ts', import.meta.url)
/** The memory of programs is none of this heap; what is in it are texts on their way. */
const LIMITS = { maxOldGenerationSizeMb: 256, stackSizeMb: 8 }

export function startWorker(workerData: WorkerStart): Worker {
  const options: WorkerOptions = { workerData, resourceLimits: LIMITS, env: {} }
  if (!FILE.pathname.endsWith('.ts')) return new Worker(FILE, options)
  // Run from its sources, the host has tsx, which before Node 22 serves only the main thread by itself.
  const [tsx, file] = [import.meta.resolve('tsx/esm/api'), FILE.href].map((url) => JSON.stringify(url)) // prettier-ignore
  const code = `import(${tsx}).then(({ register }) => (register(), import(${file})))`
  return new Worker(code, { ...options, eval: true })
}
