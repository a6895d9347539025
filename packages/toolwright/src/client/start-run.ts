/** From a request to a run that has not started: everything that can be wrong is found when it does. */
import { AdvisedRun, type AdvisedRunOptions } from './advised-run.ts'
import { buildChain, type Chain } from './client-settings.ts'
import type { RequestSpec } from './request-spec.ts'
import type { AdvisedRequest } from '../advisors/advisor.ts'
import type { StructuredOutput } from '../advisors/structured-output.ts'
import { ConfigurationError } from '../errors/errors.ts'
import type { Emit } from '../internal/while-running.ts'
import type { ChatEvent } from '../messages/chat-event.ts'
import type { Message } from '../messages/message.ts'
import { textOf } from '../messages/reading.ts'
import type { ChatModel, ChatOptions } from '../model/chat-model.ts'
import type { Durability } from '../ports/durability.ts'
import { watcherOf } from '../observation/watcher-of.ts'
import { resolveTools } from '../tools/resolve-tools.ts'
import type { ToolCallback } from '../tools/tool-callback.ts'

export function startRun(spec: RequestSpec, mode: 'call' | 'stream'): AdvisedRun {
  const plain = chainOf(spec)
  const start: AdvisedRunOptions['start'] = async (signal, sink, shape) => {
    const output = shape && (await shape)
    const chain = output ? chainOf(spec, output) : plain
    const direct = chain.unwatched ? sink : undefined
    const request = await requestOf(spec, chain, { mode, signal, sink: direct, tell: sink })
    const { context, runId } = request
    const loading = watcherOf(chain.settings, (event) => sink({ runId, ...event }))
    if (!loading) return { advice: chain.run(request), context, runId, watched: undefined }
    const watched = (await loading).client(request)
    return { advice: chain.run({ ...request, watched }), context, runId, watched }
  }
  return new AdvisedRun({
    start,
    streamToolCallResponses: plain.streamToolCallResponses,
    earlierText: () => spec.resume?.state.rounds.map(textOf).join('') ?? '',
    settings: plain.settings,
    ...(spec.signal && { signal: spec.signal }),
  })
}

function chainOf(
  { client, addedAdvisors, toolCalling, resume }: RequestSpec,
  output?: StructuredOutput,
): Chain {
  if (resume && toolCalling === false) {
    throw new ConfigurationError(
      'invalid-option',
      'toolCalling is false, and only the loop can go on with a suspended run.',
    )
  }
  const isPlain = addedAdvisors.length === 0 && toolCalling === client.given.toolCalling
  if (isPlain && !output) return client.chain
  const advisors = [...(client.given.advisors ?? []), ...addedAdvisors]
  return buildChain(client.manager, { advisors, toolCalling: toolCalling ?? true, output })
}

interface HowToRun {
  readonly mode: 'call' | 'stream'
  readonly signal: AbortSignal
  readonly sink: Emit | undefined
  /** Straight to the readers, whoever watches. */
  readonly tell: Emit
}

async function requestOf(spec: RequestSpec, chain: Chain, how: HowToRun): Promise<AdvisedRequest> {
  const { resume, client } = spec
  const tools = await toolsOf(spec, chain)
  if (resume) {
    const { openState } = await import('../tool-calling/suspension.ts')
    await openState(chain.settings, { ...resume, tools, conversation: spec.params.conversation })
  }
  const runId = resume?.state.runId ?? chain.settings.ids.next('run')
  const { durability } = chain.settings
  const usesTools = client.model.capabilities.tools !== false
  if (!usesTools && tools.length > 0) how.tell(toolsLeftOut(client.model, tools, runId))
  return {
    prompt: {
      messages: resume?.state.messages ?? messagesOf(spec),
      options: optionsOf(spec, usesTools ? tools : NO_TOOLS),
    },
    params: resume ? { ...spec.params, conversation: resume.state.conversation } : spec.params,
    context: { ...resume?.state.context },
    mode: how.mode,
    phase: resume ? 'resume' : 'start',
    // Always there, though undefined: copying with a change is fast only where no key is new.
    resume,
    sink: how.sink,
    watched: undefined,
    model: client.model,
    signal: how.signal,
    runId,
    round: resume ? resume.state.rounds.length : 1,
    step: ownSteps(runId, durability),
  }
}

