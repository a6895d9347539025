/** The public door, grouped by step of the flow. Providers and the testing kit have doors of their own. */

// Ask
export { ChatClient } from './client/chat-client.ts'
export type { ChatRequest } from './client/chat-request.ts'
export { clientTool } from './client/client-tool.ts'
export type { ClientToolInput, ClientToolOptions, InnerQuestion } from './client/client-tool.ts'
export type { ChatClientOptions } from './client/client-settings.ts'
export type { CallRun } from './client/call-run.ts'
export type { StreamRun } from './client/stream-run.ts'
export type {
  ErrorLine,
  PublicEvent,
  PublicPart,
  PublicResponse,
  PublicToolCall,
  ReadableStreamOptions,
} from './client/public-event.ts'
export type { PartialRun, RunResult } from './client/advised-run.ts'
export type { RunIterator } from './client/run-reader.ts'

// Data
export type { Json, JsonObject } from './messages/json.ts'
export type {
  Annotations,
  AssistantMessage,
  AssistantPart,
  Label,
  MediaPart,
  Message,
  ProviderPart,
  ReasoningPart,
  SystemMessage,
  TextPart,
  ToolCall,
  ToolMessage,
  ToolResponse,
  UserMessage,
  UserPart,
} from './messages/message.ts'
export type { ChatResponse, FinishReason, Generation, Usage } from './messages/chat-response.ts'
export type { ChatEvent, EmitEvent } from './messages/chat-event.ts'
export type {
  CallCounters,
  CallJournal,
  Decision,
  Decisions,
  PendingCall,
  RunProgress,
  RunState,
} from './messages/run-state.ts'
export { hasToolCalls, textOf, toolCallsOf } from './messages/reading.ts'
export { fromUntrustedMessages } from './client/from-untrusted-messages.ts'

// Models
export type {
  ChatModel,
  ChatOptions,
  ModelCapabilities,
  ModelRun,
  ModelServer,
  Prompt,
  ToolChoice,
} from './model/chat-model.ts'
export type { EmbeddingModel, EmbeddingRun } from './model/embedding-model.ts'
export { aggregate } from './model/aggregate.ts'
export { fallbackModel } from './model/fallback-model.ts'
export { oneCallModel } from './model/one-call-model.ts'
export type { OneCall } from './model/one-call-model.ts'
export { promptedTools } from './model/prompted-tools/prompted-tools.ts'
export { mergeOptions } from './model/merge-options.ts'
export { toWireName } from './providers/wire/wire-name.ts'
export type { ToolNameRule } from './providers/wire/chat-dialect.ts'
export { withToolExecution } from './client/with-tool-execution.ts'
export type { ToolExecutionOptions } from './client/with-tool-execution.ts'

