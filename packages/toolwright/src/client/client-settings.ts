/** A client's options, normalised once. Mistakes surface here, before any model is asked. */
import type { Advisor } from '../loop/advisor.ts'
import type { ToolCallingAdvisorOptions } from '../loop/tool-calling-options.ts'
import { ConfigurationError } from '../errors/errors.ts'
import { checkOptions } from '../internal/check-options.ts'
import { ANY, checkKinds, listOf, OBJECT, TEXT, TEXTS, type Kinds } from '../schema/option-kinds.ts'
import type { ChatModel, ChatOptions } from '../model/chat-model.ts'
import { checkedChatOptions } from '../model/check-chat-options.ts'
import {
  MANAGER_KINDS,
  MANAGER_OPTIONS,
  refuseManagerOptions,
  type ToolCallingManagerOptions,
} from '../tool-calling/manager-options.ts'
import { isObject } from '../schema/json-object.ts'
import { toolCallingManager } from '../tool-calling/default-tool-calling-manager.ts'
import type { ToolCallingManager } from '../tool-calling/tool-calling-manager.ts'
import type { ToolCallbackResolver } from '../tools/tool-callback-resolver.ts'
import type { ToolRegistry } from '../tools/tool-registry.ts'
import { flattenSources, type ToolSource } from '../tools/tool-source.ts'
import { buildChain, type Chain } from './build-chain.ts'

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
  /** What wraps every request: memory, logging, advisors of your own. */
  readonly advisors?: readonly Advisor[]
  /** Options of every request: temperature, tool choice and the like. A request's own win. */
  readonly options?: ChatOptions
  /** `false`: calls are returned unexecuted. An object: settings of the loop. */
  readonly toolCalling?: boolean | ToolCallingAdvisorOptions
  /** Runs the tool calls; its options then belong to it. */
  readonly manager?: ToolCallingManager
}

export const CLIENT_KINDS: Kinds<ChatClientOptions> = {
  system: TEXT,
  tools: ANY,
  toolNames: TEXTS,
  toolContext: OBJECT,
  advisors: /* @__PURE__ */ listOf('advisors', (x) => x !== undefined && x !== null),
  options: ANY,
  toolCalling: [
    'true, false or an object with settings of the loop',
    (x) => typeof x === 'boolean' || isObject(x),
  ],
  manager: ANY,
  ...MANAGER_KINDS,
}

export const CLIENT_OPTIONS: readonly string[] = /* @__PURE__ */ Object.keys(CLIENT_KINDS)

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
  checkKinds('ChatClient.create()', options, CLIENT_KINDS)
  const tools = options.tools && flattenSources(options.tools)
  const chatOptions = checkedChatOptions("the client's options", options.options)
  const managerOptions = Object.fromEntries(
    Object.entries(options).filter(([key]) => isManagerOption(key)),
  )
  refuseManagerOptions(options.manager, managerOptions)
  const manager = options.manager ?? inherited ?? toolCallingManager(managerOptions)
  const { advisors = [], toolCalling = true } = options
  const given: ChatClientOptions =
    tools || chatOptions
      ? { ...options, ...(tools && { tools }), ...(chatOptions && { options: chatOptions }) }
      : options
  return { model, given, manager, chain: buildChain(manager, { advisors, toolCalling }) }
}

const isManagerOption = (key: string): boolean =>
  (MANAGER_OPTIONS as readonly string[]).includes(key)

export const hasManagerOptions = (options: object): boolean =>
  Object.keys(options).some(isManagerOption)

function checkModel(model: unknown): void {
  const { call, stream } = Object(model) as Partial<ChatModel>
  if (typeof call !== 'function' || typeof stream !== 'function')
    throw new ConfigurationError(
      'invalid-option',
      'ChatClient.create() takes a chat model first, e.g. openaiCompatible(...).',
    )
}
