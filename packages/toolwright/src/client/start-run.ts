/** From a request to a run that has not started: everything that can be wrong is found when it does. */
import { askedCapabilities } from '../model/asked-capabilities.ts'
import type { StructuredOutput } from '../advisors/structured-output.ts'
import { ConfigurationError } from '../errors/errors.ts'
import { notice, type Notice } from '../errors/notices.ts'
import { innerRunOf } from '../internal/inner-run.ts'
import { NONE } from '../internal/nothing.ts'
import type { Writable } from '../internal/writable.ts'
import type { Inside, InsideRequest } from '../loop/inside.ts'
import { LiveRun } from '../loop/live-run.ts'
import type { ChatEvent } from '../messages/chat-event.ts'
import type { ChatResponse } from '../messages/chat-response.ts'
import type { Message } from '../messages/message.ts'
import type { ChatOptions } from '../model/chat-model.ts'
import { isWatched, watcherOf } from '../observation/watcher-of.ts'
import { loadCheckResume, loadMessageFault, loadSuspension } from '../on-demand.ts'
import type { Durability } from '../ports/durability.ts'
import type { RunSettings } from '../run/run-settings.ts'
import { runSteps } from '../run/run-steps.ts'
import { unknownKeywords } from '../schema/input-schema.ts'
import { resolveTools } from '../tools/resolve-tools.ts'
import type { ToolCallback } from '../tools/tool-callback.ts'
import type { ToolDefinition } from '../tools/tool-definition.ts'
import { flattenSources } from '../tools/tool-source.ts'
import { AdvisedRun, type RunEnds, type RunPlan, type StartedRun } from './advised-run.ts'
import { buildChain, limitedChain, type Chain } from './build-chain.ts'
import { isMessage } from './is-message.ts'
import type { RequestSpec } from './request-spec.ts'
import { noteRun } from './unread-runs.ts'

export function startRun(spec: RequestSpec, mode: 'call' | 'stream'): AdvisedRun {
  const run = new AdvisedRun(new RequestPlan(spec, mode))
  noteRun(run, mode)
  return run
}

/** Rejects as the run would before anything is sent or runs. */
export async function checkRun(spec: RequestSpec): Promise<void> {
  const { resume, params, signal } = spec
  signal?.throwIfAborted()
  const chain = chainOf(spec)
  const tools = await toolsOf(spec, chain, { signal })
  if (!resume) {
    await refuseWrong(spec)
    messagesOf(spec)
    return
  }
  const { checkResume } = await loadCheckResume()
  const { conversation } = params
  await checkResume(chain.settings, { ...resume, tools, conversation }, signal)
}

/** Nothing where all are messages: whoever starts a run does not wait for it. */
function refuseWrong({ messages }: RequestSpec): Promise<never> | undefined {
  const wrong = messages.findIndex((message) => !isMessage(message))
  if (wrong < 0) return undefined
  return loadMessageFault().then(({ messageFault }) => {
    throw messageFault(messages[wrong], wrong)
  })
}

/** A class, because there is one for each run that waits. */
class RequestPlan implements RunPlan {
  readonly settings: RunSettings
  readonly streamToolCallResponses: boolean | undefined
  readonly signal: AbortSignal | undefined
  readonly #spec: RequestSpec
  readonly #mode: 'call' | 'stream'
  readonly #chain: Chain

  constructor(spec: RequestSpec, mode: 'call' | 'stream') {
    this.#spec = spec
    this.#mode = mode
    this.signal = spec.signal
    this.#chain = chainOf(spec)
    this.settings = this.#chain.settings
    this.streamToolCallResponses = this.#chain.streamToolCallResponses
  }

  earlierRounds(): readonly ChatResponse[] {
    return this.#spec.resume?.state.rounds ?? NONE
  }

  start(ends: RunEnds): Promise<StartedRun> {
    const starting = this.#begin(ends)
    if (!isWatched(this.settings)) return starting
    return starting.catch(async (thrown: unknown) => {
      await this.#tellUnstarted(ends, thrown)
      throw thrown
    })
  }

