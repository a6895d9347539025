/** The settings of one request, as a language model of the AI SDK takes them. */
import {
  ConfigurationError,
  type ChatOptions,
  type Json,
  type Message,
  type ToolChoice,
  type ToolDefinition,
} from 'toolwright'
import { OWN, sentOptions } from './own-data.ts'
import { received } from './received.ts'
import type {
  SentFunctionTool,
  SentJson,
  SentOptions,
  SentSchema,
  SentTool,
  SentToolChoice,
  SpecVersion,
} from './sent-types.ts'
import type { Specification } from './specification.ts'
import { toPrompt, type PromptSettings } from './to-prompt.ts'

export interface Question {
  readonly messages: readonly Message[]
  /** The prompt's over the model's own. */
  readonly options: ChatOptions
  readonly tools: readonly ToolDefinition[]
}

/**
 * What is in `providerOptions.aiSdk` goes through as it is: settings that only the AI SDK has, such as
 * `presencePenalty` or `reasoning`. Its `tools` are tools of the provider, beside ours.
 */
export function toCallOptions<V extends SpecVersion>(
  settings: PromptSettings<V>,
  { messages, options, tools }: Question,
): SentOptions<V> {
  const { tools: theirs, ...own } = options.providerOptions?.[OWN] ?? {}
  const { [OWN]: _own, ...providerOptions } = options.providerOptions ?? {}
  return {
    prompt: toPrompt(settings, messages),
    ...parameters(options),
    ...toolSettings(settings.spec, options, [
      ...tools.map((tool) => toolOf(settings.spec, tool)),
      ...(Array.isArray(theirs) ? theirs : []).map((tool: Json) =>
        providerTool(settings.spec, tool),
      ),
    ]),
    ...sentOptions({ providerOptions }),
    ...own,
  }
}

function parameters(options: ChatOptions): Partial<SentOptions<never>> {
  const { maxTokens, temperature, topP, topK, seed, stopSequences, outputSchema } = options
  return {
    ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(topK !== undefined && { topK }),
    ...(seed !== undefined && { seed }),
    ...(stopSequences !== undefined && { stopSequences: [...stopSequences] }),
    ...(outputSchema !== undefined && {
      responseFormat: { type: 'json', schema: outputSchema as SentSchema, name: 'answer' },
    }),
  }
}

/** Without tools, servers refuse what is said about them. */
function toolSettings<V extends SpecVersion>(
  _spec: Specification<V>,
  { toolChoice }: ChatOptions,
  tools: SentTool<V>[],
): Pick<SentOptions<V>, 'tools' | 'toolChoice'> {
  if (tools.length === 0) return {}
  return { tools, ...(toolChoice !== undefined && { toolChoice: choiceOf(toolChoice) }) }
}

const choiceOf = (choice: ToolChoice): SentToolChoice =>
  typeof choice === 'string' ? { type: choice } : { type: 'tool', toolName: choice.tool }

/** A tool whose `providerOptions.aiSdk` has the id of a provider's tool stands for it, and runs its calls here. */
function toolOf<V extends SpecVersion>(
  spec: Specification<V>,
  definition: ToolDefinition,
): SentTool<V> {
  const { name, description, inputSchema, inputExamples = [], providerOptions } = definition
  const own = providerOptions?.[OWN]
  if (own?.id !== undefined) return providerTool(spec, { name, ...own })
  const tool: SentFunctionTool = {
    type: 'function',
    name,
    description,
    inputSchema: inputSchema as SentSchema,
    ...sentOptions({ providerOptions }),
  }
  const examples = inputExamples.map((input) => ({ input: input as SentJson }))
  const hasExamples = spec.takesInputExamples && examples.length > 0
  return { ...tool, ...(hasExamples && { inputExamples: examples }) } as SentTool<V>
}

function providerTool<V extends SpecVersion>(spec: Specification<V>, given: Json): SentTool<V> {
  const { id, name, args } = received(given)
  if (typeof id !== 'string' || !id.includes('.'))
    throw new ConfigurationError(
      'invalid-option',
      `A tool in providerOptions.${OWN}.tools needs an id such as "openai.web_search"; it has ${JSON.stringify(id)}.`,
    )
  const called = typeof name === 'string' ? name : id.slice(id.indexOf('.') + 1)
  return { type: spec.providerTool, id, name: called, args: received(args) } as SentTool<V>
}
