/** A client's options, normalised once; and the chain they make. Mistakes surface here, before any model is asked. */
import type { Advisor, NextAdvisor } from '../advisors/advisor.ts'
import { ORDER, UNWATCHING } from '../advisors/advisor.ts'
import { chainAdvisors, orderAdvisors } from '../advisors/advisor-chain.ts'
import type { MemoryAdvisor } from '../advisors/chat-memory-advisor.ts'
import { modelStep } from '../advisors/model-step.ts'
import type { StructuredOutput } from '../advisors/structured-output.ts'
import {
  isToolCallingAdvisor,
  toolCallingAdvisor,
  type ToolCallingAdvisor,
} from '../advisors/tool-calling-advisor.ts'
import type { ToolCallingAdvisorOptions } from '../advisors/tool-calling-options.ts'
import { ConfigurationError } from '../errors/errors.ts'
import { checkOptions } from '../internal/check-options.ts'
import type { ChatModel, ChatOptions } from '../model/chat-model.ts'
import {
  MANAGER_OPTIONS,
  type ManagerSettings,
  type ToolCallingManagerOptions,
} from '../tool-calling/manager-settings.ts'
import { settingsOf, toolCallingManager } from '../tool-calling/default-tool-calling-manager.ts'
import type { ToolCallingManager } from '../tool-calling/tool-calling-manager.ts'
import type { ToolCallbackResolver } from '../tools/tool-callback-resolver.ts'
import type { ToolRegistry } from '../tools/tool-registry.ts'
import { checkToolSources, type ToolSource } from '../tools/tool-source.ts'

export interface ChatClientOptions<
  Names extends string = string,
> extends ToolCallingManagerOptions {
  /** Finds tools by name. With a `toolRegistry({...})` the names are checked at compile time. */
  readonly resolver?: ToolCallbackResolver & Pick<ToolRegistry<Names>, '~names'>
  /** Said first in every request. */
  readonly system?: string
  /** Offered in every request that names no tools of its own. Shared by all users of the client: give request tools for anything private. */
  readonly tools?: readonly ToolSource[]
  /** The same, by name. */
  readonly toolNames?: readonly NoInfer<Names>[]
  /** For the tools only; request values win, key by key. */
  readonly toolContext?: { readonly [key: string]: unknown }
  readonly advisors?: readonly Advisor[]
  readonly options?: ChatOptions
  /** `false`: calls are returned unexecuted. An object: settings of the loop. */
  readonly toolCalling?: boolean | ToolCallingAdvisorOptions
  /** Runs the tool calls; its options then belong to it. */
  readonly manager?: ToolCallingManager
}

export const CLIENT_OPTIONS: readonly string[] = [
  'system', 'tools', 'toolNames', 'toolContext', 'advisors', 'options', 'toolCalling', 'manager', ...MANAGER_OPTIONS,
] // prettier-ignore

export interface ClientSettings {
  readonly model: ChatModel
  readonly given: ChatClientOptions
  readonly manager: ToolCallingManager
  /** For requests that change neither advisors nor the loop. */
  readonly chain: Chain
}

/** `inherited` runs the calls unless the options say otherwise. */
export function clientSettings(
  model: ChatModel,
  options: ChatClientOptions,
  inherited?: ToolCallingManager,
): ClientSettings {
  checkModel(model)
  checkOptions('ChatClient.create()', options, CLIENT_OPTIONS)
  checkToolSources(options.tools ?? [])
  const managerOptions = Object.fromEntries(
    Object.entries(options).filter(([key]) => isManagerOption(key)),
  )
  const named = Object.keys(managerOptions)
  if (options.manager && named.length > 0) {
    throw new ConfigurationError(
      'invalid-option',
      `Both manager and ${named.join(', ')} were given; give these to the manager.`,
    )
  }
  const manager = options.manager ?? inherited ?? toolCallingManager(managerOptions)
  const { advisors = [], toolCalling = true } = options
  return { model, given: options, manager, chain: buildChain(manager, { advisors, toolCalling }) }
}