  /** A run that cannot begin, e.g. because a server of tools is down, is a failed run to observers and loggers. */
  async #tellUnstarted({ emit }: RunEnds, thrown: unknown): Promise<void> {
    const { client, params, messages, user } = this.#spec
    const runId = this.settings.ids.next('run')
    const watcher = await watcherOf(this.settings, (event) => emit({ runId, ...event }))
    const watched = watcher.client({
      prompt: { messages: user === undefined ? messages : [...messages, { role: 'user', content: user }] }, // prettier-ignore
      params,
      mode: this.#mode,
      phase: this.#spec.resume ? 'resume' : 'start',
      model: client.model,
      runId,
      round: 1,
    })
    watched.failed(thrown)
  }

  async #begin({ signal, emit, shape }: RunEnds): Promise<StartedRun> {
    const spec = this.#spec
    const { client } = spec
    const output = shape && (await shape)
    const chain = output ? chainOf(spec, output) : this.#chain
    const inner = innerRunOf<InnerRun>(spec.params)
    const settings = settingsIn(inner, chain)
    const notices: Notice[] = []
    const tools = await toolsOf(spec, chain, { signal, notices })
    const { conversation } = spec.params
    const resume =
      spec.resume &&
      (await (await loadSuspension()).openState(settings, { ...spec.resume, tools, conversation }))
    const refusing = refuseWrong(spec)
    if (refusing) await refusing
    const { durability, ids } = settings
    const runId = resume?.state.runId ?? (await nameOf(inner, durability)) ?? ids.next('run')
    for (const each of notices) emit({ ...each, runId })
    const options = optionsOf(spec, tools)
    const usesTools = askedCapabilities(client.model, options).tools !== false
    if (!usesTools && tools.length > 0)
      emit(toolsLeftOut(options.model ?? client.model.model, tools, runId))
    for (const { definition } of tools)
      if (unknownKeywords.has(definition.inputSchema)) emit(keywordsIgnored(definition, runId))
    const inside: Writable<Inside> = { settings, watched: undefined, tools, live: new LiveRun() }
    const request: InsideRequest = {
      prompt: {
        messages: resume?.state.messages ?? messagesOf(spec),
        options: usesTools ? options : optionsOf(spec, NONE),
      },
      params: resume ? { ...spec.params, conversation: resume.state.conversation } : spec.params,
      // Written to freely, and the state is nobody's to change.
      context: resume ? structuredClone(resume.state.context) : {},
      mode: this.#mode,
      phase: resume ? 'resume' : 'start',
      model: client.model,
      signal,
      runId,
      round: resume ? resume.state.rounds.length : 1,
      emit,
      step: runSteps(runId, durability),
      inside,
    }
    // Only where there is one: a key more costs every copy of a request that waits.
    const whole = resume ? { ...request, resume } : request
    if (isWatched(settings)) {
      const watcher = watcherOf(settings, (event) => emit({ runId, ...event }))
      inside.watched = (watcher instanceof Promise ? await watcher : watcher).client(whole)
    }
    return { request: whole, ask: chain.run }
  }
}

/** What a run is given by the run around it. */
export interface InnerRun {
  /** Where that one is durable: the steps of the inner run are steps of the outer one. */
  readonly durability?: Pick<Durability, 'step' | 'onUnknownOutcome'>
}

/** The settings of a run. One inside another that is durable has its steps there, also if it has a durability of its own. */
function settingsIn(inner: InnerRun | undefined, { settings }: Chain): RunSettings {
  if (!inner?.durability) return settings
  const { onUnknownOutcome = inner.durability.onUnknownOutcome } = settings.durability
  const { ids } = settings
  const { step } = inner.durability
  const runId = (): Promise<string> => step('run', async () => ids.next('run'))
  return { ...settings, durability: { step, runId, onUnknownOutcome } }
}

/** The durability of a client names the run around an inner one, whose steps would then be those of the other. */
const nameOf = async (
  inner: InnerRun | undefined,
  durability: Durability,
): Promise<string | undefined> => (inner && !inner.durability ? undefined : durability.runId?.())

