/**
 * The default manager. One batch is: prepare every call (find, parse, check, permit), then run what may
 * run, in parallel, and answer in call order.
 */
import { resolveTools } from '../tools/resolve-tools.ts'
import { executeBatch } from './execute-batch.ts'
import {
  managerSettings,
  type ManagerSettings,
  type ToolCallingManagerOptions,
} from './manager-options.ts'
import type { ToolCallingManager } from './tool-calling-manager.ts'

type ResolveToolDefinitions = ToolCallingManager['resolveToolDefinitions']

/** Those of default managers. They give what is offered, so a loop need not ask. */
const givesWhatIsOffered = new WeakSet<ResolveToolDefinitions>()

/** The default manager. */
export function toolCallingManager(options: ToolCallingManagerOptions = {}): ToolCallingManager {
  const settings = managerSettings(options)
  const resolveToolDefinitions: ResolveToolDefinitions = async (chatOptions) => {
    const { resolver, clock, limits } = settings
    const tools = await resolveTools(chatOptions, resolver, { clock, ms: limits.toolTimeoutMs })
    return tools.map((tool) => tool.definition)
  }
  givesWhatIsOffered.add(resolveToolDefinitions)
  return {
    settings,
    resolveToolDefinitions,
    executeToolCalls: (prompt, response, run = {}) =>
      executeBatch({ manager: settings, prompt, response, run }),
  }
}

let defaults: ManagerSettings | undefined

/** The settings of a manager; a custom manager may have none, and gets the defaults. */
export const settingsOf = (manager: ToolCallingManager): ManagerSettings =>
  manager.settings ?? (defaults ??= managerSettings())

/** Whether the model may see other definitions than those of the tools that a round offers. */
export const decidesWhatIsShown = ({ resolveToolDefinitions }: ToolCallingManager): boolean =>
  !givesWhatIsOffered.has(resolveToolDefinitions)

/** For a manager that wraps another and leaves this to it. */
export const definitionsOf = (manager: ToolCallingManager): ResolveToolDefinitions =>
  decidesWhatIsShown(manager)
    ? (options) => manager.resolveToolDefinitions(options)
    : manager.resolveToolDefinitions
