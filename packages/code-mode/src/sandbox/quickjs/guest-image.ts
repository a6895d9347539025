/**
 * The memory of an engine that has its prelude and no program yet. Every program gets an engine with a copy of it: to
 * copy it takes a fraction of the time that it takes to make one, and all begin exactly alike.
 */
import {
  Intrinsics,
  QuickJS,
  type HostFunction,
  type JSValueHandle,
  type Snapshot,
} from 'quickjs-wasi'
import { engineWorld } from './engine-world.ts'
import type { EngineModule } from './wire.ts'

/** What the host calls inside. */
const NAMES = ['setUp', 'take', 'settle', 'describe', 'result', 'isIdle'] as const
export type Inside = Record<(typeof NAMES)[number], JSValueHandle>

export interface GuestImage {
  readonly snapshot: Snapshot
  /** Where the functions are in it. */
  readonly tokens: { readonly [name in keyof Inside]: number }
}

const INTRINSICS =
  Intrinsics.DATE |
  Intrinsics.REGEXP |
  Intrinsics.JSON |
  Intrinsics.PROXY |
  Intrinsics.MAP_SET |
  Intrinsics.TYPED_ARRAYS |
  Intrinsics.PROMISE |
  Intrinsics.BIG_INT |
  Intrinsics.ATOB_BTOA

/** The one function of the host; each engine is given it anew. */
export const BYTES_OF = 'bytesOf'
export const bytesOf =
  (vm: QuickJS): HostFunction =>
  (text) =>
    vm.newNumber(text?.isString ? new TextEncoder().encode(text.toString()).length : 0)

/** `prelude`: its bytecode. */
export async function guestImage(wasm: EngineModule, prelude: Uint8Array): Promise<GuestImage> {
  const vm = await QuickJS.create({
    wasm,
    intrinsics: INTRINSICS,
    timezoneOffset: 0,
    wasi: engineWorld({ ms: 0 }),
  })
  const measure = vm.newFunction(BYTES_OF, bytesOf(vm))
  const make = vm.evalBytecode(prelude)
  const made = vm.callFunction(make, vm.undefined, measure)
  const handles = NAMES.map((name) => [name, made.getProp(name)] as const)
  for (const handle of [measure, make, made]) handle.dispose()
  const tokens = Object.fromEntries(handles.map(([name, handle]) => [name, vm.exportHandle(handle)])) // prettier-ignore
  const snapshot = vm.snapshot()
  vm.dispose()
  return { snapshot, tokens: tokens as GuestImage['tokens'] }
}
