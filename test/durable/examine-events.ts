/**
 * Holds what readers of a run were told against how it ended: every call and every result once, every answer ended, and
 * the text whole.
 */
import type { ChatEvent } from 'toolwright'
import type { Finding } from './examine.ts'
import type { EndedRun } from './run-desk.ts'
import { CALLS } from './twelve-steps.ts'

export function examineEvents(
  { runId, text, messages }: EndedRun,
  events: readonly ChatEvent[],
): readonly Finding[] {
  const told = withoutVoid(events)
  const last = Math.max(...told.map(({ round = 1 }) => round))
  const toldText = told
    .map((event) => (event.type === 'text-delta' && event.round === last ? event.text : ''))
    .join('')
  const expected = CALLS.flatMap(({ callId }) => [`tool-call ${callId}`, `tool-result ${callId}`])
  const found = told.flatMap((event) =>
    event.type === 'tool-call' || event.type === 'tool-result'
      ? [`${event.type} ${event.toolCall.id}`]
      : [],
  )
  const answers = messages.filter(({ role }) => role === 'assistant').length
  const ends = told.filter(({ type }) => type === 'round-end').length
  const finding = (details: string): Finding => ({ runId, problem: 'told-wrong', details })
  return [
    ...expected.filter((name) => !found.includes(name)).map((name) => finding(`not told: ${name}`)),
    ...found
      .filter((name, index) => found.indexOf(name) !== index)
      .map((name) => finding(`told twice: ${name}`)),
    ...(toldText === text ? [] : [finding(`the text told is ${JSON.stringify(toldText)}`)]),
    ...(ends === answers ? [] : [finding(`${answers} answers, ${ends} ends of rounds`)]),
  ]
}

/** What was told of an answer that a crash cut off is void when a notice says so. */
function withoutVoid(events: readonly ChatEvent[]): readonly ChatEvent[] {
  let told: readonly ChatEvent[] = []
  for (const event of events) {
    if (event.type === 'notice' && event.code === 'round-restarted')
      told = told.filter(({ round = 1 }) => round !== event.round)
    told = [...told, event]
  }
  return told
}