// Tools
export { tool } from './tools/tool.ts'
export type {
  ContextOf,
  ContextSource,
  FunctionToolCallback,
  InputSource,
  NameOption,
  ResultOf,
  ReturnFor,
  SchemaSource,
  ToolOptions,
  ToolSchemas,
  ToolSettings,
} from './tools/tool.ts'
export { Tool } from './tools/tool-decorator.ts'
export type { ToolDecorator } from './tools/tool-decorator.ts'
export { defineTools } from './tools/define-tools.ts'
export type { DefinedTools, MethodTools } from './tools/define-tools.ts'
export { methodTool } from './tools/method-tool.ts'
export type { InputOption, MethodName, MethodSettings, SchemaFor } from './tools/method-options.ts'
export { allToolsOf, toolsOf } from './tools/tools-of.ts'
export { definitionOf } from './tools/definition-of.ts'
export type {
  ConvertedTool,
  ToolCallback,
  ToolCallbackProvider,
  ToolCallResultConverter,
  ToolListing,
  ToolOutput,
} from './tools/tool-callback.ts'
export type { ToolCallbackResolver } from './tools/tool-callback-resolver.ts'
export { staticResolver } from './tools/static-resolver.ts'
export { delegatingResolver } from './tools/delegating-resolver.ts'
export { toolRegistry } from './tools/tool-registry.ts'
export type { BareTool, ToolFactory, ToolRegistry } from './tools/tool-registry.ts'
export type { ToolContext } from './tools/tool-context.ts'
export { toolRunOf } from './tools/tool-run.ts'
export type { ToolRun } from './tools/tool-run.ts'
export type { NestedCall, NestedFailureCode, NestedOutcome } from './tools/nested-call.ts'
export type { ToolDefinition } from './tools/tool-definition.ts'
export type {
  CompositeTool,
  ToolEffect,
  ToolHints,
  ToolLabels,
  ToolMetadata,
  ToolRetry,
} from './tools/tool-metadata.ts'
export type { ToolObject, ToolRecord, ToolSource, ToolSources } from './tools/tool-source.ts'
export { isCallOf } from './tools/tool-events.ts'
export type { ChatEventOf } from './tools/tool-events.ts'
export { toolFingerprints } from './tools/tool-fingerprints.ts'
export { checkUndo, undoCall } from './tools/undo-call.ts'
export type { FinishedCall } from './tools/undo-call.ts'
export { augmentTools } from './tools/augment-tools.ts'
export type { AugmentedArguments, AugmentOptions } from './tools/augment-tools.ts'

// Schemas
export type {
  JsonSchema,
  JsonSchemaNode,
  JsonSchemaType,
  TypedJsonSchema,
} from './schema/json-schema.ts'
export type { Issue } from './errors/issue.ts'
export type { StandardJsonSchema, StandardSchema } from './schema/standard-schema.ts'
export type { InferInput, InferOutput } from './schema/infer-schema.ts'
export { toJsonSchema } from './schema/to-json-schema.ts'
export { checkJson } from './schema/check-json.ts'
export type { CheckResult } from './schema/schema-checker.ts'
export { lowerSchema } from './schema/lower-schema.ts'
export type { LoweredSchema } from './schema/lower-schema.ts'
export type { SchemaDialect } from './schema/lowering/schema-rules.ts'
export type { SchemaChange } from './schema/lowering/schema-change.ts'
export type { ToJsonSchemaOptions } from './schema/to-json-schema.ts'
export { augmentSchema } from './schema/augment-schema.ts'

// Running
export { toolCallingManager } from './tool-calling/default-tool-calling-manager.ts'
export type {
  ToolCallingManager,
  ToolExecutionResult,
  ToolExecutionRun,
} from './tool-calling/tool-calling-manager.ts'
export type { ManagerSettings, ToolCallingManagerOptions } from './tool-calling/manager-options.ts'
export type { OnLimit, RunOptions, RunSettings } from './run/run-settings.ts'
export { DEFAULT_LIMITS } from './run/limits.ts'
export type { LimitName, Limits } from './run/limits.ts'
export { defaultExceptionProcessor } from './tool-calling/exception-processor.ts'
export type { ToolExceptionProcessor } from './tool-calling/exception-processor.ts'
export type { PolicyCall, PolicyVerdict, ToolPolicy } from './tool-calling/policy.ts'
export { noExfiltration } from './tool-calling/no-exfiltration.ts'
export type { NoExfiltrationOptions } from './tool-calling/no-exfiltration.ts'
export { inMemoryRunStore } from './run/in-memory-run-store.ts'
export type { PendingRun, PendingRunPage, PendingRunQuery, RunStore } from './run/run-store.ts'

