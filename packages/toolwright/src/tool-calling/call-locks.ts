/** Locks: calls with equal keys run one after another, whatever tool and run they belong to. */
import { ToolExecutionError } from '../errors/errors.ts'
import { messageOfThrown } from '../errors/message-of-thrown.ts'
import { notice } from '../errors/notices.ts'
import { redact } from '../errors/redact.ts'
import { heldAround, type HeldKey } from '../internal/held-locks.ts'
import { describeValue } from '../schema/describe-value.ts'
import type { Batch, ReadyCall } from './call.ts'
import { waitInLine, type Line } from './wait-in-line.ts'

interface Lock {
  holder: Holder
  readonly line: Line
}

/** Whose call has the lock. */
interface Holder {
  readonly callId: string
  readonly toolName: string
  readonly signal: AbortSignal | undefined
  /** The call was settled by its timeout, and the tool still runs. */
  isGivenUp: boolean
}

/** A lock that a call has got. */
export interface HeldLock {
  /** All that are held around the tool, this one included. */
  readonly held: readonly HeldKey[]
  /** How long the call waited for it, in ms. */
  readonly waitedMs: number
  /** The call that had it last, if this one had to wait. */
  readonly behind: Pick<Holder, 'callId' | 'toolName'> | undefined
  /** The call is over, but its tool still runs: the lock stays. */
  giveUp(): void
  release(): void
}

export class CallLocks {
  readonly #locks = new Map<string, Lock>()

  /** Gets the lock of a call, or says that it needs none. Waits no longer than `ms`. */
  async take(batch: Batch, ready: ReadyCall, ms: number): Promise<HeldLock | undefined> {
    const key = keyOf(ready)
    if (key === undefined) return undefined
    const held = batch.held ?? heldAround(batch.run.signal)
    if (held?.some((outer) => outer.owner === this && outer.key === key))
      throw lockError(
        ready,
        'it needs the lock that the call around it holds, and each would wait for the other',
      )
    const { clock } = batch.settings
    const { signal } = batch.run
    const from = clock.monotonic()
    const taken = this.#locks.get(key)
    const isMine = !taken || (await waitInLine(taken.line, { clock, ms, signal }))
    const waitedMs = clock.monotonic() - from
    if (isMine && waitedMs < ms) {
      const { id: callId, name: toolName } = ready.call
      // The lock changes hands while a call waits: this is whose end it waited for.
      const behind = taken && { callId: taken.holder.callId, toolName: taken.holder.toolName }
      const handles = this.#hold(key, { callId, toolName, signal, isGivenUp: false })
      return { held: [...(held ?? []), { owner: this, key }], waitedMs, behind, ...handles }
    }
    if (isMine) this.#release(key)
    tellGivenUp(batch, ready, taken!.holder)
    throw lockError(ready, `it waited ${ms} ms for its lock, which another call held`)
  }

  #hold(key: string, holder: Holder): Pick<HeldLock, 'giveUp' | 'release'> {
    const lock = this.#locks.get(key)
    if (lock) lock.holder = holder
    else this.#locks.set(key, { holder, line: new Set() })
    return {
      giveUp: () => void (holder.isGivenUp = true),
      release: () => this.#release(key),
    }
  }

  /** Hands the lock to the first in line. */
  #release(key: string): void {
    const [first] = this.#locks.get(key)!.line
    if (first) first()
    else this.#locks.delete(key)
  }
}

function keyOf(ready: ReadyCall): string | undefined {
  const { lock, hints } = ready.tool.metadata
  if (!lock || hints?.readOnly) return undefined
  let key: unknown
  try {
    key = lock(ready.input as never)
  } catch (thrown) {
    throw lockError(ready, `its lock failed: ${redact(messageOfThrown(thrown))}`, thrown)
  }
  if (key === undefined || typeof key === 'string') return key
  // It may reject later, and nobody waits for it.
  if (key instanceof Promise) key.catch(() => {})
  const got = key instanceof Promise ? 'a promise' : describeValue(key)
  throw lockError(ready, `its lock gave ${got}; it gives a string, or undefined for no lock`)
}

/** The run of the other call may be over, so that nobody heard of it there. */
function tellGivenUp({ run }: Batch, { call }: ReadyCall, holder: Holder): void {
  if (!holder.isGivenUp && !holder.signal?.aborted) return
  const message = `Tool "${holder.toolName}" was given up and still runs; it holds the lock that "${call.name}" waited for.`
  run.emit?.(notice('tool-unsettled', message, { callId: call.id }))
}

/** Without the key: it may be made of another user's input. */
const lockError = ({ call }: ReadyCall, words: string, cause?: unknown): ToolExecutionError =>
  new ToolExecutionError(words, {
    toolName: call.name,
    callId: call.id,
    code: 'tool-lock',
    ...(cause !== undefined && { cause }),
  })