const isManagerOption = (key: string): boolean =>
  (MANAGER_OPTIONS as readonly string[]).includes(key)

export const hasManagerOptions = (options: object): boolean =>
  Object.keys(options).some(isManagerOption)

function checkModel(model: unknown): void {
  const isModel =
    typeof model === 'object' && model !== null && 'call' in model && 'stream' in model
  if (!isModel)
    throw new ConfigurationError(
      'invalid-option',
      'ChatClient.create() takes a chat model first, e.g. openaiCompatible(...).',
    )
}

export interface Chain {
  readonly run: NextAdvisor
  /** Of whoever owns the loop. */
  readonly settings: ManagerSettings
  readonly streamToolCallResponses: boolean
  /** No advisor watches events pass. */
  readonly unwatched: boolean
}

export interface ChainOptions {
  readonly advisors: readonly Advisor[]
  readonly toolCalling: boolean | ToolCallingAdvisorOptions
  /** What the final answer must be. */
  readonly output?: StructuredOutput | undefined
}

/** The advisors in order, the loop among them unless switched off, the model at the end. */
export function buildChain(manager: ToolCallingManager, options: ChainOptions): Chain {
  const { advisors, toolCalling, output } = options
  const [given, ...more] = advisors.filter(isToolCallingAdvisor)
  if (more.length > 0 || (given && typeof toolCalling === 'object')) {
    const names = [given!, ...more].map(({ name, order }) => `${name} (order ${order})`)
    if (more.length === 0) names.push('the settings in toolCalling')
    throw new ConfigurationError(
      'two-tool-calling-advisors',
      `There is more than one tool-calling advisor: ${names.join(' and ')}.`,
    )
  }
  const owner = toolCalling === false ? undefined : loopOf(given, manager, options)
  // Equal orders keep insertion order: a given loop stays where it was given, an added one comes last.
  const placed = advisors.flatMap((each) => (each === given ? (owner ?? []) : each))
  const all: Advisor[] = owner && !given ? [...placed, owner] : [...placed]
  if (owner) all.unshift(...loopEnds(all, owner))
  const { manager: ownManager, streamToolCallResponses = false } = owner?.toolCalling ?? {}
  const settings = settingsOf(ownManager ?? manager)
  if (output) {
    // Inside the loop and every memory, wherever they stand: tool rounds and corrections are no answers.
    const orders = all.map((each) => (each === owner || 'memory' in each ? each.order : 0))
    const order = Math.max(ORDER.structuredOutput, ...orders)
    all.push(output.advisor({ order, rounds: settings.limits.rounds }))
  }
  return {
    run: chainAdvisors(orderAdvisors(all), modelStep(settings.ids)),
    settings,
    streamToolCallResponses,
    unwatched: all.every((each) => UNWATCHING in each),
  }
}

/** First, so that they stand outside a loop of the same order. */
const loopEnds = (advisors: readonly Advisor[], { order }: Advisor): readonly Advisor[] =>
  advisors.flatMap((each) =>
    each.order > order ? ((each as Partial<MemoryAdvisor>).loopEnd?.(order) ?? []) : [],
  )

function loopOf(
  given: ToolCallingAdvisor | undefined,
  manager: ToolCallingManager,
  { advisors, toolCalling }: ChainOptions,
): ToolCallingAdvisor {
  const own = given?.toolCalling ?? (typeof toolCalling === 'object' ? toolCalling : {})
  const order = given?.order ?? own.order ?? ORDER.toolCalling
  const innerMemory = advisors.some((each) => 'memory' in each && each.order > order)
  const { conversationHistory = given ? true : !innerMemory } = own
  if (!conversationHistory && !innerMemory) {
    throw new ConfigurationError(
      'history-without-memory',
      'conversationHistory is off, and no memory advisor stands inside the loop.',
    )
  }
  if (!given) return toolCallingAdvisor({ manager, ...own, conversationHistory })
  return own.manager ? given : given.withManager(manager)
}
