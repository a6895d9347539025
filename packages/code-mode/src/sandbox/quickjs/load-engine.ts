/** The engine's WebAssembly, compiled once for all workers. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { EngineModule } from './wire.ts'

export async function loadEngine(): Promise<EngineModule> {
  const file = createRequire(import.meta.url).resolve('quickjs-wasi/quickjs.wasm')
  return engines.WebAssembly.compile(await readFile(file))
}

/** The types of Node 20 do not know how WebAssembly is compiled. */
const engines = globalThis as unknown as {
  readonly WebAssembly: { compile(bytes: Uint8Array): Promise<EngineModule> }
}
