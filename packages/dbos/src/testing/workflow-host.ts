/**
 * A durability whose steps run inside a workflow of DBOS, for suites that call it from outside one. A life is one
 * execution of the workflow; `reopen` lets DBOS recover it, which is what happens after a crash.
 */
import { randomUUID } from 'node:crypto'
import { DBOS } from '@dbos-inc/dbos-sdk'
import { DBOSExecutor } from '@dbos-inc/dbos-sdk/internal/dbos-executor'
import type { Durability, ToolStep } from 'toolwright'

type Job = () => void
interface Life {
  readonly jobs: (job: Job) => void
}

export interface WorkflowHost {
  create(): Promise<Durability>
  /** Another life of the same workflow. */
  reopen(durability: Durability): Promise<Durability>
  /** Another life, after the one before was cut off in the middle of this step. */
  cutOff(durability: Durability, key: string, tool: ToolStep): Promise<Durability>
}

/** Called before DBOS is launched. */
export function workflowHost(durability: Durability): WorkflowHost {
  const entered = new Map<string, (life: Life) => void>()
  const names = new WeakMap<Durability, string>()
  const host = DBOS.registerWorkflow(
    async (id: string) => {
      let wake = (): void => {}
      const waiting: Job[] = []
      entered.get(id)!({ jobs: (job) => (waiting.push(job), wake()) })
      for (;;) {
        for (const job of waiting.splice(0)) job()
        await new Promise<void>((resolve) => (wake = resolve))
      }
    },
    { name: 'workflow-host' },
  )
  const lifeOf = async (id: string, begin: () => Promise<unknown>): Promise<Durability> => {
    const entering = new Promise<Life>((resolve) => entered.set(id, resolve))
    await begin()
    const { jobs } = await entering
    const inside = <T>(work: () => Promise<T>): Promise<T> =>
      new Promise((resolve, reject) => jobs(() => void work().then(resolve, reject)))
    const life: Durability = {
      ...durability,
      step: (key, run, tool) => inside(() => durability.step(key, run, tool)),
      runId: () => inside(async () => durability.runId?.()),
    }
    names.set(life, id)
    return life
  }
  const reopen = (life: Durability): Promise<Durability> =>
    lifeOf(names.get(life)!, () =>
      DBOSExecutor.globalInstance!.recoverPendingWorkflows([DBOS.executorID]),
    )
  return {
    async cutOff(life, key, tool) {
      await new Promise<void>((begun) => {
        const never = (): Promise<never> => (begun(), new Promise(() => {}))
        life.step(key, never, tool).catch(() => {})
      })
      return reopen(life)
    },
    create: () => {
      const id = randomUUID()
      return lifeOf(id, () => DBOS.startWorkflow(host, { workflowID: id })(id))
    },
    reopen,
  }
}
