/** An engine that has run a program is used again for the next one, which must not be able to tell. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Compiler } from './compile-program.ts'
import type { Engine } from './engine.ts'
import { Engines } from './engines.ts'
import { Guest } from './guest.ts'
import { guestImage } from './guest-image.ts'
import { loadEngine } from './load-engine.ts'
import { PRELUDE, PRELUDE_FILE } from './prelude.ts'

const limits = {
  fuel: 20_000,
  turnMs: 60_000,
  memoryBytes: 32 * 1024 * 1024,
  stackBytes: 64 * 1024,
  openCalls: 10,
  valueBytes: 100_000,
  consoleBytes: 1_000,
}

const wasm = await loadEngine()
const compiler = new Compiler(wasm)
const image = await guestImage(wasm, await compiler.prelude(PRELUDE, PRELUDE_FILE))

async function run(engine: Engine, code: string): Promise<Guest> {
  const compiled = await compiler.program(code)
  if (!compiled.ok) throw new Error(compiled.message)
  const guest = new Guest(engine)
  const program = { code, clock: 5, seed: 7, toolNames: ['echo'], hasSearch: false, limits }
  guest.start(program, compiled.bytecode, {
    now: () => 0,
    patience: () => 1,
    isCancelled: () => false,
  })
  return guest
}

// Another engine is made when one is not given back for a while, and here no time passes.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

it('is byte for byte one that was just made', async () => {
  const engines = new Engines(wasm, image)
  const used = await engines.take(limits)
  const made = Buffer.from(used.vm.snapshot().memory)
  const guest = await run(
    used,
    `globalThis.left = 'behind'; Object.prototype.mine = 1; console.log(Math.random(), new Date())
     tools.echo({ a: 1 }); Promise.reject(new Error('no')); return 'x'.repeat(1000)`,
  )
  expect(made.equals(used.vm.snapshot().memory)).toBe(false)
  expect(guest.isSound).toBe(true)
  engines.giveBack(used)
  const again = await engines.take(limits)
  expect(again).toBe(used)
  expect(made.equals(again.vm.snapshot().memory)).toBe(true)
  const other = await new Engines(wasm, image).take(limits)
  expect(made.equals(other.vm.snapshot().memory)).toBe(true)
})

it('is another one where the last has grown, or was stopped, or has other limits', async () => {
  const engines = new Engines(wasm, image)
  const grown = await engines.take(limits)
  await run(grown, 'globalThis.kept = Array.from({ length: 1e6 }, (_, i) => i); return 1')
  engines.giveBack(grown)
  const next = await engines.take(limits)
  expect(next).not.toBe(grown)
  const stopped = await run(next, 'for (;;);')
  expect(stopped.isSound).toBe(false)
  const smaller = { ...limits, memoryBytes: 16 * 1024 * 1024 }
  const other = await engines.take(smaller)
  engines.giveBack(other)
  expect(await engines.take(limits)).not.toBe(other)
})
