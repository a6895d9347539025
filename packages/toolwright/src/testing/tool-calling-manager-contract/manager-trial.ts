/** One case of the manager suite at work: makes managers, asks them with batches, keeps their events. */
import { wrong, type ContractCase } from '../contract-case.ts'
import { countingIds } from '../counting-ids.ts'
import { manualClock } from '../manual-clock.ts'
import { seededRandom } from '../seeded-random.ts'
import { DEFAULT_PATIENCE_MS, rejected, resolved } from '../settling.ts'
import { ToolwrightError } from '../../errors/errors.ts'
import type { ChatEvent } from '../../messages/chat-event.ts'
import type { ChatResponse, FinishReason } from '../../messages/chat-response.ts'
import type { Json } from '../../messages/json.ts'
import type { ToolCall, ToolResponse } from '../../messages/message.ts'
import type { Decisions, RunState } from '../../messages/run-state.ts'
import type { ChatOptions, Prompt } from '../../model/chat-model.ts'
import { NO_CALLS } from '../../tool-calling/call-counter.ts'
import type { ToolCallingManagerOptions } from '../../tool-calling/manager-options.ts'
import { sealState } from '../../tool-calling/suspension.ts'
import { settingsOf } from '../../tool-calling/default-tool-calling-manager.ts'
import type {
  ToolCallingManager,
  ToolExecutionResult,
  ToolExecutionRun,
} from '../../tool-calling/tool-calling-manager.ts'
import type { ToolCallback } from '../../tools/tool-callback.ts'

export type CreateManager = (options: ToolCallingManagerOptions) => ToolCallingManager

export interface ManagerContractOptions {
  /** How long one batch may take before it counts as hanging. Default 5,000. */
  readonly patienceMs?: number
}

export interface ManagerCase {
  readonly name: string
  check(trial: ManagerTrial): Promise<void>
}

/** One answer of a model and what was offered to it. */
export interface TrialBatch {
  readonly tools: readonly ToolCallback[]
  readonly calls: readonly ToolCall[]
  readonly options?: ChatOptions
  /** Default `tool-calls`. */
  readonly finishReason?: FinishReason
}

export interface ManagerContractSetup extends ManagerContractOptions {
  readonly create: CreateManager
}

export const toContractCase = (
  setup: ManagerContractSetup,
  { name, check }: ManagerCase,
): ContractCase => ({ name, run: () => check(new ManagerTrial(setup)) })

export class ManagerTrial {
  /** The time of every manager of this trial. */
  readonly clock = manualClock()
  /** What the managers emitted, in order. */
  readonly events: ChatEvent[] = []
  readonly #setup: ManagerContractSetup

  constructor(setup: ManagerContractSetup) {
    this.#setup = setup
  }

  manager(options: ToolCallingManagerOptions = {}): ToolCallingManager {
    const ports = { clock: this.clock, ids: countingIds(), random: seededRandom(1) }
    return this.#setup.create({ ...ports, ...options })
  }

  /** Starts a batch without waiting for it. */
  start(
    manager: ToolCallingManager,
    batch: TrialBatch,
    run: ToolExecutionRun = {},
  ): Promise<ToolExecutionResult> {
    const emit = (event: ChatEvent): void => void this.events.push(event)
    const begin = async (): Promise<ToolExecutionResult> =>
      manager.executeToolCalls(promptOf(batch), responseOf(batch), { emit, ...run })
    const work = begin()
    // Whoever started it may look at it late.
    work.catch(() => {})
    return work
  }

  settles<T>(work: Promise<T>, what = 'executeToolCalls()'): Promise<T> {
    return resolved({ work, what, patienceMs: this.#setup.patienceMs ?? DEFAULT_PATIENCE_MS })
  }

  rejects(work: Promise<unknown>, what = 'executeToolCalls()'): Promise<unknown> {
    return rejected({ work, what, patienceMs: this.#setup.patienceMs ?? DEFAULT_PATIENCE_MS })
  }

  execute(
    manager: ToolCallingManager,
    batch: TrialBatch,
    run?: ToolExecutionRun,
  ): Promise<ToolExecutionResult> {
    return this.settles(this.start(manager, batch, run))
  }

  /** The code of the catalogue error a batch rejects with. */
  async code(work: Promise<unknown>): Promise<string> {
    const error = await this.rejects(work)
    if (ToolwrightError.is(error)) return error.code
    throw wrong(`It rejected with ${String(error)}, which is no error of the catalogue.`, error)
  }

  /** Runs a batch that must suspend; what is needed to go on with it. */
  async suspend(manager: ToolCallingManager, batch: TrialBatch): Promise<Suspended> {
    const result = await this.execute(manager, batch)
    const { pending, responses, conversationHistory, counters = NO_CALLS, answers = {} } = result
    if (!pending) throw wrong('Nothing is pending, although a call needs a decision.')
    const progress = {
      messages: conversationHistory,
      rounds: [responseOf(batch)],
      usage: {},
      counters,
      answered: responses,
      pending,
      answers,
      context: {},
    }
    const state = await sealState(settingsOf(manager), {
      id: settingsOf(manager).ids.next('state'),
      progress,
      runId: 'run_1',
      offered: batch.tools,
      own: batch.tools,
    })
    const resume = (decisions: Decisions): Promise<ToolExecutionResult> =>
      this.start(manager, batch, { state, decisions, answered: responses, counters })
    return { result, state, resume }
  }
}

export interface Suspended {
  readonly result: ToolExecutionResult
  readonly state: RunState
  resume(decisions: Decisions): Promise<ToolExecutionResult>
}

export const promptOf = ({ tools, options }: TrialBatch): Prompt => ({
  messages: [{ role: 'user', content: 'Please do it.' }],
  options: { tools, ...options },
})

export const responseOf = ({ calls, finishReason = 'tool-calls' }: TrialBatch): ChatResponse => ({
  results: [{ message: { role: 'assistant', content: calls }, finishReason, metadata: {} }],
  usage: {},
  metadata: {},
})

/** Arguments as a value; text goes out as it is. */
export function toolCall(id: string, name: string, args: Json = {}): ToolCall {
  const text = typeof args === 'string' ? args : JSON.stringify(args)
  return { type: 'tool-call', id, name, arguments: text }
}

/** The response to one call. */
function responseTo(
  result: Pick<ToolExecutionResult, 'responses'>,
  id: string,
): ToolResponse & { readonly content: string } {
  const found = result.responses.find((response) => response.id === id)
  if (!found) throw wrong(`There is no response to call ${id}.`)
  if (typeof found.content !== 'string') throw wrong(`The response to call ${id} is no text.`)
  return { ...found, content: found.content }
}

/** The words a failed call is answered with; it must be flagged as an error. */
export function errorText(result: Pick<ToolExecutionResult, 'responses'>, id: string): string {
  const { content, isError } = responseTo(result, id)
  if (!isError) throw wrong(`The response to call ${id} is not flagged isError: ${content}`)
  return content
}

/** The words a call is answered with; it must not be flagged as an error. */
export function resultText(result: Pick<ToolExecutionResult, 'responses'>, id: string): string {
  const { content, isError } = responseTo(result, id)
  if (isError) throw wrong(`The response to call ${id} is an error: ${content}`)
  return content
}
