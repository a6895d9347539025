/**
 * A model that runs its tool calls itself, as those of Spring AI 1.x did: for programs that ask a model
 * without a client. It drives the one loop there is (docs/decisions/0002); the client's own loop switches it
 * off with `internalToolExecution: false`, so that no call runs twice.
 */
import { RunAbandonedError, RunSuspendedError } from '../errors/errors.ts'
import { checkOptions } from '../internal/check-options.ts'
import { Aborter, follow, untilAborted } from '../internal/on-abort.ts'
import type { Emit } from '../internal/while-running.ts'
import type { ChatEvent } from '../messages/chat-event.ts'
import type { ChatResponse } from '../messages/chat-response.ts'
import { hasToolCalls } from '../messages/reading.ts'
import type { ChatModel, ChatOptions, ModelRun, Prompt } from '../model/chat-model.ts'
import { mergeOptions } from '../model/merge-options.ts'
import { RUNS_TOOLS } from '../model/runs-tools.ts'
import { settingsOf, toolCallingManager } from '../tool-calling/default-tool-calling-manager.ts'
import {
  MANAGER_OPTIONS,
  type ToolCallingManagerOptions,
} from '../tool-calling/manager-settings.ts'
import type { ToolCallingManager } from '../tool-calling/tool-calling-manager.ts'
import { resolveTools } from '../tools/resolve-tools.ts'
import type { AdvisedRequest } from './advisor.ts'
import { modelStep } from './model-step.ts'
import { toolCallingAdvisor } from './tool-calling-advisor.ts'

export interface ToolExecutionOptions extends ToolCallingManagerOptions {
  /** Whether the calls of this response are to be run; `options` are the model's, overlaid by the prompt's. Default: yes. */
  readonly eligible?: (options: ChatOptions, response: ChatResponse) => boolean
}

/**
 * The same model, its tool calls run until there is an answer. Usage is the sum over all rounds, limits end it
 * with finish reason `limit`, and direct results with `return-direct`. `internalToolExecution: false`, in the
 * prompt's options or the model's own, returns the calls unexecuted.
 *
 * A stream shows every round, and what the tools did; its `response` is the last answer. A call that has to
 * wait for somebody rejects with `RunSuspendedError`: a `ChatClient` with the same tools and `stateSecret` can
 * resume its `result.state`.
 *
 * @example
 * const model = withToolExecution(openaiCompatible('qwen3', { baseUrl }), { limits: { rounds: 5 } })
 * const response = await model.call({ messages, options: { tools: [weather] } })
 */
export function withToolExecution(model: ChatModel, options: ToolExecutionOptions = {}): ChatModel {
  checkOptions('withToolExecution()', options, [...MANAGER_OPTIONS, 'eligible'])
  const { eligible = () => true, ...managerOptions } = options
  const manager = toolCallingManager({ resolver: model.resolver, ...managerOptions })
  const kit: Kit = { model, manager, eligible }
  const wrapped: ChatModel & { readonly [RUNS_TOOLS]: true } = {
    [RUNS_TOOLS]: true,
    provider: model.provider,
    model: model.model,
    capabilities: model.capabilities,
    options: model.options,
    resolver: settingsOf(manager).resolver,
    async call(prompt, run = {}) {
      const merged = mergeOptions(model.options, prompt.options)
      if (merged.internalToolExecution === false) return model.call(prompt, run)
      const tell: Emit = (event) => void (event.type === 'notice' && run.emit?.(event))
      const events = execution(kit, { ...prompt, options: merged }, { run, sink: tell })
      for (;;) {
        const step = await events.next()
        if (step.done) return step.value
      }
    },
    stream(prompt, run = {}) {
      const merged = mergeOptions(model.options, prompt.options)
      return merged.internalToolExecution === false
        ? model.stream(prompt, run)
        : shown(execution(kit, { ...prompt, options: merged }, { run }))
    },
  }
  return wrapped
}

interface Kit {
  readonly model: ChatModel
  readonly manager: ToolCallingManager
  readonly eligible: NonNullable<ToolExecutionOptions['eligible']>
}

interface HowToRun {
  readonly run: ModelRun
  /** For a call: takes what happens on the way. */
  readonly sink?: Emit
}

type Execution = AsyncGenerator<ChatEvent, ChatResponse>

async function* execution(kit: Kit, prompt: Prompt, { run, sink }: HowToRun): Execution {
  const own = new Aborter()
  const unfollow = run.signal && follow(run.signal, (reason) => own.abort(reason))
  let isOver = false
  try {
    const request = await requestOf(kit, prompt, own.signal)
    const { options = {} } = prompt
    const loop = toolCallingAdvisor({
      manager: kit.manager,
      eligible: (response) => hasToolCalls(response) && kit.eligible(options, response),
    })
    const ask = modelStep(settingsOf(kit.manager).ids)
    const mode = sink ? 'call' : 'stream'
    const answer = yield* loop.advise({ ...request, mode, sink }, ask)
    isOver = true
    // A bare model has nowhere to keep a run that waits.
    if (answer.pending) throw new RunSuspendedError({ status: 'suspended', ...answer })
    return answer.response
  } finally {
    unfollow?.()
    if (!isOver) own.abort(new RunAbandonedError())
  }
}

/** What a client would have made of the prompt. */
async function requestOf(
  { model, manager }: Kit,
  prompt: Prompt,
  signal: AbortSignal,
): Promise<AdvisedRequest> {
  const { resolver, ids, durability } = settingsOf(manager)
  const { options = {} } = prompt
  const tools = await untilAborted(signal, () => resolveTools(options, resolver))
  const runId = ids.next('run')
  return {
    prompt: { ...prompt, options: { ...options, tools, toolNames: undefined } },
    params: {},
    context: {},
    mode: 'call',
    phase: 'start',
    resume: undefined,
    model,
    signal,
    runId,
    round: 1,
    sink: undefined,
    step: (key, work) => durability.step(`${runId}/${key}`, work),
  }
}

/** The events of a model: where a round or the run ends is told by the one `response`. */
async function* shown(events: Execution): AsyncGenerator<ChatEvent, void> {
  try {
    for (;;) {
      const step = await events.next()
      if (step.done) return yield { type: 'response', response: step.value }
      if (step.value.type !== 'round-end' && step.value.type !== 'suspended') yield step.value
    }
  } finally {
    await events.return(undefined as never)
  }
}
