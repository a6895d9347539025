/**
 * Hands runs in, waits for them, and decides what they ask, as a careful person would who has the ledger: an outcome that
 * is unknown is looked up there, and whatever needs approval is approved. What was decided is kept for the examination.
 */
import type { Decision, Decisions, PendingCall } from 'toolwright'
import { AnswerError } from '../processes/asked-process.ts'
import type { RestingRun, StartedRun } from './durable-worker.ts'
import type { EffectLedger } from './effect-ledger.ts'
import { sentAs } from './twelve-steps.ts'
import type { WorkerTeam } from './worker-team.ts'

/** A run that has ended, and what it took. */
export interface EndedRun extends RestingRun {
  readonly runId: string
  /** Every decision about an outcome that was unknown. */
  readonly decided: readonly DecidedCall[]
}

export interface DecidedCall {
  readonly callId: string
  readonly toolName: string
  readonly decision: 'retry' | 'result'
}

export interface ManyRuns {
  readonly together: number
  /** The next run to start; undefined when there are no more. */
  readonly next: () => StartedRun | undefined
}

export class RunDesk {
  readonly #team: WorkerTeam
  readonly #ledger: EffectLedger

  constructor(team: WorkerTeam, ledger: EffectLedger) {
    this.#team = team
    this.#ledger = ledger
  }

  async start(run: StartedRun): Promise<void> {
    await this.#team.ask('start', run)
  }

  /** Until it has ended, whatever it asks on the way. */
  async finish(runId: string): Promise<EndedRun> {
    const decided: DecidedCall[] = []
    for (;;) {
      const resting = await this.#team.ask('result', runId).catch((error: Error) => {
        throw new Error(`${runId} did not end: ${error.message}`, { cause: error })
      })
      if (resting.status !== 'suspended') return { ...resting, runId, decided }
      const choices = await this.#choices(runId, resting.pending)
      for (const { callId, toolName } of resting.pending.filter(isUnknown))
        decided.push({ callId, toolName, decision: kindOf(choices[callId]!) })
      try {
        await this.#team.ask('decide', { runId, decisions: choices })
      } catch (error) {
        // The worker that took the decision died before it could say so.
        if (!(error instanceof AnswerError) || error.code !== 'durable-not-waiting') throw error
      }
    }
  }

  /** Keeps so many runs going while there are more to come, and gives all of them when they have ended. */
  async runMany({ together, next }: ManyRuns): Promise<readonly EndedRun[]> {
    const ended: EndedRun[] = []
    const lane = async (): Promise<void> => {
      for (let run = next(); run !== undefined; run = next()) {
        await this.start(run)
        ended.push(await this.finish(run.runId))
      }
    }
    await Promise.all(Array.from({ length: together }, lane))
    return ended
  }

  async #choices(runId: string, pending: readonly PendingCall[]): Promise<Decisions> {
    const sent = await this.#ledger.sent(runId)
    const choice = (pending: PendingCall): Decision => {
      const { kind, toolName, input } = pending
      if (kind === 'approval') return 'approve'
      if (!isUnknown(pending)) throw new Error(`${runId} asks for ${kind} of ${toolName}.`)
      const { call } = input as { readonly call: number }
      const row = sent.find((effect) => effect.call === call)
      return row ? { result: sentAs(call, row.id) } : 'retry'
    }
    return Object.fromEntries(pending.map((call) => [call.callId, choice(call)]))
  }
}

const isUnknown = ({ kind }: PendingCall): boolean => kind === 'unknown-outcome'

const kindOf = (decision: Decision): DecidedCall['decision'] =>
  decision === 'retry' ? 'retry' : 'result'
