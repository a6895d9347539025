/** The port and the journal, without Temporal between them: what goes over the wire is JSON here, too. */
import type { Durability, ToolStep } from 'toolwright'
import { durabilityContract } from 'toolwright/testing'
import { describe, expect, it } from 'vitest'
import { beginStep } from './shared/temporal/run-workflow.ts'
import { StepJournal, type StepEnd, type StepStart } from './shared/temporal/step-journal.ts'
import { temporalDurability, type RunWorkflow } from './shared/temporal/temporal-durability.ts'

const overWire = <T>(value: T): T =>
  value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T)

/** Does what the handlers of the workflow do. */
function workflowOf(journal: StepJournal): RunWorkflow {
  const executeUpdate = async (
    update: { readonly name: string },
    { args }: { readonly args: [StepStart | StepEnd] },
  ): Promise<unknown> => {
    const [step] = overWire(args)
    if (journal.isStale(step)) throw new Error('refused')
    return update.name === beginStep.name
      ? overWire(journal.begin(step as StepStart))
      : journal.end(step)
  }
  return { executeUpdate: executeUpdate as RunWorkflow['executeUpdate'] }
}

const attemptOf = (journal: StepJournal, attempt: number): Durability =>
  temporalDurability(workflowOf(journal), { runId: 'run', segment: 1, attempt })

describe('the port on Temporal keeps the contract', () => {
  const journals = new WeakMap<Durability, StepJournal>()
  const open = (journal: StepJournal, attempt: number): Durability => {
    const durability = attemptOf(journal, attempt)
    journals.set(durability, journal)
    return durability
  }
  const suite = durabilityContract({
    records: true,
    create: () => open(new StepJournal(1), 1),
    reopen: (durability) => open(journals.get(durability)!, 2),
    async cutOff(durability, key, tool) {
      await new Promise<void>((begun) => {
        void durability.step(key, () => new Promise(() => begun()), tool)
      })
      return open(journals.get(durability)!, 2)
    },
  })
  for (const { name, run } of suite) it(name, run)
})

describe('an attempt that another has taken over from', () => {
  const ship: ToolStep = {
    toolName: 'ship',
    callId: 'call_1',
    effect: 'once',
    input: {},
    isUndoable: false,
  }

  it('can neither begin nor record a step, and its call is not run again', async () => {
    const journal = new StepJournal(1)
    const [first, second] = [attemptOf(journal, 1), attemptOf(journal, 2)]
    let finish!: (value: string) => void
    const shipping = first.step('ship', () => new Promise<string>((done) => (finish = done)), ship)
    await expect(second.step('ship', async () => 'twice', ship)).rejects.toMatchObject({
      code: 'unknown-outcome',
    })
    finish('shipped')
    await expect(shipping).rejects.toThrow('refused')
    await expect(first.step('next', async () => 'never')).rejects.toThrow('refused')
  })
})
