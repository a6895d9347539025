/** One life of a run in this process: who owns it, what its readers are told, and whether it is still ours. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { DBOSWorkflowConflictError } from '@dbos-inc/dbos-sdk'
import type { Pool } from 'pg'
import type { ToolStep } from 'toolwright'
import { patiently } from '../database/patiently.ts'
import type { EventLog } from '../events/event-log.ts'
import { beginStep } from './begin-step.ts'
import type { Owner } from './owner.ts'
import { unknownOutcome, type StepScope } from './recorded-step.ts'

export interface RunScopeParts {
  readonly pool: Pool
  readonly owner: Owner
  readonly stepBytes: number
  readonly log?: EventLog
  /** Fingerprints of the tools that the client offers, by name. */
  readonly definitions?: { readonly [toolName: string]: string }
  /** Makes the tables, where nobody has. */
  readonly ready?: () => Promise<void>
}

export class RunScope implements StepScope {
  readonly stepBytes: number
  readonly given = new Map<string, unknown>()
  readonly #parts: RunScopeParts
  readonly #aborter = new AbortController()
  #isLeft = false

  constructor(parts: RunScopeParts) {
    this.#parts = parts
    this.stepBytes = parts.stepBytes
  }

  get runId(): string {
    return this.#parts.owner.runId
  }

  get workflowId(): string {
    return this.#parts.owner.workflowId
  }

  /** Tells this execution of the workflow from every other. */
  get ownerXid(): string {
    return this.#parts.owner.ownerXid
  }

  /** Aborted when this worker shall not go on with the run. */
  get signal(): AbortSignal {
    return this.#aborter.signal
  }

  get isLeft(): boolean {
    return this.#isLeft
  }

  /** Another worker has the run, or will have it. */
  leave(): void {
    this.#isLeft = true
    this.#aborter.abort(new DBOSWorkflowConflictError(this.workflowId))
  }

  begin(step: string, tool: ToolStep | undefined): Promise<void> | undefined {
    // These change nothing outside. Should the run be another worker's by now, DBOS does not record them here.
    const isHarmless = !tool && (HARMLESS.test(step) || ROUND_OF_MODEL.test(step))
    return isHarmless ? undefined : this.#begin(step, tool)
  }

  enter(step: string, tool: ToolStep | undefined): void {
    const asked = tool ? undefined : ROUND_OF_MODEL.exec(step)
    if (asked) this.#parts.log?.restart(step, Number(asked[1] ?? 1))
  }

  async #begin(step: string, tool: ToolStep | undefined): Promise<void> {
    const { pool, owner, definitions, ready } = this.#parts
    await ready?.()
    const token = randomUUID()
    const definition = tool && definitions && ownValue(definitions, tool.toolName)
    const begin = { owner, step, token, tool, definition }
    const begun = await patiently(() => beginStep(pool, begin), { signal: this.signal })
    if (!begun.isOwner) {
      this.leave()
      throw new DBOSWorkflowConflictError(this.workflowId)
    }
    if (tool?.effect === 'once' && begun.wasBegun) throw unknownOutcome(tool)
  }
}

/** A tool may be called like something that every object has. */
const ownValue = (all: { readonly [key: string]: string }, key: string): string | undefined =>
  Object.hasOwn(all, key) ? all[key] : undefined

/** The step in which the model is asked, at the end of its key; advisors inside the loop stand between. */
const ROUND_OF_MODEL = /^(?:(?:.*\/)?round-(\d+)\/(?:.*\/)?)?model(?:#\d+)?$/

/** Steps that only settle what the run itself decides. Those that a tool names itself may be called anything. */
const HARMLESS = /^(?!.*\/inside-call\/)(?:.*\/)?(?:order|permit|suspend|resume)\//

/** The life that code belongs to, however deep it is called. */
export const scopes = new AsyncLocalStorage<RunScope>()
