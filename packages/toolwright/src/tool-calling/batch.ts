/** A batch of calls under way: what every step of every call may look at. */
import type { Generation } from '../messages/chat-response.ts'
import type { Prompt } from '../model/chat-model.ts'
import type { Watcher } from '../observation/watcher.ts'
import type { DefaultToolContext } from '../tools/default-tool-context.ts'
import type { ToolCallback } from '../tools/tool-callback.ts'
import type { CallCounter } from './call-counter.ts'
import type { ManagerSettings } from './manager-settings.ts'
import type { ToolExecutionRun } from './tool-calling-manager.ts'

export interface BatchRequest {
  readonly settings: ManagerSettings
  readonly tools: readonly ToolCallback[]
  readonly prompt: Prompt
  readonly generation: Generation
  readonly run: ToolExecutionRun
}

export interface Batch extends BatchRequest {
  readonly toolsByName: ReadonlyMap<string, ToolCallback>
  readonly counter: CallCounter
  /** What the request gave for the tools, frozen. */
  readonly values: { readonly [key: string]: unknown }
  /** The contexts of running tools, to be told of an abort. */
  readonly running: Set<DefaultToolContext>
  readonly watcher: Watcher | undefined
}
