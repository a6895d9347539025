/** The door: tools of MCP servers for clients of toolwright, and tools of toolwright for MCP clients. */
export { mcpTools } from './client/mcp-tools.ts'
export type {
  HttpServer,
  McpAuth,
  McpEra,
  McpServer,
  McpSource,
  McpTools,
  McpToolsOptions,
  QuarantinedTool,
  StdioServer,
  TraceContext,
} from './client/mcp-tools-options.ts'
export type { McpQuestion, RemoteAnswer, RemoteRequest } from './client/remote-question.ts'
export type { McpToolResult } from './content/tool-result.ts'
export { serveTools } from './server/serve-tools.ts'
export type {
  PromptArgument,
  PromptArguments,
  PromptContent,
  PromptMessage,
  ServedPrompt,
} from './server/served-prompt.ts'
export type {
  ResourceContent,
  ResourceVariables,
  ServedResource,
} from './server/served-resource.ts'
export type { TaskRule, TaskRules } from './server/task-rule.ts'
export type {
  Listed,
  ListeningServer,
  ListenOptions,
  Principal,
  ServeAuth,
  ServedStreams,
  ServedTools,
  ServeToolsOptions,
} from './server/serve-tools-options.ts'
