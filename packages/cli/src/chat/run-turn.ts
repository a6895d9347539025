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

/** Decisions that were refused, and why. */
export interface RefusedDecisions {
  readonly problem: string
  /** The call whose decision is at fault. Absent: nobody knows which. */
  readonly callId: string | undefined
  readonly decisions: Decisions
}

/** How deciding stands. */
export interface Deciding {
  readonly refused: RefusedDecisions | undefined
  /** What is wrong with decisions, as far as is known before the run goes on; undefined if nothing is. */
  problemOf(decisions: Decisions): Promise<string | undefined>
}

/** Decides about pending calls; undefined leaves the run suspended. */
export type Decide = (
  pending: readonly PendingCall[],
  deciding: Deciding,
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
  let refused: RefusedDecisions | undefined
  while (result.status === 'suspended') {
    const { pending, state } = result
    const problemOf = (given: Decisions): Promise<string | undefined> =>
      asked(client.resume(state!, given), turn).check().then(nothing, problemIn)
    const decisions = await turn.decide(pending!, { refused, problemOf })
    if (!decisions) return result
    try {
      result = yield* followed(client.resume(state!, decisions), turn)
      refused = undefined
    } catch (error) {
      const problem = problemIn(error)
      refused = { problem, callId: (error as ResumeError).callId, decisions }
    }
  }
  return result
}

const nothing = (): undefined => undefined

/** Throws what is no fault of the decisions. */
function problemIn(error: unknown): string {
  if (!isRefusedDecision(error)) throw error
  return error.message
}

const asked = (request: ChatRequest, { tools, conversation, signal }: Turn): ChatRequest =>
  request
    .tools(...tools)
    .conversation(conversation)
    .signal(signal)

async function* followed(request: ChatRequest, turn: Turn): AsyncGenerator<ChatEvent, RunResult> {
  const run = asked(request, turn).stream()
  yield* run
  return run.result()
}

/** Whether only the decisions were refused: the state is still valid, so others can be given. */
const isRefusedDecision = (error: unknown): error is ResumeError =>
  error instanceof ResumeError && error.code.startsWith('decision-')
