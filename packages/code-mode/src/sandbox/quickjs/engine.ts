/**
 * One engine: an instance of WebAssembly with memory of its own, made before there is a program for it. When the program
 * has ended, its memory is set back to how it was, byte for byte: that takes a tenth of the time of making another.
 */
import { JSValueHandle, QuickJS, type Snapshot } from 'quickjs-wasi'
import type { SandboxLimits } from '../sandbox.ts'
import { engineWorld, type EngineClock } from './engine-world.ts'
import { BYTES_OF, bytesOf, type GuestImage, type Inside } from './guest-image.ts'
import type { EngineModule } from './wire.ts'

/** Limits that an engine is made with; the others are set when its program comes. */
export type EngineLimits = Pick<SandboxLimits, 'memoryBytes' | 'stackBytes'>

export interface EngineSetup {
  readonly wasm: EngineModule
  readonly image: GuestImage
  readonly limits: EngineLimits
}

/** Whose program is in the engine. */
export interface Tenant {
  /** The engine asks from time to time whether it shall stop. */
  poll(): boolean
  rejected(promise: JSValueHandle, reason: JSValueHandle, isHandled: boolean): void
}

export class Engine {
  readonly vm: QuickJS
  readonly inside: Inside
  readonly limits: EngineLimits
  readonly clock: EngineClock
  tenant: Tenant | undefined

  private constructor(vm: QuickJS, clock: EngineClock, { image, limits }: EngineSetup) {
    this.vm = vm
    this.clock = clock
    this.limits = limits
    vm.registerHostCallback(BYTES_OF, bytesOf(vm))
    const handles = Object.entries(image.tokens).map(([name, at]) => [name, vm.importHandle(at)])
    this.inside = Object.fromEntries(handles) as Inside
    // Handles that are kept for good must be in the memory that engines are set back to.
    for (const name of ['global', 'undefined', 'null', 'true', 'false'] as const) void vm[name]
  }

  static async create(setup: EngineSetup): Promise<Engine> {
    const { wasm, image, limits } = setup
    const clock: EngineClock = { ms: 0 }
    // The engine asks from its first moment on.
    const made: { engine?: Engine } = {}
    const vm = await QuickJS.restore(image.snapshot, {
      wasm,
      memoryLimit: limits.memoryBytes,
      maxStackSize: limits.stackBytes,
      timezoneOffset: 0,
      interruptHandler: () => made.engine?.tenant?.poll() === true,
      onUnhandledRejection: (promise: JSValueHandle, reason: JSValueHandle, isHandled: boolean) =>
        made.engine?.tenant?.rejected(promise, reason, isHandled),
      wasi: engineWorld(clock),
    })
    made.engine = new Engine(vm, clock, setup)
    return made.engine
  }

  /** As `newString` of the library, which takes three times as long for the short texts that most results are. */
  newText(text: string): JSValueHandle {
    const engine = this.vm._getExports()
    const at = text.length > SHORT ? 0 : engine.wasm_malloc(text.length + 1)
    if (at === 0) return this.vm.newString(text)
    const isAscii = writeAscii(text, new Uint8Array(engine.memory.buffer, at, text.length))
    const made = isAscii && new JSValueHandle(this.vm, engine.qjs_new_string(at, text.length))
    engine.wasm_free(at)
    return made || this.vm.newString(text)
  }

  /** Back to `fresh`, which is of an engine with the same limits. False: it has grown, which cannot be undone. */
  setBack({ memory, stackPointer }: Snapshot): boolean {
    const engine = this.vm._getExports() as unknown as EngineExports
    if (engine.memory.buffer.byteLength !== memory.byteLength) return false
    this.tenant = undefined
    this.clock.ms = 0
    new Uint8Array(engine.memory.buffer).set(memory)
    engine.__stack_pointer.value = stackPointer
    return true
  }

  dispose(): void {
    this.vm.dispose()
  }
}

/** In characters. Longer texts are faster in the hands of the library. */
const SHORT = 256

/** False: not all of it is ASCII. */
function writeAscii(text: string, bytes: Uint8Array): boolean {
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit > 0x7f) return false
    bytes[at] = unit
  }
  return true
}

/** All that a program can have changed: the stack pointer is the only global of the module that is not constant. */
interface EngineExports {
  readonly memory: { readonly buffer: ArrayBuffer }
  readonly __stack_pointer: { value: number }
}
