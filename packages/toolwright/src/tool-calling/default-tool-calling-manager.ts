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

/** The default manager. */
export function toolCallingManager(options: ToolCallingManagerOptions = {}): ToolCallingManager {
  const settings = managerSettings(options)
  return {
    settings,
    async resolveToolDefinitions(chatOptions) {
      const tools = await resolveTools(chatOptions, settings.resolver, {
        clock: settings.clock,
        ms: settings.limits.toolTimeoutMs,
      })
      return tools.map((tool) => tool.definition)
    },
    executeToolCalls: (prompt, response, run = {}) =>
      executeBatch({ manager: settings, prompt, response, run }),
  }
}

let defaults: ManagerSettings | undefined

/** The settings of a manager; a custom manager may have none, and gets the defaults. */
export const settingsOf = (manager: ToolCallingManager): ManagerSettings =>
  manager.settings ?? (defaults ??= managerSettings())
