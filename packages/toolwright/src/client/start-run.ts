/** From a request to a run that has not started: everything that can be wrong is found when it does. */
import { AdvisedRun, type RunStart } from './advised-run.ts'
import { buildChain, type Chain } from './client-settings.ts'
import type { RequestSpec } from './request-spec.ts'
import type { AdvisedRequest } from '../advisors/advisor.ts'
import { ConfigurationError, ResumeError } from '../errors/errors.ts'
import { canonicalJson } from '../internal/canonical-json.ts'
import type { Json } from '../messages/json.ts'
import type { Message } from '../messages/message.ts'
import type { ChatOptions } from '../model/chat-model.ts'
import { openState } from '../tool-calling/suspension.ts'
import { resolveTools } from '../tools/resolve-tools.ts'
import type { ToolCallback } from '../tools/tool-callback.ts'

export function startRun(spec: RequestSpec, mode: 'call' | 'stream'): AdvisedRun {
  const chain = chainOf(spec)
  const start = async (signal: AbortSignal): Promise<RunStart> => {
    const request = await requestOf(spec, chain, { mode, signal })
    return { advice: chain.run(request), context: request.context, runId: request.runId }
  }
  return new AdvisedRun({
    start,
    streamToolCallResponses: chain.streamToolCallResponses,
    settings: chain.settings,
    ...(spec.signal && { signal: spec.signal }),
  })
}

function chainOf({ client, addedAdvisors, toolCalling }: RequestSpec): Chain {
  if (addedAdvisors.length === 0 && toolCalling === client.given.toolCalling) return client.chain
  const advisors = [...(client.given.advisors ?? []), ...addedAdvisors]
  return buildChain(client.manager, { advisors, toolCalling: toolCalling ?? true })
}

interface HowToRun {
  readonly mode: 'call' | 'stream'
  readonly signal: AbortSignal
}

async function requestOf(
  spec: RequestSpec,
  chain: Chain,
  { mode, signal }: HowToRun,
): Promise<AdvisedRequest> {
  const { resume, client } = spec
  const tools = await toolsOf(spec, chain)
  if (resume) await openState(chain.settings, { ...resume, tools })
  const runId = resume?.state.runId ?? chain.settings.ids.next('run')
  const { durability } = chain.settings
  return {
    prompt: {
      messages: resume?.state.messages ?? messagesOf(spec),
      options: optionsOf(spec, tools),
    },
    params: resume ? resumedParams(spec) : spec.params,
    context: { ...resume?.state.context },
    mode,
    phase: resume ? 'resume' : 'start',
    ...(resume && { resume }),
    model: client.model,
    signal,
    runId,
    round: resume ? resume.state.rounds.length : 1,
    step: (key, run) => durability.step(`${runId}/${key}`, run),
  }
}

function messagesOf(spec: RequestSpec): readonly Message[] {
  const messages: Message[] = []
  if (spec.system !== undefined) messages.push({ role: 'system', content: spec.system })
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

function toolsOf(spec: RequestSpec, chain: Chain): Promise<readonly ToolCallback[]> {
  const { given, model } = spec.client
  const own = spec.tools !== undefined || spec.toolNames !== undefined
  const prompted = own ? undefined : { ...given.options, ...spec.options }
  const defaults =
    given.tools || given.toolNames
      ? given
      : prompted?.tools || prompted?.toolNames
        ? prompted
        : model.options
  const chosen = own ? spec : defaults
  const tools =
    spec.addedTools.length > 0
      ? [...(chosen.tools ?? []), ...spec.addedTools]
      : (chosen.tools ?? NO_TOOLS)
  const toolNames = [...(chosen.toolNames ?? []), ...spec.addedToolNames]
  return resolveTools({ tools, toolNames }, chain.settings.resolver)
}

const NO_TOOLS: readonly ToolCallback[] = []

function optionsOf(spec: RequestSpec, tools: readonly ToolCallback[]): ChatOptions {
  const { given, model } = spec.client
  const { toolNames: _names, ...merged } = { ...given.options, ...spec.options }
  const toolContext = {
    ...model.options.toolContext,
    ...given.options?.toolContext,
    ...given.toolContext,
    ...spec.options.toolContext,
    ...spec.toolContext,
  }
  return { ...merged, tools, toolContext }
}

/** A run stays in its conversation. */
function resumedParams(spec: RequestSpec): RequestSpec['params'] {
  const { conversation } = spec.resume!.state
  const given: Json | undefined = spec.params.conversation
  if (given !== undefined && canonicalJson(given) !== canonicalJson(conversation ?? null)) {
    throw new ResumeError(
      'state-invalid',
      'The state belongs to another conversation than the request names.',
    )
  }
  return conversation === undefined ? spec.params : { ...spec.params, conversation }
}
