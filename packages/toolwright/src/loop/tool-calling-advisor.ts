/**
 * THE loop: ask the model, decide, run its tools, append, repeat. Everything else wraps it (memory,
 * logging, structured output are advisors) or is asked by it (limits, approval, failures and
 * concurrency belong to the manager).
 */
import { ConfigurationError } from '../errors/errors.ts'
import { checkOptions } from '../internal/check-options.ts'
import { checkKinds } from '../schema/option-kinds.ts'
import { hasToolCalls } from '../messages/reading.ts'
import {
  loadDeadline,
  loadEarlyEndings,
  loadHookViews,
  loadOfferedByManager,
  loadReopenedRound,
} from '../on-demand.ts'
import {
  decidesWhatIsShown,
  settingsOf,
  toolCallingManager,
} from '../tool-calling/default-tool-calling-manager.ts'
import type { ToolCallingManager } from '../tool-calling/tool-calling-manager.ts'
import { ORDER, type AdvisedResponse, type LoopAdvisor } from './advisor.ts'
import type { InsideRequest } from './inside.ts'
import { LiveRun } from './live-run.ts'
import { endWithAnswer } from './loop-endings.ts'
import {
  limitMet,
  nextRound,
  recordBatch,
  recordRound,
  runTools,
  startLoop,
  type Loop,
} from './loop-steps.ts'
import {
  TOOL_CALLING_KINDS,
  TOOL_CALLING_OPTIONS,
  type ToolCallingAdvisorOptions,
} from './tool-calling-options.ts'

export interface ToolCallingAdvisor extends LoopAdvisor {
  readonly toolCalling: ToolCallingAdvisorOptions
  withManager(manager: ToolCallingManager): ToolCallingAdvisor
}

/** The advisor that runs the model's tool calls. A client adds one by itself. */
export function toolCallingAdvisor(options: ToolCallingAdvisorOptions = {}): ToolCallingAdvisor {
  checkOptions('toolCallingAdvisor()', options, TOOL_CALLING_OPTIONS)
  checkKinds('toolCallingAdvisor()', options, TOOL_CALLING_KINDS)
  const manager = options.manager ?? toolCallingManager()
  checkManager(manager)
  const decides = decidesWhatIsShown(manager)
  return {
    name: 'tool-calling',
    order: options.order ?? ORDER.toolCalling,
    role: 'loop',
    toolCalling: options,
    withManager: (other) => toolCallingAdvisor({ ...options, manager: other }),
    advise(request: InsideRequest, next) {
      const { settings = settingsOf(manager), live = new LiveRun() } = request.inside ?? {}
      const kit: Loop = { options, manager, settings, next, given: request, live }
      if (!decides) return loop(kit)
      return loadOfferedByManager().then(({ offeredByManager }) => loop(offeredByManager(kit)))
    },
  }
}

async function loop(given: Loop): Promise<AdvisedResponse> {
  const { beforeRound, afterRound, nextMessages, stopWhen } = given.options
  const isWatched = beforeRound || afterRound || nextMessages || stopWhen
  const kit = isWatched ? { ...given, views: await loadHookViews() } : given
  let { request, progress, open } = await startLoop(kit)
  const isTimed = kit.settings.limits.runTimeoutMs !== Infinity
  const deadline = isTimed ? (await loadDeadline()).deadlineOf(kit) : undefined
  if (deadline) request = { ...request, signal: deadline.signal }
  const base = request
  try {
    if (open) request = await (await loadReopenedRound()).reopenRound(kit, base, progress)
    for (;;) {
      if (!open) {
        request = await nextRound(kit, base, progress)
        const answer = await kit.next(request)
        progress = await recordRound(kit, progress, answer)
        open = progress.rounds.at(-1)!
        if (!(kit.options.eligible ?? hasToolCalls)(open))
          return await endWithAnswer(kit, progress, answer)
      }
      const batch = await runTools(kit, request, { progress, response: open })
      progress = await recordBatch(kit, progress, batch)
      open = undefined
      if (batch.pending)
        return await (await loadEarlyEndings()).suspend(kit, request, { progress, batch })
      if (batch.returnDirect)
        return await (await loadEarlyEndings()).endWithDirectResults(kit, progress, batch)
      const limit = await limitMet(kit, progress, batch)
      if (limit === 'stopWhen') return await (await loadEarlyEndings()).endWithStop(kit, progress)
      if (limit) return await (await loadEarlyEndings()).endWithLimit(kit, progress, limit)
    }
  } catch (error) {
    if (!deadline?.passed(error)) throw error
    return await (await loadEarlyEndings()).endWithTimeout(kit)
  } finally {
    deadline?.cancel()
  }
}

function checkManager(manager: ToolCallingManager): void {
  const { resolveToolDefinitions, executeToolCalls } = Object(
    manager,
  ) as Partial<ToolCallingManager>
  if (typeof resolveToolDefinitions === 'function' && typeof executeToolCalls === 'function') return
  throw new ConfigurationError(
    'invalid-option',
    'manager is an object with resolveToolDefinitions(options) and executeToolCalls(prompt, response, run).',
  )
}
