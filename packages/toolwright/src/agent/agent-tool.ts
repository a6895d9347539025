/**
 * An agent as a tool: it gets a prompt and gives its output. What its calls wait for becomes a question of the run
 * around it, like that of a client that is a tool.
 */
import { RunSuspendedError } from '../errors/errors.ts'
import type { ChatEvent } from '../messages/chat-event.ts'
import type { Json } from '../messages/json.ts'
import type { Label } from '../messages/message.ts'
import type { Decisions, RunState } from '../messages/run-state.ts'
import { runContextOf } from '../tools/default-tool-context.ts'
import type { ToolCallback } from '../tools/tool-callback.ts'
import type { ToolContext } from '../tools/tool-context.ts'
import { PROMPT_INPUT } from '../tools/prompt-input.ts'
import { toolRunOf } from '../tools/tool-run.ts'
import { tool, type SchemaSource, type ToolOptions } from '../tools/tool.ts'
import type { AgentConfig, OutputSource } from './agent-config.ts'
import type { AgentMessage } from './agent-message.ts'
import { runTask } from './run-agent.ts'

/** What `tool()` takes, but for what makes it an agent. `timeoutMs` is unlimited by default: the agent has limits of its own. */
export type AgentToolOptions = Omit<
  ToolOptions<{ readonly prompt: string }, unknown, { readonly [key: string]: unknown }>,
  'input' | 'output' | 'execute'
> & {
  /** What a model calls it. */
  readonly name: string
  /** What this agent is good at, for the model that may ask it. */
  readonly description: string
  /** The schema of what it gives. Default: none. */
  readonly output?: OutputSource
  /** Stands before the prompt: tools, data, texts. */
  readonly messages?: readonly AgentMessage[]
}

/**
 * Offers an agent as a tool of a chat client, of another agent, or of a server.
 *
 * @example
 * const planner = agentTool({ model }, { name: 'plan', description: 'Plans trips', output: z.object({ days: z.array(z.string()) }) })
 * await ChatClient.create(model).prompt('Three days in Oslo').tools(planner).call().content()
 */
export function agentTool(config: AgentConfig, options: AgentToolOptions): ToolCallback {
  const { output, messages = [], ...settings } = options
  return tool({
    timeoutMs: 'unlimited',
    ...settings,
    input: PROMPT_INPUT,
    ...(output !== undefined && { output: output as SchemaSource }),
    execute: async ({ prompt }: { readonly prompt: string }, context: ToolContext) => {
      const asked = [...messages, { type: 'text', text: prompt } as const]
      return (await runInside({ config, output, asked }, context)) as never
    },
  })
}

interface Task {
  readonly config: AgentConfig
  readonly output: OutputSource
  readonly asked: readonly AgentMessage[]
}

async function runInside({ config, output, asked }: Task, context: ToolContext): Promise<unknown> {
  const { answers, kept, ask } = toolRunOf(context)
  const outer = runContextOf(context)?.outer
  const decisions = answers.at(-1) as Decisions | undefined
  const resume = decisions && { state: kept as unknown as RunState, decisions }
  try {
    const inner = {
      ...config,
      signal: context.signal,
      onEvent: toOuter(config, context),
      ...(resume && { resume }),
    }
    const label = outer?.label
    const met = (reached: Label): void => outer?.mark(reached)
    const result = await runTask(inner, { output, context: asked, label, met })
    return result.output
  } catch (thrown) {
    if (!(thrown instanceof RunSuspendedError)) throw thrown
    const { pending, state } = thrown.result
    return ask({ pending } as unknown as Json, state as unknown as Json)
  }
}

/** Readers of the outer run see the inner events as those of a call; its last ones are the tool's own result. */
function toOuter({ onEvent }: AgentConfig, context: ToolContext): (event: ChatEvent) => void {
  const outer = runContextOf(context)?.outer
  return (event) => {
    onEvent?.(event)
    if (event.type !== 'response' && event.type !== 'suspended')
      outer?.emit({ parentCallId: context.callId, ...event })
  }
}
