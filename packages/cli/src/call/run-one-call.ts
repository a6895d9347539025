/** Runs one tool through the library's own loop, and asks for decisions when the call is suspended. */
import {
  ChatClient,
  oneCallModel,
  type ChatEvent,
  type Decision,
  type PendingCall,
  type ToolCallback,
  type ToolExecutionError,
  type ToolResponse,
} from 'toolwright'

export interface OneCallRun {
  readonly tool: ToolCallback
  /** JSON text. */
  readonly arguments: string
  readonly context: { readonly [key: string]: unknown }
  readonly signal: AbortSignal
  onProgress(progress: unknown): void
  /** Throws if there is no terminal to ask at. */
  decide(pending: PendingCall): Promise<Decision>
}

export interface CallResult {
  readonly response: ToolResponse
  /** The error that the tool threw, if any. */
  readonly thrown?: ToolExecutionError
}

/** Nothing is cut, and only the tool's own timeout applies: the user can interrupt. */
const LIMITS = {
  argumentBytes: 'unlimited',
  resultBytes: 'unlimited',
  toolTimeoutMs: 'unlimited',
} as const

export async function runOneCall(call: OneCallRun): Promise<CallResult> {
  const { tool, context, signal } = call
  let thrown: ToolExecutionError | undefined
  const client = ChatClient.create(
    oneCallModel({ tool: tool.definition.name, arguments: call.arguments }),
    {
      tools: [tool],
      toolContext: context,
      limits: LIMITS,
      exceptionProcessor: (error) => {
        thrown = error
        return error.toolMessage
      },
    },
  )
  let run = client.prompt('One call').signal(signal).stream()
  for (;;) {
    const response = await lastResponse(run, call)
    const { state, pending = [] } = await run.result()
    if (response) return { response, ...(thrown && { thrown }) }
    const decisions: Record<string, Decision> = {}
    for (const each of pending) decisions[each.callId] = await call.decide(each)
    run = client.resume(state!, decisions).signal(signal).stream()
  }
}

async function lastResponse(
  events: AsyncIterable<ChatEvent>,
  { onProgress }: OneCallRun,
): Promise<ToolResponse | undefined> {
  let response: ToolResponse | undefined
  for await (const event of events) {
    if (event.type === 'tool-progress') onProgress(event.progress)
    // Results of calls inside belong to the tool that made them.
    if (event.type === 'tool-result' && event.parentCallId === undefined) response = event.response
  }
  return response
}
