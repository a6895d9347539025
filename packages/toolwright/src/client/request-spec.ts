/** What a request holds: plain, immutable. */
import type { Advisor } from '../loop/advisor.ts'
import type { Json } from '../messages/json.ts'
import type { Message, UserPart } from '../messages/message.ts'
import type { Decisions, RunState } from '../messages/run-state.ts'
import type { ChatOptions } from '../model/chat-model.ts'
import type { Limits } from '../run/limits.ts'
import type { ToolSource } from '../tools/tool-source.ts'
import type { ChatClientOptions, ClientSettings } from './client-settings.ts'

export interface RequestSpec {
  readonly client: ClientSettings
  readonly system?: string
  readonly messages: readonly Message[]
  readonly user?: string | readonly UserPart[]
  /** What gave the user's words. */
  readonly saidBy?: 'prompt()' | '.user()'
  readonly options: ChatOptions
  /** Undefined: the client's defaults. */
  readonly tools?: readonly ToolSource[]
  readonly toolNames?: readonly string[]
  readonly addedTools: readonly ToolSource[]
  readonly addedToolNames: readonly string[]
  readonly toolContext: { readonly [key: string]: unknown }
  /** Besides the client's. */
  readonly addedAdvisors: readonly Advisor[]
  readonly params: { readonly [key: string]: unknown; readonly conversation?: Json }
  readonly signal?: AbortSignal
  readonly toolCalling: ChatClientOptions['toolCalling']
  /** Instead of the client's; the others stay. */
  readonly limits?: Partial<Limits>
  readonly resume?: { readonly state: RunState; readonly decisions: Decisions }
}
