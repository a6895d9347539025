/**
 * Runs one scenario against one contender in one dialect and mode, and writes down everything a verdict
 * needs: the outcome, the executions, what the server saw, and whether the process took harm.
 */
import { setImmediate as nextTick, setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import {
  FAULT_DIALECTS,
  faultServer,
  type FaultDialect,
  type FaultEffect,
  type FaultScenario,
  type FaultServer,
} from '@toolwright/fault-server'
import { patience } from '../../packages/toolwright/src/testing/patience.ts'
import { effectTools, type EffectTools } from './effect-tools.ts'

export const DIALECTS: readonly FaultDialect[] = FAULT_DIALECTS
export type FaultMode = 'call' | 'stream'
export const MODES: readonly FaultMode[] = ['call', 'stream']
export const API_KEY = 'fault-key-9b1d7c55e0'

/** What a contender is asked: one prompt with two tools; it resolves with the answer's text. */
export interface Question {
  readonly baseUrl: string
  readonly dialect: FaultDialect
  readonly mode: FaultMode
  readonly tools: EffectTools
  readonly signal: AbortSignal
  /** The longest silence that the scenario wants to be borne. */
  readonly idleTimeoutMs: number | undefined
}
export type Contender = (question: Question) => Promise<string>

export interface Cell {
  readonly scenario: FaultScenario
  readonly dialect: FaultDialect
  readonly mode: FaultMode
  /** The hang guard: how long until a run counts as never ending, on an idle machine. */
  readonly deadlineMs: number
}

export type Outcome =
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'error'; readonly error: unknown; readonly aborted: boolean }
  | { readonly kind: 'hang' }

export interface Observation {
  readonly outcome: Outcome
  readonly ledger: readonly FaultEffect[]
  readonly violations: readonly string[]
  /** Every request body as it came. */
  readonly bodies: readonly string[]
  /** Unhandled rejections and uncaught exceptions. */
  readonly crashes: readonly unknown[]
  /** The most memory it took on top of what was there, in bytes. */
  readonly growth: number
  readonly polluted: boolean
  /** Connections the contender still holds after it has settled. */
  readonly openResponses: number
}

export async function runScenario(cell: Cell, contender: Contender): Promise<Observation> {
  const server = await faultServer({ dialect: cell.dialect, scenario: cell.scenario })
  const tools = effectTools(cell.scenario.tool)
  const crashes = watchCrashes()
  const memory = watchMemory(cell)
  try {
    const outcome = await outcomeOf(cell, { server, tools, memory, contender })
    await settled(server)
    return {
      outcome,
      ledger: tools.ledger,
      violations: server.violations,
      bodies: server.requests.map((request) => request.text),
      crashes: crashes.seen,
      growth: memory.growth(),
      polluted: 'polluted' in {},
      openResponses: server.openResponses,
    }
  } finally {
    memory.stop()
    await server.close()
    await nextTick()
    crashes.stop()
    delete (Object.prototype as { polluted?: unknown }).polluted
  }
}

interface Arena {
  readonly server: FaultServer
  readonly tools: EffectTools
  readonly memory: MemoryWatch
  readonly contender: Contender
}

async function outcomeOf(cell: Cell, arena: Arena): Promise<Outcome> {
  const { server, tools, memory, contender } = arena
  const abort = new AbortController()
  const reason = new Error('The caller changed its mind.')
  const stop = (): void => abort.abort(reason)
  if (cell.scenario.abort === 'when-stalled') void server.stalled.then(() => setImmediate(stop))
  if (cell.scenario.abort === 'when-tool-runs') void tools.started.then(() => setImmediate(stop))
  void memory.exceeded.then(stop)
  const { dialect, mode } = cell
  const { baseUrl } = server
  const { idleTimeoutMs } = cell.scenario
  const { signal } = abort
  const answer = contender({ baseUrl, dialect, mode, tools, signal, idleTimeoutMs })
  const outcome = answer.then(
    (text): Outcome => ({ kind: 'answer', text }),
    (error: unknown): Outcome => ({ kind: 'error', error, aborted: error === reason }),
  )
  const guard = new AbortController()
  const hang = patience(cell.deadlineMs, guard.signal).then((): Outcome => ({ kind: 'hang' }))
  const first = await Promise.race([outcome, hang])
  guard.abort()
  // Whoever hangs is stopped, so that it cannot disturb the next cell.
  if (first.kind === 'hang') stop()
  return first
}

/** Gives the contender the chance to close what it no longer reads. */
async function settled(server: FaultServer): Promise<void> {
  for (let turn = 0; turn < 100 && server.openResponses > 0; turn += 1) await pause(10)
}

/** Takes the process-wide handlers over for a while: a crash is a finding here, not the end of the run. */
function watchCrashes(): { readonly seen: readonly unknown[]; stop(): void } {
  const seen: unknown[] = []
  const record = (error: unknown): void => void seen.push(error)
  const kinds = ['unhandledRejection', 'uncaughtException'] as const
  const others = kinds.map((kind) => process.listeners(kind as 'uncaughtException'))
  for (const kind of kinds) process.removeAllListeners(kind).on(kind, record)
  const stop = (): void => {
    for (const [index, kind] of kinds.entries()) {
      process.off(kind, record)
      for (const other of others[index]!) process.on(kind as 'uncaughtException', other)
    }
  }
  return { seen, stop }
}

interface MemoryWatch {
  /** The most the process has grown so far. */
  growth(): number
  /** Resolves when it has grown more than the scenario allows; the run is then cut short. */
  readonly exceeded: Promise<void>
  stop(): void
}

function watchMemory(cell: Cell): MemoryWatch {
  const limit = cell.scenario.expect.memoryGrowth
  if (limit === undefined)
    return { growth: () => 0, exceeded: new Promise(() => {}), stop: () => {} }
  collectGarbage()
  const before = process.memoryUsage()
  let growth = 0
  let exceed = (): void => {}
  const exceeded = new Promise<void>((resolve) => (exceed = resolve))
  const sample = (): number => {
    const { rss, external } = process.memoryUsage()
    // Resident memory freed by an earlier run hides growth; buffers are counted on their own too.
    growth = Math.max(growth, rss - before.rss, external - before.external)
    if (growth > limit) exceed()
    return growth
  }
  const timer = setInterval(sample, 5)
  return { growth: sample, exceeded, stop: () => clearInterval(timer) }
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
}
