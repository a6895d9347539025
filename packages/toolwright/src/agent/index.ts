/**
 * The door of the Agent/Tool protocol: tools as pure schemas, composed with the wanted output into one
 * answer.
 */

// Ask
export { runAgent } from './run-agent.ts'
export { requestAgent } from './request-agent.ts'
export { runCalls } from './run-calls.ts'
export type { CallsResult } from './run-calls.ts'
export { streamAgent } from './stream-agent.ts'
export type { AgentStream } from './stream-agent.ts'
export type { AgentEvent, OutputDelta, PartialOutput } from './stream/agent-event.ts'
export type { ModelOptions } from './session/model-options.ts'
export type {
  AgentConfig,
  AgentResult,
  OutputOf,
  OutputSource,
  ResolveDelegate,
} from './agent-config.ts'
export { Activity, Agent, Tool } from './agent.ts'
export type { ActivityFacade, AgentFacade, ToolFacade } from './agent.ts'
export { agentTool } from './agent-tool.ts'
export type { AgentToolOptions } from './agent-tool.ts'

// Data
export type {
  AgentMessage,
  AgentNotice,
  Call,
  CallError,
  CallFields,
  DataMessage,
  InputMessage,
  Meta,
  MetaMessage,
  OutputMethod,
  SavedRequest,
  Solution,
  StateMessage,
  TextMessage,
  ToolDefinitionMessage,
  ToolMap,
  ToolSchema,
  TypedMessage,
} from './agent-message.ts'

// Tools and their code
export { agentRegistry } from './registry/agent-registry.ts'
export type { AgentRegistry, RegistrySnapshot } from './registry/agent-registry.ts'
export type { ActivityArguments, ActivityFunction, ActivityOptions } from './registry/activity.ts'
export type { ActivityResult, CallOf, ToolHandle, TypedActivity } from './registry/tool-handle.ts'
export { fromToolCallback, toToolCallback } from './registry/bridges.ts'
export type { ToolWithActivity } from './registry/bridges.ts'

// Schemas
export { composeSchema } from './compose/compose-schema.ts'
export type { ComposeSchemaOptions, CompositionOptions } from './compose/compose-schema.ts'

// Errors
export { AgentError } from '../errors/errors.ts'
