/**
 * What registering a tool returns: its schema, with its name and a typed way to register its code. The
 * types of the call and of its result follow from the schema.
 */
import { AgentError } from '../../errors/errors.ts'
import type { InferJsonSchema } from '../../schema/infer-schema.ts'
import type { AgentMessage, Call, CallFields, ToolSchema } from '../agent-message.ts'
import type { ActivityFunction, ActivityOptions } from './activity.ts'
import { shareSpecs, toolSpec } from './tool-spec.ts'

/**
 * A registered tool. It is the schema itself, so that it can stand wherever a schema can:
 * `{ type: 'tool', tool: weatherCheck }`.
 */
export type ToolHandle<
  Schema extends ToolSchema = ToolSchema,
  Name extends string = string,
> = Schema & HandleMembers<Schema, Name>

interface HandleMembers<Schema extends ToolSchema, Name extends string> {
  readonly toolName: Name
  /**
   * Registers the code of this tool, under the name in its `_activity` or under its own. The code gets the
   * parameters that the schema describes, and returns what `_output` describes.
   */
  activity(
    run: TypedActivity<Schema, Name>,
    options?: ActivityOptions<TypedCall<Schema, Name>>,
  ): void
  /** Whether a call of an answer is one of this tool. Its parameters may still be references. */
  isCall(call: Call): call is SentCall<Schema, Name>
}

/** The call that the code of a registered tool gets: `CallOf<typeof weatherCheck>`. */
export type CallOf<Handle> =
  Handle extends HandleMembers<infer Schema, infer Name> ? TypedCall<Schema, Name> : Call

/** The code of a tool with this schema. */
export type TypedActivity<
  Schema extends ToolSchema,
  Name extends string = string,
> = ActivityFunction<TypedCall<Schema, Name>, ActivityResult<ResultOf<Schema>>>

/** What an activity may return: the result, a message to append, or a generator that reports progress. */
export type ActivityResult<Result> =
  | Returned<Result>
  | Promise<Returned<Result>>
  | Generator<unknown, Returned<Result>, void>
  | AsyncGenerator<unknown, Returned<Result>, void>

type Returned<Result> = Result | AgentMessage

type ResultOf<Schema> = Schema extends {
  readonly properties: { readonly _output: infer Output }
}
  ? InferJsonSchema<Output>
  : unknown

/** A schema that is not a literal says nothing about its parameters. */
type TypedCall<Schema extends ToolSchema, Name extends string> = ToolSchema extends Schema
  ? Call
  : TypedFields<Name> & Parameters<Schema>

/** References are still to be resolved. */
type SentCall<Schema extends ToolSchema, Name extends string> = TypedFields<Name> & {
  readonly [Parameter in keyof Parameters<Schema>]: Parameters<Schema>[Parameter] | `†${string}`
} & Call

type TypedFields<Name extends string> = Omit<CallFields, '_tool'> & { readonly _tool: Name }

/** What the properties without a leading underscore describe. */
type Parameters<Schema> = InferJsonSchema<ParameterSchema<Schema>>

type PropertiesOf<Schema> = Schema extends { readonly properties: infer Properties }
  ? Properties
  : Record<never, never>

interface ParameterSchema<Schema> {
  readonly type: 'object'
  readonly properties: {
    readonly [
      Name in keyof PropertiesOf<Schema> as Name extends `_${string}` ? never : Name
    ]: PropertiesOf<Schema>[Name]
  }
  readonly required: Schema extends { readonly required: infer Required } ? Required : readonly []
}

/** Registers an activity under a name; a registry passes its own. */
export type RegisterActivity = (
  name: string,
  run: ActivityFunction,
  options?: ActivityOptions,
) => void

export function toolHandle<const Schema extends ToolSchema, const Name extends string>(
  toolName: Name,
  schema: Schema,
  register: RegisterActivity,
): ToolHandle<Schema, Name> {
  const members: HandleMembers<Schema, Name> = {
    toolName,
    activity: (run, options) =>
      register(
        activityName(toolName, schema),
        run as unknown as ActivityFunction,
        options as unknown as ActivityOptions,
      ),
    isCall: (call): call is SentCall<Schema, Name> => call._tool === toolName,
  }
  const handle = { ...schema }
  shareSpecs(schema, handle)
  // Not enumerable, so that code which lists the schema's keywords does not see it.
  for (const [name, value] of Object.entries(members))
    Object.defineProperty(handle, name, { value })
  return handle as ToolHandle<Schema, Name>
}

function activityName(name: string, schema: ToolSchema): string {
  const { activity, delegate } = toolSpec(schema, name)
  if (activity === '')
    throw new AgentError(
      'agent-activity',
      `Tool "${name}" has an empty _activity, which keeps it latent: it can have no code.`,
    )
  if (delegate !== undefined && activity === undefined)
    throw new AgentError(
      'agent-activity',
      `Tool "${name}" is delegated to "${delegate}": it can have no code of its own.`,
    )
  return activity ?? name
}

/** The name of a tool that is given as a handle. */
export const handleName = (tool: object): string | undefined => {
  const name = Object.getOwnPropertyDescriptor(tool, 'toolName')
  return name && !name.enumerable && typeof name.value === 'string' ? name.value : undefined
}
