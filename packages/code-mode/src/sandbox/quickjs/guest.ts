/**
 * One program in one engine. Nothing of the host is reachable from inside: what goes in are numbers and texts, what comes
 * out are texts; the only function of the host measures a text.
 */
import { JSException, JSValueHandle } from 'quickjs-wasi'
import type { Delivery, ProgramEnd, ProgramError, ProgramFault, SandboxLimits } from '../sandbox.ts'
import type { Engine, Tenant } from './engine.ts'
import type { Inside } from './guest-image.ts'
import { lineIn } from './stack-line.ts'
import { stoppedEnd } from './stopped-turn.ts'
import type { SentProgram, WireTurn } from './wire.ts'

const MOST_UNHANDLED = 20
const FULFILLED = 1
const REJECTED = 2

/** Who looks after the turns of a program. */
export interface Watch {
  now(): number
  /** How many times as long as its limit a turn may take that begins now. */
  patience(): number
  isCancelled(): boolean
}

/** Why a turn was stopped from outside; a program cannot catch any of them. */
type Stop = 'fuel' | 'time' | 'lost'

export class Guest implements Tenant {
  readonly engine: Engine
  #watch: Watch | undefined
  #limits: SandboxLimits | undefined
  #fuel = 0
  #deadline = Number.POSITIVE_INFINITY
  #stop: Stop | undefined
  #isTrusted = true
  #isSound = true
  #main: JSValueHandle | undefined
  #hasEnded = false
  readonly #unhandled = new Map<number, { promise: JSValueHandle; reason: JSValueHandle }>()

  constructor(engine: Engine) {
    this.engine = engine
    engine.tenant = this
  }

  /** Whether nothing went wrong in the engine itself, or between it and the host: only then is it used again. */
  get isSound(): boolean {
    return this.#isSound && this.#stop === undefined
  }

