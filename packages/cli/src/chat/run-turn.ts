/** Runs one question to its answer, with any number of suspensions in between. */
import {
  ResumeError,
  type ChatClient,
  type ChatEvent,
  type ChatRequest,
  type Decisions,
  type PendingCall,
  type RunResult,
  type ToolSource,
} from 'toolwright'

/**
 * Decides about pending calls; undefined leaves the run suspended. `problem` says why the last decisions
 * were refused.
 */
export type Decide = (
  pending: readonly PendingCall[],
  problem: string | undefined,
) => Promise<Decisions | undefined>

export interface Turn {
  readonly prompt: string
  readonly tools: readonly ToolSource[]
  readonly conversation: string
  readonly signal: AbortSignal
  readonly decide: Decide
}

/** Yields every event and returns how the turn ended. */
export async function* runTurn(
  client: ChatClient,
  turn: Turn,
): AsyncGenerator<ChatEvent, RunResult> {
  let result = yield* followed(client.prompt(turn.prompt), turn)
  let problem: string | undefined
  while (result.status === 'suspended') {
    const decisions = await turn.decide(result.pending!, problem)
    if (!decisions) return result
    try {
      result = yield* followed(client.resume(result.state!, decisions), turn)
      problem = undefined
    } catch (error) {
      if (!isRefusedDecision(error)) throw error
      problem = error.message
    }
  }
  return result
}

async function* followed(
  request: ChatRequest,
  { tools, conversation, signal }: Turn,
): AsyncGenerator<ChatEvent, RunResult> {
  const run = request
    .tools(...tools)
    .conversation(conversation)
    .signal(signal)
    .stream()
  yield* run
  return run.result()
}

/** Whether only the decisions were refused: the state is still valid, so others can be given. */
const isRefusedDecision = (error: unknown): error is ResumeError =>
  error instanceof ResumeError && error.code.startsWith('decision-')
