/** An activity is the code behind a tool: it gets the whole call, the tool's schema and what it may see. */
import type { ToolContext } from '../../tools/tool-context.ts'
import type { ToolOptions } from '../../tools/tool.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import type { AgentMessage, Call } from '../agent-message.ts'

export type ActivityArguments = readonly [
  /** As the model made it, meta fields included, references resolved. */
  call: Call,
  /** The tool's schema, its `_output` included. */
  tool: JsonSchema,
  /** The messages that the tool's `_scopes` let through. Without scopes: none. */
  context: readonly AgentMessage[],
  /** What any tool of a chat client gets: host values, abort signal, progress, questions. */
  run: ToolContext,
]

/**
 * Returns the result, or a message that is appended as it is: one with data or text of the user's, and with
 * `mayDefineTools` any other too.
 */
export type ActivityFunction = (...args: ActivityArguments) => unknown

/** How an activity is run: the options of `tool()` that are about running, and one of its own. */
export interface ActivityOptions extends RunningOptions {
  /**
   * Messages it returns may also define tools, set meta or speak as the system. Leave it off for code that
   * hands on what others wrote. Default false.
   */
  readonly mayDefineTools?: boolean
}

type RunningOptions = Omit<
  ToolOptions<Call, unknown, { readonly [key: string]: unknown }>,
  'name' | 'title' | 'description' | 'execute' | 'examples' | 'inputExamples' | 'providerOptions'
>

export interface Activity {
  readonly run: ActivityFunction
  readonly options: ActivityOptions
}