// Advisors
export { ORDER } from './loop/advisor.ts'
export type {
  AdvisedRequest,
  AdvisedResponse,
  Advisor,
  LoopAdvisor,
  LoopSettings,
  MemoryAdvisor,
  NextAdvisor,
} from './loop/advisor.ts'
export { advisor } from './advisors/advisor.ts'
export type { AdvisorOptions } from './advisors/advisor.ts'
export { toolCallingAdvisor } from './loop/tool-calling-advisor.ts'
export type { ToolCallingAdvisor } from './loop/tool-calling-advisor.ts'
export { afterRounds, onToolCall } from './loop/stop-conditions.ts'
export type {
  LoopState,
  StopCondition,
  ToolCallingAdvisorOptions,
} from './loop/tool-calling-options.ts'
export { loggingAdvisor } from './advisors/logging-advisor.ts'
export type { LoggingAdvisorOptions } from './advisors/logging-advisor.ts'
export { retryAdvisor } from './advisors/retry-advisor.ts'
export type { RetryAdvisorOptions } from './advisors/retry-advisor.ts'
export { chatMemoryAdvisor } from './advisors/chat-memory-advisor.ts'
export type { ChatMemoryAdvisorOptions } from './advisors/chat-memory-advisor.ts'

// Memory
export { messageWindowMemory } from './memory/message-window-memory.ts'
export type { MessageWindowOptions } from './memory/message-window-memory.ts'
export { tokenWindowMemory } from './memory/token-window-memory.ts'
export type { TokenWindowOptions } from './memory/token-window-memory.ts'
export { estimateTokens } from './memory/estimate-tokens.ts'
export type { Tokenizer } from './memory/message-tokens.ts'
export { summarisingMemory } from './memory/summarising-memory.ts'
export type { SummarisingOptions, SummaryReport } from './memory/summarising-memory.ts'
export { SUMMARY_INSTRUCTIONS } from './memory/ask-for-summary.ts'
export { inMemoryRepository } from './memory/in-memory-repository.ts'
export type { ChatMemory, ChatMemoryRepository, ConversationTail } from './memory/chat-memory.ts'
export type { ConversationKey } from './messages/conversation-key.ts'

// Observing
export type {
  AdvisorInfo,
  AnswerOutcome,
  ClientInfo,
  ModelInfo,
  Observation,
  ObservationInfo,
  ObservationKind,
  ObservationOutcome,
  ObservedDefinition,
  ObservedEvent,
  Observer,
  RefusalCode,
  RoundInfo,
  ToolInfo,
  ToolOutcome,
} from './observation/observer.ts'
export type { ObservedFacts } from './messages/observed-facts.ts'
export { consoleLogger } from './observation/logger.ts'
export type { ConsoleLoggerOptions, Logger, LogLevel, LogWrite } from './observation/logger.ts'
export { pinoLogger } from './observation/pino-logger.ts'
export type { PinoLoggerOptions, PinoLike } from './observation/pino-logger.ts'

// Ports
export type { Clock } from './ports/clock.ts'
export type { Durability, OnUnknownOutcome, ToolStep } from './ports/durability.ts'
export type { Ids } from './ports/ids.ts'
export type { Random } from './ports/random.ts'
export type { Transport, TransportRequest, TransportResponse } from './ports/transport.ts'
export { withRetries } from './ports/retry-policy.ts'
export type { RetryAfter, Retrying, RetryPolicy } from './ports/retry-policy.ts'

// Errors
export {
  AdvisorError,
  ConfigurationError,
  DatabaseError,
  DurabilityError,
  McpError,
  ModelResponseError,
  ProviderError,
  ResumeError,
  RunAbandonedError,
  RunLimitError,
  RunSuspendedError,
  ToolExecutionError,
  ToolInputError,
  ToolSourceError,
  ToolTimeoutError,
  ToolwrightError,
} from './errors/errors.ts'
export { redact } from './errors/redact.ts'
export { refusalFacts, type HttpRefusal, type RefusalFacts } from './errors/refusal-facts.ts'
export type {
  DatabaseErrorCode,
  DurabilityErrorCode,
  ErrorCode,
  McpErrorCode,
} from './errors/catalogue.ts'
export type { NoticeCode } from './errors/notices.ts'

// For packages that build on this one
export { checkNumber, checkOptions } from './internal/check-options.ts'
export type { NumberRule } from './internal/check-options.ts'
