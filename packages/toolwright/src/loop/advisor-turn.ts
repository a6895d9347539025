/**
 * One advisor's turn in the chain, under the rules of its contract: it returns an answer, it asks `next` once
 * at a time, its `emit` works until its turn has ended, and an `emit` that it wrapped cannot harm whoever emits.
 */
import { notice } from '../errors/notices.ts'
import type { ChatEvent } from '../messages/chat-event.ts'
import { loadAdvisorFaults } from '../on-demand.ts'
import { scopedStep } from '../ports/durability.ts'
import type { AdvisedResponse, Advisor, NextAdvisor } from './advisor.ts'
import type { InsideRequest } from './inside.ts'

/** A class, because there is one for each advisor of each run that waits. */
class Turn {
  readonly advisor: Advisor
  readonly next: NextAdvisor
  /** As the advisor gets it. */
  readonly request: InsideRequest
  isAsking = false
  isOver = false
  /** What the advisor's own `emit` threw first. */
  emitFailure: { readonly cause: unknown } | undefined
  /** What it emitted first that is no event. */
  noEvent: { readonly emitted: unknown } | undefined

  constructor(advisor: Advisor, given: InsideRequest, next: NextAdvisor) {
    const { step, emit } = given
    this.advisor = advisor
    this.next = next
    this.request = {
      ...given,
      emit: (event) => {
        if (typeof event?.type !== 'string') this.noEvent ??= { emitted: event }
        else emit(this.isOver && !isLateResult(event) ? lateEmit(this, event.type) : event)
      },
      // Named after the advisor: unique, and the same at every replay.
      step: scopedStep(step, advisor.name),
    }
  }
}

export async function takeTurn(
  advisor: Advisor,
  given: InsideRequest,
  next: NextAdvisor,
): Promise<AdvisedResponse> {
  const turn = new Turn(advisor, given, next)
  try {
    const answer = await advisor.advise(turn.request, (changed) => {
      const asking = askNext(turn, changed)
      // An advisor that fails meanwhile never looks at it; its own failure is the run's.
      asking.catch(() => {})
      return asking
    })
    if (!isAnswer(answer)) throw (await loadAdvisorFaults()).noAnswer(advisor, answer)
    if (turn.noEvent) throw (await loadAdvisorFaults()).noEvent(advisor, turn.noEvent)
    return answer
  } finally {
    turn.isOver = true
  }
}

async function askNext(turn: Turn, changed: InsideRequest): Promise<AdvisedResponse> {
  const { advisor, request, next } = turn
  if (turn.isAsking) throw (await loadAdvisorFaults()).nextTwice(advisor)
  if (!changed?.prompt) throw (await loadAdvisorFaults()).noRequest(advisor)
  turn.isAsking = true
  try {
    // A request with `inside` was copied from the one given, not built anew. It need not be the same `inside`: the loop
    // gives each round an observation of its own.
    const isWhole = changed.inside !== undefined || request.inside === undefined
    const isSame = changed.emit === request.emit && isWhole
    const answer = await next(isSame ? changed : guarded(turn, changed))
    if (turn.emitFailure) throw (await loadAdvisorFaults()).emitFailed(advisor, turn.emitFailure)
    return answer
  } finally {
    turn.isAsking = false
  }
}

/** The advisor's request, its `emit` made safe: an event that makes it throw goes on as it was. */
function guarded(turn: Turn, changed: InsideRequest): InsideRequest {
  const { request } = turn
  const { emit = request.emit } = changed
  const failed = (cause: unknown): void => void (turn.emitFailure ??= { cause })
  return {
    // An advisor that built its request anew may have left something out.
    ...request,
    ...changed,
    emit(event) {
      try {
        const returned: unknown = emit(event)
        // Nobody waits for an async one; what it throws must not end the process.
        if (returned instanceof Promise) returned.catch(failed)
      } catch (cause) {
        failed(cause)
        request.emit(event)
      }
    },
  }
}

function isAnswer(answer: unknown): boolean {
  const { response, messages, rounds } = Object(answer) as Partial<AdvisedResponse>
  return Array.isArray(response?.results) && Array.isArray(messages) && Array.isArray(rounds)
}

/** A tool that settled too late is reported even after the run. */
const isLateResult = (event: ChatEvent): boolean =>
  event.type === 'notice' && event.code === 'late-result'

function lateEmit({ advisor, request }: Turn, type: ChatEvent['type']): ChatEvent {
  const { runId, round } = request
  const message = `The event "${type}" came after the turn of advisor "${advisor.name}" had ended; it was dropped.`
  return { ...notice('late-emit', message, { advisor: advisor.name }), runId, round }
}
