/**
 * A loop whose manager decides what the model sees: each round sends the definitions that
 * `resolveToolDefinitions` gives, and a tool that it left out is not run either. Loaded for managers of a
 * program's own; the default shows what is offered, so no loop asks it.
 */
import { askedCapabilities } from '../model/asked-capabilities.ts'
import { ConfigurationError } from '../errors/errors.ts'
import { toolCallsOf } from '../messages/reading.ts'
import type { ToolCall, ToolResponse } from '../messages/message.ts'
import { noToolCalled } from '../tool-calling/check-call.ts'
import type { ToolCallingManager } from '../tool-calling/tool-calling-manager.ts'
import { resolveTools } from '../tools/resolve-tools.ts'
import type { ToolCallback } from '../tools/tool-callback.ts'
import type { ToolDefinition } from '../tools/tool-definition.ts'
import { DEFAULT_METADATA } from '../tools/tool-metadata.ts'
import type { AdvisedRequest } from './advisor.ts'
import type { Loop } from './loop-steps.ts'

type Tools = readonly ToolCallback[]

export function offeredByManager(kit: Loop): Loop {
  const { manager, next } = kit
  /** What the round under way offers, and what of it the model sees. A resumed run begins after both. */
  let round: { readonly offered: Tools; readonly shown: Tools } | undefined
  return {
    ...kit,
    async next(request) {
      const { model, prompt } = request
      if (askedCapabilities(model, prompt.options).tools === false) return next(request)
      const offered = await resolveTools(prompt.options ?? {}, manager.settings?.resolver)
      const definitions = await manager.resolveToolDefinitions(prompt.options ?? {})
      const shown = await toolsShown(definitions, offered, round?.shown)
      round = { offered, shown }
      return next(shown === offered ? request : withTools(request, shown))
    },
    manager: {
      ...(manager.settings && { settings: manager.settings }),
      resolveToolDefinitions: (options) => manager.resolveToolDefinitions(options),
      executeToolCalls(prompt, response, run = {}) {
        const hidden = round
          ? toolCallsOf(response).filter(({ name }) => isHidden(name, round!))
          : []
        if (hidden.length === 0) return manager.executeToolCalls(prompt, response, run)
        const refusals = hidden.map((call) => refusal(call, round!.shown))
        for (const [index, toolCall] of hidden.entries())
          run.emit?.({ type: 'tool-result', toolCall, response: refusals[index]! })
        const answered = [...(run.answered ?? []), ...refusals]
        return manager.executeToolCalls(prompt, response, { ...run, answered })
      },
    } satisfies ToolCallingManager,
  }
}

/** The tools as the model is to see them. The same list where nothing changed: adapters know lists by what they are. */
async function toolsShown(
  definitions: readonly ToolDefinition[],
  offered: Tools,
  before: Tools = offered,
): Promise<Tools> {
  if (!Array.isArray(definitions))
    throw new ConfigurationError(
      'invalid-option',
      'resolveToolDefinitions() of the manager gave no list of definitions.',
    )
  const shows = (tools: Tools): boolean =>
    tools.length === definitions.length &&
    tools.every(({ definition }, index) => isSame(definition, definitions[index]!))
  if (shows(offered)) return offered
  if (shows(before)) return before
  const tools = definitions.map((definition) => toolShown(definition, offered))
  return resolveTools({ tools }, undefined)
}

function toolShown(definition: ToolDefinition, offered: Tools): ToolCallback {
  const tool = offered.find((each) => each.definition.name === definition.name)
  if (tool && isSame(tool.definition, definition)) return tool
  const { name } = definition
  return {
    definition,
    metadata: tool?.metadata ?? DEFAULT_METADATA,
    call: async (input, context) => {
      if (tool) return tool.call(input, context)
      throw new ConfigurationError('unknown-tool-name', `Only the manager can run "${name}".`)
    },
  }
}

/** Also of a copy: managers that change definitions make new ones in every round. */
function isSame(one: ToolDefinition, other: ToolDefinition): boolean {
  const fields = Object.entries(one) as [keyof ToolDefinition, unknown][]
  return (
    fields.length === Object.keys(other).length &&
    fields.every(([name, value]) => other[name] === value)
  )
}

const withTools = (request: AdvisedRequest, tools: Tools): AdvisedRequest => ({
  ...request,
  prompt: { ...request.prompt, options: { ...request.prompt.options, tools } },
})

/** A name that nobody offered is not hidden: the manager may know it, and says so if it does not. */
const isHidden = (name: string, { offered, shown }: { readonly [list: string]: Tools }): boolean =>
  hasTool(offered!, name) && !hasTool(shown!, name)

const hasTool = (tools: Tools, name: string): boolean =>
  tools.some(({ definition }) => definition.name === name)

const refusal = ({ id, name }: ToolCall, shown: Tools): ToolResponse => ({
  id,
  name,
  content: `Not run: ${noToolCalled(
    name,
    shown.map(({ definition }) => definition.name),
  )}`,
  isError: true,
})