/**
 * The steps of one run, each under a key of its own: an advisor that asks again takes another step. What
 * failed was not recorded, so trying it once more is the same step.
 */
function ownSteps(runId: string, durability: Durability): Durability['step'] {
  const taken = new Map<string, number>()
  return async (key, run) => {
    const times = taken.get(key) ?? 0
    const own = times === 0 ? key : `${key}#${times + 1}`
    const result = await durability.step(`${runId}/${own}`, run)
    taken.set(key, times + 1)
    return result
  }
}

function messagesOf(spec: RequestSpec): readonly Message[] {
  const messages: Message[] = []
  if (spec.system !== undefined) messages.push({ role: 'system', content: spec.system })
  spec.messages.forEach(checkMessage)
  messages.push(...spec.messages)
  if (spec.user !== undefined) messages.push({ role: 'user', content: spec.user })
  if (messages.every((message) => message.role === 'system')) {
    throw new ConfigurationError(
      'invalid-message',
      'There is nothing to ask: give .prompt(text), .user(text) or .messages(...).',
    )
  }
  return messages
}

const ROLES: readonly unknown[] = ['system', 'user', 'assistant', 'tool']

function checkMessage(message: unknown, index: number): void {
  const { role, content, responses } = (message ?? {}) as { readonly [key: string]: unknown }
  const inside = role === 'tool' ? responses : content
  if (ROLES.includes(role) && (typeof inside === 'string' || Array.isArray(inside))) return
  throw new ConfigurationError(
    'invalid-message',
    `messages[${index}] of role ${JSON.stringify(role)} is no message of role ${ROLES.join(', ')} with content.`,
  )
}

function toolsOf(spec: RequestSpec, chain: Chain): Promise<readonly ToolCallback[]> {
  const { given, model } = spec.client
  // The nearest that says something: the two fields are one.
  const chosen =
    [spec, spec.options, given, given.options ?? {}].find(
      ({ tools, toolNames }) => tools !== undefined || toolNames !== undefined,
    ) ?? model.options
  const tools =
    spec.addedTools.length > 0
      ? [...(chosen.tools ?? []), ...spec.addedTools]
      : (chosen.tools ?? NO_TOOLS)
  const toolNames = [...(chosen.toolNames ?? []), ...spec.addedToolNames]
  return resolveTools({ tools, toolNames }, chain.settings.resolver ?? model.resolver)
}

/** As in the seeds, a model that cannot use tools is asked without; here somebody is told. */
function toolsLeftOut(
  { model }: ChatModel,
  tools: readonly ToolCallback[],
  runId: string,
): ChatEvent {
  const names = tools.map(({ definition }) => definition.name)
  const message = `The model ${model} cannot use tools, so it was not offered: ${names.join(', ')}.`
  return { type: 'notice', code: 'tools-not-supported', message, data: { tools: names }, runId }
}

const NO_TOOLS: readonly ToolCallback[] = []

function optionsOf(spec: RequestSpec, tools: readonly ToolCallback[]): ChatOptions {
  const { given, model } = spec.client
  const merged: ChatOptions = { ...given.options, ...spec.options }
  const toolContext = {
    ...model.options.toolContext,
    ...given.options?.toolContext,
    ...given.toolContext,
    ...spec.options.toolContext,
    ...spec.toolContext,
  }
  const own = { tools, toolContext, toolNames: undefined }
  // Own keys first and last: first for speed, last because they win.
  return { internalToolExecution: undefined, ...own, ...merged, ...own }
}
