/**
 * Conversations as runs leave them: some alone, some side by side, with parallel calls, calls that were never
 * answered because their run was suspended or aborted, ids that come twice, and system messages in between.
 */
import type { Message } from 'toolwright'

/** From 0 up to, not including, `below`. */
export type Dice = (below: number) => number

/** A run's messages in the order it writes them; what is written at once stands together. */
type Writes = readonly (readonly Message[])[]

export function randomHistory(dice: Dice): Writes {
  const history: (readonly Message[])[] = []
  if (dice(3) === 0) history.push([system(dice)])
  const groups = 1 + dice(6)
  for (let group = 0; group < groups; group++) {
    const together = dice(3) === 0 ? 2 + dice(2) : 1
    const runs = Array.from({ length: together }, (_, index) =>
      randomRun(dice, { name: `${group}.${index}`, isAlone: together === 1 }),
    )
    history.push(...interleaved(runs, dice))
    if (dice(8) === 0) history.push([system(dice)])
  }
  return history
}

const system = (dice: Dice): Message => ({ role: 'system', content: `Be kind ${dice(3)}.` })

/** Each run's writes in their order, those of several by chance. */
function interleaved(runs: readonly Writes[], dice: Dice): Writes {
  const left = runs.map((writes) => [...writes])
  const all: (readonly Message[])[] = []
  while (left.some((writes) => writes.length > 0)) {
    const next = left[dice(left.length)]!.shift()
    if (next) all.push(next)
  }
  return all
}

interface RunFacts {
  readonly name: string
  readonly isAlone: boolean
}

function randomRun(dice: Dice, { name, isAlone }: RunFacts): Writes {
  // A memory outside the loop stores a turn's exchange at once; one inside marks each step with its run.
  const isInside = !isAlone || dice(2) === 0
  const mark = isInside ? { runId: `run ${name}` } : {}
  const steps: Message[] = []
  const rounds = dice(4)
  for (let round = 0; round < rounds; round++) {
    const ids = Array.from({ length: 1 + dice(3) }, (_, index) => `call_${round}_${index}`)
    const calls = ids.map((id) => ({
      type: 'tool-call' as const,
      id,
      name: 'look',
      arguments: dice(10) === 0 ? '{"n":' : '{"n":1}',
    }))
    const said = dice(3) === 0 ? [{ type: 'text' as const, text: `Looking for ${name}.` }] : []
    steps.push({ role: 'assistant', ...mark, content: [...said, ...calls] })
    // Suspended for ever, aborted, or crashed.
    if (isInside && dice(8) === 0) return writesOf(name, steps, isInside)
    const responses = ids.map((id) => ({ id, name: 'look', content: `found ${name}` }))
    steps.push({ role: 'tool', ...mark, responses })
  }
  const isSilent = dice(12) === 0
  if (dice(10) > 0) steps.push({ role: 'assistant', content: isSilent ? '' : `Answer ${name}.` })
  return writesOf(name, steps, isInside)
}

function writesOf(name: string, steps: readonly Message[], isInside: boolean): Writes {
  const question: Message = { role: 'user', content: `Question ${name}?` }
  const rest = isInside ? steps.map((step) => [step]) : [steps]
  return [[question], ...rest.filter((messages) => messages.length > 0)]
}