  /** Whether it has ended and no call is open. */
  get isOver(): boolean {
    if (!this.#hasEnded) return false
    try {
      return this.#text('isIdle') === 'I'
    } catch {
      this.#isSound = false
      return true
    }
  }

  /** Runs a compiled program until it is quiet. */
  start(program: SentProgram, bytecode: Uint8Array, watch: Watch): WireTurn {
    const { clock, seed, toolNames, hasSearch, limits } = program
    const { openCalls, valueBytes, consoleBytes } = limits
    const [low, high] = [seed >>> 0, Math.floor(seed / 2 ** 32)]
    this.#limits = limits
    this.#watch = watch
    this.engine.clock.ms = clock
    const settings = { openCalls, valueBytes, consoleBytes, low, high, toolNames, hasSearch }
    return this.#turn(() => {
      this.#call('setUp', this.engine.vm.newString(JSON.stringify(settings))).dispose()
      const body = this.engine.vm.evalBytecode(bytecode)
      this.#main = this.engine.vm.callFunction(body, this.engine.vm.undefined)
      body.dispose()
    })
  }

  /** Settles a call and runs the program until it is quiet. `undefined`: the call is not open. */
  deliver(delivery: Delivery): WireTurn | undefined {
    let isOpen = true
    const turn = this.#turn(() => {
      const texts = this.#delivered(delivery).map((text) =>
        text === undefined ? this.engine.vm.undefined : this.engine.newText(text),
      )
      const settled = this.#call('settle', this.engine.vm.newNumber(delivery.index), ...texts)
      isOpen = !(settled.isBool && !settled.toBoolean())
      settled.dispose()
    })
    return isOpen ? turn : undefined
  }

  /** A result that is too long is a failed call: the program can ask for less. */
  #delivered(delivery: Delivery): readonly (string | undefined)[] {
    if (!delivery.ok) {
      const { code, tool, message } = delivery.error
      return [undefined, code, tool, message]
    }
    const { valueBytes } = this.#limits!
    const { json } = delivery
    if (json === undefined || isWithin(json, valueBytes)) return [json]
    const words = `The result is longer than ${valueBytes} bytes, which is what a program takes (limits.valueBytes); ask for less.`
    return [undefined, 'limit', '', words]
  }

  /** Everything the program does happens in here, under its limits. */
  #turn(begin: () => void): WireTurn {
    const { turnMs } = this.#limits!
    this.#isTrusted = false
    this.#deadline = this.#watch!.now() + turnMs * this.#watch!.patience()
    let end: ProgramEnd | undefined
    let isLeft = false
    try {
      begin()
      this.#runJobs()
      end = this.#stop ? stoppedEnd(this.#stop!) : this.#ended()
      isLeft = this.#unhandled.size > 0 && (this.#hasEnded || this.#text('isIdle') === 'I')
    } catch (thrown) {
      this.#isSound = false
      end = this.#stop ? stoppedEnd(this.#stop!) : this.#failed(thrown)
    }
    if (this.#stop) end = stoppedEnd(this.#stop!)
    const unhandled = isLeft && !this.#stop ? this.#listUnhandled() : undefined
    if (this.#stop) end = stoppedEnd(this.#stop!)
    const outbox = this.#takeOutbox()
    if (outbox === undefined) end = stoppedEnd('memory')
    return {
      outbox: outbox ?? '',
      fuel: Math.min(this.#fuel, this.#limits!.fuel),
      ...(end && { end }),
      ...(unhandled?.length && { unhandled }),
    }
  }

  poll(): boolean {
    if (this.#isTrusted) return false
    if (this.#stop) return true
    this.#fuel++
    if (this.#fuel > this.#limits!.fuel) this.#stop = 'fuel'
    else if (this.#watch!.now() > this.#deadline) this.#stop = 'time'
    else if (this.#watch!.isCancelled()) this.#stop = 'lost'
    return this.#stop !== undefined
  }

  #runJobs(): void {
    const engine = this.engine.vm._getExports()
    while (!this.#stop && engine.qjs_is_job_pending())
      // A job that throws, e.g. one of queueMicrotask(), is told like a rejection that nobody handles.
      if (engine.qjs_execute_pending_job() < 0) this.#thrownByJob(this.engine.vm.getException())
  }

  #thrownByJob(reason: JSValueHandle): void {
    if (this.#unhandled.size >= MOST_UNHANDLED) return reason.dispose()
    this.#unhandled.set(-1 - this.#unhandled.size, { promise: this.engine.vm.undefined, reason })
  }

  rejected(promise: JSValueHandle, reason: JSValueHandle, isHandled: boolean): void {
    const known = this.#unhandled.get(promise.identity)
    if (isHandled) {
      this.#unhandled.delete(promise.identity)
      known?.promise.dispose()
      known?.reason.dispose()
    } else if (!known && this.#unhandled.size < MOST_UNHANDLED)
      this.#unhandled.set(promise.identity, { promise: promise.dup(), reason: reason.dup() })
  }

  #listUnhandled(): readonly ProgramError[] {
    const main = this.#main?.identity
    const errors: ProgramError[] = []
    for (const [identity, { reason }] of this.#unhandled) {
      if (identity === main) continue
      try {
        errors.push(this.#describe(reason))
      } catch {
        // It ran out of something while it was read; the next turn shows it.
        this.#isSound = false
      }
      if (this.#stop) break
    }
    return errors
  }

  /** How the program's own promise settled, told once. */
  #ended(): ProgramEnd | undefined {
    if (this.#hasEnded || !this.#main) return undefined
    const state = this.#main.promiseState
    if (state !== FULFILLED && state !== REJECTED) return undefined
    this.#hasEnded = true
    const settled = new JSValueHandle(
      this.engine.vm,
      this.engine.vm._getExports().qjs_promise_result(this.#main.ptr),
    )
    try {
      return state === FULFILLED ? this.#returned(settled) : this.#thrown(settled)
    } finally {
      settled.dispose()
    }
  }

  #returned(value: JSValueHandle): ProgramEnd {
    const kept = value.isMap ? 'Map' : value.isSet ? 'Set' : undefined
    if (kept) {
      const instead = kept === 'Map' ? 'Object.fromEntries(map)' : '[...set]'
      return fault('value', {
        name: 'TypeError',
        message: `The program returns a ${kept}, which JSON writes as {}; return ${instead}.`,
      })
    }
    const text = this.#text('result', value.dup())
    if (text === 'U') return { ok: true }
    if (text.startsWith('J')) return { ok: true, json: text.slice(1) }
    return fault('value', { name: 'TypeError', message: text.slice(1) })
  }

  #thrown(reason: JSValueHandle): ProgramEnd {
    const error = this.#describe(reason)
    return fault(kindOf(error), error)
  }

  /** Something went wrong in the engine or on the way into it, not in the program's own promise. */
  #failed(thrown: unknown): ProgramEnd {
    if (thrown instanceof JSException) {
      const ended = this.#thrown(thrown.handle)
      if (!ended.ok && ended.kind !== 'thrown') return ended
    }
    const { name, message } = thrown as Error
    if (name === 'RangeError' && /call stack/.test(message)) return stoppedEnd('depth')
    return stoppedEnd(/malloc|out of memory|out of bounds/.test(message) ? 'memory' : 'broken')
  }

  #describe(reason: JSValueHandle): ProgramError {
    const text = this.#text('describe', reason.dup())
    const [, nameLength = '0', messageLength = '0'] = /^(\d+),(\d+);/.exec(text) ?? []
    const nameAt = text.indexOf(';') + 1
    const messageAt = nameAt + Number(nameLength)
    const stackAt = messageAt + Number(messageLength)
    const line = lineIn(text.slice(stackAt))
    return {
      name: text.slice(nameAt, messageAt),
      message: text.slice(messageAt, stackAt),
      ...(line !== undefined && line > 0 && { line }),
    }
  }

  /** No work of the program, so its limits cannot stop it. Nothing: there is no memory left for it. */
  #takeOutbox(): string | undefined {
    this.#isTrusted = true
    try {
      return this.#text('take')
    } catch {
      this.#isSound = false
      return undefined
    }
  }

  #text(name: keyof Inside, ...args: readonly JSValueHandle[]): string {
    const given = this.#call(name, ...args)
    try {
      const text = given.isString ? given.toString() : ''
      // No text of the prelude is so: the engine had no memory for one.
      if (text === '<null>') throw new Error('out of memory')
      return text
    } finally {
      given.dispose()
    }
  }

  /** The arguments are freed. */
  #call(name: keyof Inside, ...args: readonly JSValueHandle[]): JSValueHandle {
    try {
      return this.engine.vm.callFunction(
        this.engine.inside[name],
        this.engine.vm.undefined,
        ...args,
      )
    } finally {
      for (const arg of args) arg.dispose()
    }
  }
}

const fault = (kind: ProgramFault, error: ProgramError): ProgramEnd => ({ ok: false, kind, error })

function kindOf({ name, message }: ProgramError): ProgramFault {
  if (name === 'InternalError' && message === 'out of memory') return 'memory'
  if (name === 'RangeError' && message === 'Maximum call stack size exceeded') return 'stack'
  return 'thrown'
}

const isWithin = (text: string, bytes: number): boolean =>
  text.length * 3 <= bytes ||
  (text.length <= bytes && new TextEncoder().encode(text).length <= bytes)