function chainOf(
  { client, addedAdvisors, toolCalling, resume, limits }: RequestSpec,
  output?: StructuredOutput,
): Chain {
  if (resume && toolCalling === false) {
    throw new ConfigurationError(
      'invalid-option',
      'toolCalling is false, and only the loop can go on with a suspended run.',
    )
  }
  const isPlain = addedAdvisors.length === 0 && toolCalling === client.given.toolCalling
  if (isPlain && !output) return limits ? limitedChain(client.chain, limits) : client.chain
  const advisors = [...(client.given.advisors ?? []), ...addedAdvisors]
  return buildChain(client.manager, { advisors, toolCalling: toolCalling ?? true, output, limits })
}

function messagesOf(spec: RequestSpec): readonly Message[] {
  const { system, user } = spec
  const first: readonly Message[] =
    system === undefined ? NONE : [{ role: 'system', content: system }]
  const last: readonly Message[] = user === undefined ? NONE : [{ role: 'user', content: user }]
  const messages = first.concat(spec.messages, last)
  if (messages.every((message) => message.role === 'system')) {
    throw new ConfigurationError(
      'invalid-message',
      'There is nothing to ask: give .prompt(text), .user(text) or .messages(...).',
    )
  }
  return messages
}

interface AskingForTools {
  readonly signal?: AbortSignal | undefined
  /** What providers tell of their tools, for a run that has no name yet. */
  readonly notices?: Notice[]
}

/** The tools that a request offers: its own, or those of the nearest that names any. */
export function toolsOf(
  spec: RequestSpec,
  { settings }: Chain,
  { signal, notices }: AskingForTools = {},
): Promise<readonly ToolCallback[]> {
  const { given, model } = spec.client
  // The nearest that says something: the two fields are one.
  const chosen =
    [spec, spec.options, given, given.options ?? {}].find(
      ({ tools, toolNames }) => tools !== undefined || toolNames !== undefined,
    ) ??
    model.options ??
    {}
  const tools =
    spec.addedTools.length > 0
      ? [...flattenSources(chosen.tools ?? NONE), ...spec.addedTools]
      : (chosen.tools ?? NONE)
  const toolNames = [...(chosen.toolNames ?? []), ...spec.addedToolNames]
  const { clock, limits, resolver = model.resolver } = settings
  return resolveTools({ tools, toolNames }, resolver, {
    clock,
    ms: limits.toolTimeoutMs,
    signal,
    ...(notices && { notice: (...told) => void notices.push(notice(...told)) }),
  })
}

/** As in the seeds, a model that cannot use tools is asked without; here a notice says so. */
function toolsLeftOut(model: string, tools: readonly ToolCallback[], runId: string): ChatEvent {
  const names = tools.map(({ definition }) => definition.name)
  const message = `The model ${model} cannot use tools, so it was not offered: ${names.join(', ')}. promptedTools(model) gives it tools; if it has them, say so in its capabilities.`
  return { ...notice('tools-not-supported', message, { tools: names }), runId }
}

function keywordsIgnored({ name, inputSchema }: ToolDefinition, runId: string): ChatEvent {
  const keywords = unknownKeywords.get(inputSchema)!
  const message = `The schema of tool "${name}" has keywords that are not checked: ${keywords.join(', ')}.`
  return { ...notice('unknown-keywords', message, { tool: name, keywords }), runId }
}

function optionsOf(spec: RequestSpec, tools: readonly ToolCallback[]): ChatOptions {
  const { given, model } = spec.client
  const merged: ChatOptions = { ...given.options, ...spec.options }
  // Frozen here, so that a batch need not copy it to hand it to its tools.
  const toolContext = Object.freeze({
    ...model.options?.toolContext,
    ...given.options?.toolContext,
    ...given.toolContext,
    ...spec.options.toolContext,
    ...spec.toolContext,
  })
  const own = { tools, toolContext, toolNames: undefined }
  // These keys stand first for speed, and again last because they win.
  return { internalToolExecution: undefined, ...own, ...merged, ...own }
}
