/** A run's input as a request to its client, and the request's run with everything that it tells. */
import {
  checkOptions,
  ConfigurationError,
  type Advisor,
  type ChatClient,
  type ChatEvent,
  type ChatOptions,
  type ChatRequest,
  type Decisions,
  type RunResult,
  type RunState,
} from 'toolwright'
import type { DurableInput } from '../durable-run.ts'

const INPUT_OPTIONS = [
  'prompt', 'system', 'conversation', 'toolContext', 'options', 'params', 'stream',
] // prettier-ignore

const MODEL_OPTIONS: { readonly [name in keyof NonNullable<DurableInput['options']>]-?: true } = {
  model: true, temperature: true, topP: true, topK: true, maxTokens: true, stopSequences: true, seed: true,
  outputSchema: true, providerOptions: true, toolNames: true, toolChoice: true, parallelToolCalls: true,
  deferredTools: true, internalToolExecution: true,
} // prettier-ignore

/** What a request takes, and a run that any worker goes on with does not. */
const ELSEWHERE: { readonly [name: string]: string } = {
  tools: 'tools are those of the client, or named by options.toolNames',
  toolContext: 'give toolContext beside options',
}

export interface Resumed {
  readonly state: RunState
  readonly decisions: Decisions
}

/** Throws for an input that no run could begin with. */
export function requestOf(client: ChatClient, input: DurableInput, resumed?: Resumed): ChatRequest {
  checkOptions('start()', input ?? null, INPUT_OPTIONS)
  const { prompt, system, conversation, toolContext, options, params = {}, stream = true } = input
  if (typeof stream !== 'boolean')
    throw new ConfigurationError('invalid-option', 'stream is true or false.')
  if (typeof prompt !== 'string' && !Array.isArray(prompt))
    throw new ConfigurationError(
      'invalid-message',
      'start() needs a prompt: a text, or messages that end with the words of the user.',
    )
  if (typeof params !== 'object' || params === null)
    throw new ConfigurationError('invalid-option', 'params is an object of values by name.')
  let request = resumed ? client.resume(resumed.state, resumed.decisions) : client.prompt(prompt)
  if (system !== undefined && !resumed) request = request.system(system)
  if (conversation !== undefined) request = request.conversation(conversation)
  if (toolContext !== undefined) request = request.toolContext(toolContext as Values)
  if (options !== undefined) request = request.options(checkedOptions(options))
  for (const [key, value] of Object.entries(params) as [string, unknown][])
    request = request.param(key, value)
  return request
}

interface Values {
  readonly [key: string]: unknown
}

function checkedOptions(options: NonNullable<DurableInput['options']>): ChatOptions {
  for (const name of Object.keys(Object(options) as object))
    if (Object.hasOwn(ELSEWHERE, name))
      throw new ConfigurationError(
        'unknown-option',
        `options of start() has no option "${name}": ${ELSEWHERE[name]}.`,
      )
  checkOptions('options of start()', options, Object.keys(MODEL_OPTIONS))
  return options
}

/** Runs the request, and tells everything that happens. */
export async function runRequest(
  request: ChatRequest,
  { stream = true }: DurableInput,
  tell: (event: ChatEvent) => void,
): Promise<RunResult> {
  if (stream) {
    const run = request.stream()
    for await (const event of run.events()) tell(event)
    return run.result()
  }
  const result = await request.advisors(teller(tell)).call().result()
  const { response, rounds } = result
  tell({ type: 'response', response, round: rounds.length })
  return result
}

/** A call has no events of its own, so the outermost advisor passes them on. */
const teller = (tell: (event: ChatEvent) => void): Advisor => ({
  name: 'durable-events',
  order: 0,
  advise: (request, next) =>
    next({
      ...request,
      emit(event) {
        tell(event)
        request.emit(event)
      },
    }),
})
