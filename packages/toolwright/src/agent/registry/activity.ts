/**
 * An activity is the code behind a tool. It gets the whole call, the tool's schema and the messages it may
 * see.
 */
import type { ToolContext } from '../../tools/tool-context.ts'
import type { ToolOptions } from '../../tools/tool.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import type { AgentMessage, Call } from '../agent-message.ts'

export type ActivityArguments<TypedCall = Call> = readonly [
  /** As the model wrote it, including meta fields, with references resolved. */
  call: TypedCall,
  /** The tool's schema, including its `_output`. */
  tool: JsonSchema,
  /** The messages that the tool's `_scopes` allow. Without scopes it is empty. */
  context: readonly AgentMessage[],
  /** The context of any tool of a chat client: host values, abort signal, progress, questions. */
  run: ToolContext,
]

/**
 * Returns the result, or a message to append: one with data or with text of the user; with
 * `mayDefineTools`, any message.
 */
export type ActivityFunction<TypedCall = Call, Result = unknown> = (
  ...args: ActivityArguments<TypedCall>
) => Result

/** The options of `tool()` that are about running, and `mayDefineTools`. */
export interface ActivityOptions<TypedCall = Call> extends RunningOptions<TypedCall> {
  /**
   * Allows the returned messages to define tools, set meta or have the role `system`. Leave it off for code
   * that passes on what others wrote. Default false.
   */
  readonly mayDefineTools?: boolean
}

type RunningOptions<TypedCall> = Omit<
  ToolOptions<TypedCall, unknown, { readonly [key: string]: unknown }>,
  'name' | 'title' | 'description' | 'execute' | 'examples' | 'inputExamples' | 'providerOptions'
>

export interface Activity {
  readonly run: ActivityFunction
  readonly options: ActivityOptions
}
