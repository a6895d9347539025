/**
 * Turns every tool of an agent into the callback that runs it: the tool's schema, joined with its activity,
 * its delegate, or the result that the model wrote.
 */
import { ToolExecutionError } from '../../errors/errors.ts'
import { compileSchema } from '../../schema/compile-schema.ts'
import { compileInput } from '../../schema/input-schema.ts'
import { describeIssue } from '../../errors/issue.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import { remembered } from '../../schema/remembered.ts'
import type { SchemaChecker } from '../../schema/schema-checker.ts'
import { augmentTools } from '../../tools/augment-tools.ts'
import { settle } from '../../tools/settle.ts'
import type { ToolCallback } from '../../tools/tool-callback.ts'
import type { ToolContext } from '../../tools/tool-context.ts'
import type { ToolDefinition } from '../../tools/tool-definition.ts'
import { tool } from '../../tools/tool.ts'
import type { Activity } from '../registry/activity.ts'
import type { Call } from '../agent-message.ts'
import type { AgentSession } from '../session/agent-session.ts'
import { callbackOf, fromToolCallback } from '../registry/bridges.ts'
import type { Composed, ComposedTool } from '../compose/composed.ts'
import { OUTPUT_METHODS } from '../context/output-methods.ts'
import type { RunDelegate } from './delegate.ts'
import { isDataMessage, isTypedMessage } from '../context/read-message.ts'
import { outputOf, toolSpec, type ToolSpec } from '../registry/tool-spec.ts'

/** Fields that every call may have besides its parameters. */
const META_FIELDS = {
  _reasoningForCall: { type: 'string' },
  _outputPath: { type: 'string' },
  _outputMethod: { enum: OUTPUT_METHODS },
  _instance: { type: 'string' },
} as const
const META_INPUT: JsonSchema = { type: 'object', properties: META_FIELDS }

export function agentCallbacks(
  composed: Composed,
  session: AgentSession,
  runDelegate: RunDelegate,
): readonly ToolCallback[] {
  return Array.from(composed.tools.values(), (each) => {
    const { spec, execution } = each
    switch (execution.kind) {
      case 'latent':
        return callbackFor(each, {
          run: latentResult(spec),
          options: { hints: { readOnly: true } },
        })
      case 'delegate':
        return callbackFor(each, {
          run: (...[call, , , run]) => runDelegate({ tool: each, call, session, run }),
          options: {},
        })
      case 'activity': {
        const callback = callbackOf(execution.activity.run)
        return callback
          ? remembered(augmentedTools, each, () => withMetaArguments(callback, each))
          : callbackFor(each, checkedActivity(spec, execution.activity, session), session)
      }
    }
  })
}

const augmentedTools = new WeakMap<ComposedTool, ToolCallback>()

/**
 * The meta fields become extra arguments of the callback: policies see them, and they are removed before
 * the tool runs.
 */
function withMetaArguments(callback: ToolCallback, composed: ComposedTool): ToolCallback {
  const [augmentedCallback] = augmentTools(callback, {
    input: META_INPUT,
  }) as readonly ToolCallback[]
  if (isOwnDefinition(callback, composed)) return augmentedCallback!
  const { name, schema } = composed.spec
  const { description = augmentedCallback!.definition.description } = schema
  return {
    ...augmentedCallback!,
    definition: {
      ...augmentedCallback!.definition,
      name,
      description,
      inputSchema: inputOf(composed),
    },
  }
}

/** Whether the tool is still as its callback defines it; a context may have redefined it. */
const isOwnDefinition = (callback: ToolCallback, { spec }: ComposedTool): boolean => {
  const { schema, name } = fromToolCallback(callback)
  return toolSpec(schema, name) === spec
}

/**
 * Checks a call against the definition that the context gives a callback's tool; the callback itself checks
 * only its own. Returns what does not fit, or undefined.
 */
export function problemWithRedefinedTool(
  { tools }: Composed,
  { _tool, ...input }: Call,
): string | undefined {
  const composed = tools.get(_tool)
  if (composed?.execution.kind !== 'activity') return undefined
  const callback = callbackOf(composed.execution.activity.run)
  if (!callback || isOwnDefinition(callback, composed)) return undefined
  const checked = compileInput(inputOf(composed)).coerce(input)
  return checked.ok ? undefined : checked.issues.map(describeIssue).join('; ')
}

function callbackFor(
  composed: ComposedTool,
  activity: Activity,
  session?: AgentSession,
): ToolCallback {
  const { spec } = composed
  const { title, description } = spec.schema
  const { mayDefineTools: _messages, ...options } = activity.options
  const callback = tool({
    ...(options as object),
    name: spec.name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    input: inputOf(composed),
    execute: (input: unknown, context: ToolContext) => {
      const call = { _tool: spec.name, ...(input as object) } as Call
      return activity.run(call, spec.schema, session?.scoped(call) ?? [], context)
    },
  })
  // Every run must get the same definition object: managers count and cache by it.
  return { ...callback, definition: remembered(definitions, composed, () => callback.definition) }
}

const definitions = new WeakMap<ComposedTool, ToolDefinition>()
const inputs = new WeakMap<ComposedTool, JsonSchema>()

/**
 * The schema that a call is checked against when it runs: the parameters, and the meta fields it may have.
 */
const inputOf = (composed: ComposedTool): JsonSchema =>
  remembered(inputs, composed, () => {
    const { schema } = composed.spec
    const { _tool, _output, ...parameters } = schema.properties ?? {}
    const isLatent = composed.execution.kind === 'latent'
    const properties = { ...META_FIELDS, ...parameters, ...(isLatent && { _output: true }) }
    const required = schema.required?.filter((field) => field !== '_tool' && field !== '_output')
    return { ...schema, properties, ...(required && { required }) }
  })

function latentResult(spec: ToolSpec): Activity['run'] {
  return (call) => {
    if (call._output !== undefined) return checkedResult(spec, call._output)
    if (spec.output === undefined) return null
    throw outputError(
      spec,
      'there is no _output. No code runs this tool: write its result yourself',
    )
  }
}

/**
 * Appends a returned message as it is; any other result must fit the tool's `_output`. The session
 * remembers which calls returned a message, because results of models, delegates and remote tools never
 * count as messages.
 */
const checkedActivity = (spec: ToolSpec, activity: Activity, session: AgentSession): Activity => ({
  options: activity.options,
  async run(...args) {
    const [, , , context] = args
    const result = await settle(activity.run(...args), context)
    const { mayDefineTools = false } = activity.options
    const isMessage = mayDefineTools ? isTypedMessage(result) : isDataMessage(result)
    if (!isMessage) return checkedResult(spec, result)
    session.returnedMessages.add(context.callId)
    return result
  },
})

const checkers = new WeakMap<ToolSpec, SchemaChecker>()

function checkedResult(spec: ToolSpec, result: unknown): unknown {
  if (spec.output === undefined) return result
  const checker = remembered(checkers, spec, () => compileSchema(outputOf(spec), { coerce: false }))
  const checked = checker.check(result)
  if (checked.ok) return result
  const issues = checked.issues.map(describeIssue).join('; ')
  throw outputError(spec, `its _output does not fit: ${issues}`)
}

const outputError = ({ name }: ToolSpec, message: string): ToolExecutionError =>
  new ToolExecutionError(message, { toolName: name, code: 'tool-output' })
