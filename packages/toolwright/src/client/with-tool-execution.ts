/**
 * A model that runs its tool calls itself, as those of Spring AI 1.x did: for programs that ask a model
 * without a client. It drives the one loop there is (docs/decisions/0002); the client's own loop switches it
 * off with `internalToolExecution: false`, so that no call runs twice.
 */
import { RunSuspendedError } from '../errors/errors.ts'
import { checkOptions } from '../internal/check-options.ts'
import { checkKinds, FUNCTION } from '../schema/option-kinds.ts'
import { NONE } from '../internal/nothing.ts'
import { chainAdvisors } from '../loop/advisor-chain.ts'
import { modelStep } from '../loop/model-step.ts'
import { toolCallingAdvisor } from '../loop/tool-calling-advisor.ts'
import type { InsideRequest } from '../loop/inside.ts'
import { LiveRun } from '../loop/live-run.ts'
import type { ChatEvent } from '../messages/chat-event.ts'
import type { ChatResponse } from '../messages/chat-response.ts'
import { hasToolCalls } from '../messages/reading.ts'
import type { ChatModel, ChatOptions, ModelRun, Prompt } from '../model/chat-model.ts'
import { mergeOptions } from '../model/merge-options.ts'
import { RUNS_TOOLS } from '../model/runs-tools.ts'
import { runSteps } from '../run/run-steps.ts'
import { settingsOf, toolCallingManager } from '../tool-calling/default-tool-calling-manager.ts'
import {
  MANAGER_KINDS,
  MANAGER_OPTIONS,
  refuseManagerOptions,
  type ToolCallingManagerOptions,
} from '../tool-calling/manager-options.ts'
import type { ToolCallingManager } from '../tool-calling/tool-calling-manager.ts'
import { resolveTools } from '../tools/resolve-tools.ts'
import { AdvisedRun, type RunEnds, type RunResult } from './advised-run.ts'

export interface ToolExecutionOptions extends ToolCallingManagerOptions {
  /** Decides what the model sees, and runs its calls; the other options of a manager then belong to it. */
  readonly manager?: ToolCallingManager
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
  checkOptions('withToolExecution()', options, ['manager', ...MANAGER_OPTIONS, 'eligible'])
  checkKinds('withToolExecution()', options, { ...MANAGER_KINDS, eligible: FUNCTION })
  const { eligible = () => true, manager: given, ...managerOptions } = options
  refuseManagerOptions(given, managerOptions)
  const manager = given ?? toolCallingManager({ resolver: model.resolver, ...managerOptions })
  const kit: Kit = { model, manager, eligible }
  const wrapped: ChatModel & { readonly [RUNS_TOOLS]: true } = {
    [RUNS_TOOLS]: true,
    provider: model.provider,
    model: model.model,
    ...(model.server && { server: model.server }),
    capabilities: model.capabilities,
    ...(model.capabilitiesOf && { capabilitiesOf: (name) => model.capabilitiesOf!(name) }),
    options: model.options,
    resolver: settingsOf(manager).resolver ?? model.resolver,
    async call(given, run = {}) {
      const prompt = withModelOptions(model, given)
      if (!isRunHere(prompt)) return model.call(given, run)
      const execution = executionOf(kit, prompt, { mode: 'call', run })
      const { emit } = run
      if (emit) for await (const event of execution.read()) if (event.type === 'notice') emit(event)
      return answerOf(await execution.result())
    },
    stream(given, run = {}) {
      const prompt = withModelOptions(model, given)
      if (!isRunHere(prompt)) return model.stream(given, run)
      return shown(executionOf(kit, prompt, { mode: 'stream', run }))
    },
  }
  return wrapped
}

interface Kit {
  readonly model: ChatModel
  readonly manager: ToolCallingManager
  readonly eligible: NonNullable<ToolExecutionOptions['eligible']>
}

const withModelOptions = (model: ChatModel, prompt: Prompt): Prompt => ({
  ...prompt,
  options: mergeOptions(model.options ?? {}, prompt.options),
})

const isRunHere = ({ options }: Prompt): boolean => options?.internalToolExecution !== false

interface HowToRun {
  readonly mode: 'call' | 'stream'
  readonly run: ModelRun
}

function executionOf(kit: Kit, prompt: Prompt, { mode, run }: HowToRun): AdvisedRun {
  const { manager, eligible } = kit
  const settings = settingsOf(manager)
  const loop = toolCallingAdvisor({
    manager,
    eligible: (response) => hasToolCalls(response) && eligible(prompt.options ?? {}, response),
  })
  const ask = chainAdvisors([loop], modelStep(settings.ids))
  return new AdvisedRun({
    start: async (ends) => ({ request: await requestOf(kit, prompt, { ...ends, mode }), ask }),
    streamToolCallResponses: undefined,
    earlierRounds: () => NONE,
    settings,
    signal: run.signal,
  })
}

async function requestOf(
  { model, manager }: Kit,
  prompt: Prompt,
  { mode, signal, emit }: RunEnds & Pick<HowToRun, 'mode'>,
): Promise<InsideRequest> {
  const settings = settingsOf(manager)
  const { options = {} } = prompt
  const { clock, limits, resolver = model.resolver } = settings
  const tools = await resolveTools(options, resolver, { clock, ms: limits.toolTimeoutMs, signal })
  const { durability, ids } = settings
  const runId = (durability.runId && (await durability.runId())) ?? ids.next('run')
  return {
    prompt: { ...prompt, options: { ...options, tools, toolNames: undefined } },
    params: {},
    context: {},
    mode,
    phase: 'start',
    resume: undefined,
    model,
    signal,
    runId,
    round: 1,
    emit,
    step: runSteps(runId, durability),
    inside: { settings, watched: undefined, tools, live: new LiveRun() },
  }
}

/** The answer of a run that has one: a bare model has nowhere to keep a run that waits. */
function answerOf(result: RunResult): ChatResponse {
  if (result.pending) throw new RunSuspendedError(result)
  return result.response
}

/** The events of a model: the one `response` tells where the rounds and the run end. */
async function* shown(execution: AdvisedRun): AsyncGenerator<ChatEvent, void> {
  for await (const event of execution.read()) {
    if (event.type === 'response') answerOf(await execution.result())
    if (event.type !== 'round-end' && event.type !== 'suspended') yield event
  }
}
