/**
 * Every name that leaves this package, in one place. Those that begin with `gen_ai` and `mcp` are OpenTelemetry's
 * conventions for generative AI as they stood on 16 November 2026 (open-telemetry/semantic-conventions-genai, which has
 * no release and whose names may still change); those that begin with `toolwright` are ours.
 */

/** What the spans and metrics say they come from. */
export const SCOPE = { name: '@toolwright/otel', version: '0.1.0' } as const

export const OPERATION = {
  agent: 'invoke_agent',
  chat: 'chat',
  tool: 'execute_tool',
} as const

export const ATTRIBUTE = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  agent: 'gen_ai.agent.name',
  conversation: 'gen_ai.conversation.id',
  outputType: 'gen_ai.output.type',
  requestModel: 'gen_ai.request.model',
  stream: 'gen_ai.request.stream',
  maxTokens: 'gen_ai.request.max_tokens',
  temperature: 'gen_ai.request.temperature',
  topP: 'gen_ai.request.top_p',
  topK: 'gen_ai.request.top_k',
  seed: 'gen_ai.request.seed',
  reasoningLevel: 'gen_ai.request.reasoning.level',
  responseModel: 'gen_ai.response.model',
  responseId: 'gen_ai.response.id',
  finishReasons: 'gen_ai.response.finish_reasons',
  firstChunk: 'gen_ai.response.time_to_first_chunk',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  cacheRead: 'gen_ai.usage.cache_read.input_tokens',
  cacheWrite: 'gen_ai.usage.cache_write.input_tokens',
  reasoning: 'gen_ai.usage.reasoning.output_tokens',
  tokenType: 'gen_ai.token.type',
  tool: 'gen_ai.tool.name',
  toolType: 'gen_ai.tool.type',
  toolDescription: 'gen_ai.tool.description',
  callId: 'gen_ai.tool.call.id',
  prompt: 'gen_ai.prompt.name',
  mcpMethod: 'mcp.method.name',
  mcpVersion: 'mcp.protocol.version',
  mcpSession: 'mcp.session.id',
  rpcRequest: 'jsonrpc.request.id',
  rpcStatus: 'rpc.response.status_code',
  transport: 'network.transport',
  address: 'server.address',
  port: 'server.port',
  error: 'error.type',
  runId: 'toolwright.run.id',
  round: 'toolwright.round',
  rounds: 'toolwright.rounds',
  resumed: 'toolwright.resumed',
  finishReason: 'toolwright.finish_reason',
  pending: 'toolwright.pending.tools',
  edited: 'toolwright.edited',
  notice: 'toolwright.notice.code',
  attempt: 'toolwright.attempt',
} as const

/** Only with `content: true`. */
export const CONTENT = {
  system: 'gen_ai.system_instructions',
  input: 'gen_ai.input.messages',
  output: 'gen_ai.output.messages',
  tools: 'gen_ai.tool.definitions',
  stops: 'gen_ai.request.stop_sequences',
  arguments: 'gen_ai.tool.call.arguments',
  result: 'gen_ai.tool.call.result',
  message: 'toolwright.notice.message',
} as const

export const EVENT = {
  notice: 'toolwright.notice',
  retry: 'toolwright.retry',
  suspended: 'toolwright.suspended',
} as const

/** On lines of the log, as OpenTelemetry writes them where logs are not its own. */
export const LOG = { trace: 'trace_id', span: 'span_id', flags: 'trace_flags' } as const

/** Where a name would come from a model, or from an error of a stranger: one value, so that there are not thousands. */
export const OTHER = '_OTHER'

const doubled = (first: number, count: number, factor = 2): readonly number[] =>
  Array.from({ length: count }, (_, index) => Number((first * factor ** index).toPrecision(10)))

/** 10 ms to 82 s. */
const CALL_SECONDS = doubled(0.01, 14)
/** 0.1 s to 410 s. */
const RUN_SECONDS = doubled(0.1, 13)
/** 10 ms to 5 minutes. */
const MCP_SECONDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300]
/** 1 to 67 million. */
const TOKENS = doubled(1, 14, 4)
/** 1 to 128. */
const COUNTS = doubled(1, 8)

export interface HistogramRow {
  readonly name: string
  readonly unit: string
  readonly description: string
  readonly buckets: readonly number[]
}

export interface CounterRow {
  readonly name: string
  readonly unit: string
  readonly description: string
}

/** The names of timings that the conventions are about to change: `otelObserver({ inferenceNames: 'inference' })`. */
export type InferenceNames = 'operation' | 'inference'

export const HISTOGRAMS = {
  inference: (names: InferenceNames): HistogramRow => ({
    name: `gen_ai.client.${names}.duration`,
    unit: 's',
    description: 'How long one exchange with a model took.',
    buckets: CALL_SECONDS,
  }),
  firstChunk: (names: InferenceNames): HistogramRow => ({
    name: `gen_ai.client.${names}.time_to_first_chunk`,
    unit: 's',
    description: 'How long a streamed answer took to begin.',
    buckets: CALL_SECONDS,
  }),
  eachChunk: (names: InferenceNames): HistogramRow => ({
    name: `gen_ai.client.${names}.time_per_output_chunk`,
    unit: 's',
    description: 'How long each further piece of a streamed answer let wait for itself.',
    buckets: CALL_SECONDS,
  }),
  tokens: (): HistogramRow => ({
    name: 'gen_ai.client.token.usage',
    unit: '{token}',
    description: 'Tokens of one exchange.',
    buckets: TOKENS,
  }),
  tool: (): HistogramRow => ({
    name: 'gen_ai.execute_tool.duration',
    unit: 's',
    description: 'How long one tool call took, waiting and retries included.',
    buckets: CALL_SECONDS,
  }),
  agent: (): HistogramRow => ({
    name: 'gen_ai.invoke_agent.duration',
    unit: 's',
    description: 'How long a run took, or one leg of a run that was suspended.',
    buckets: RUN_SECONDS,
  }),
  inferenceCalls: (): HistogramRow => ({
    name: 'gen_ai.invoke_agent.inference_calls',
    unit: '{inference_call}',
    description: 'How often a run asked its model.',
    buckets: COUNTS,
  }),
  toolCalls: (): HistogramRow => ({
    name: 'gen_ai.invoke_agent.tool_calls',
    unit: '{tool_call}',
    description: 'How many tool calls a run had, refused ones included.',
    buckets: COUNTS,
  }),
  mcpClient: (): HistogramRow => ({
    name: 'mcp.client.operation.duration',
    unit: 's',
    description: 'How long a call of a tool of an MCP server took, waiting and retries included.',
    buckets: MCP_SECONDS,
  }),
  mcpServer: (): HistogramRow => ({
    name: 'mcp.server.operation.duration',
    unit: 's',
    description:
      'How long a request of an MCP client took, or one leg of a request that was suspended.',
    buckets: MCP_SECONDS,
  }),
} as const

export const COUNTERS = {
  suspensions: {
    name: 'toolwright.run.suspensions',
    unit: '{run}',
    description: 'Runs that began to wait for somebody.',
  },
  refusals: {
    name: 'toolwright.tool.refusals',
    unit: '{tool_call}',
    description: 'Tool calls that were not run, by why not.',
  },
  retries: {
    name: 'toolwright.retries',
    unit: '{retry}',
    description: 'Further tries after a failure.',
  },
} as const satisfies { readonly [name: string]: CounterRow }
