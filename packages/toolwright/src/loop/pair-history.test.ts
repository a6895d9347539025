import { afterAll, describe, expect, it } from 'vitest'
import type { Message, ToolCall } from '../messages/message.ts'
import { pairHistory } from './pair-history.ts'
import { StepCounter } from '../../../../test/regression/step-counter.ts'

const call = (id: string, name = 'look'): ToolCall => ({
  type: 'tool-call',
  id,
  name,
  arguments: '{}',
})
const asked = (id: string, runId?: string): Message => ({
  role: 'assistant',
  content: [call(id)],
  ...(runId && { runId }),
})
const told = (id: string, content: string, runId?: string): Message => ({
  role: 'tool',
  responses: [{ id, name: 'look', content }],
  ...(runId && { runId }),
})
/** Each call's id and what it was told, in order. */
const pairsOf = (messages: readonly Message[]): readonly string[] =>
  messages.flatMap((message) =>
    message.role === 'tool'
      ? message.responses.map(({ id, content }) => `${id}: ${String(content)}`)
      : [],
  )

describe('runs that stand side by side', () => {
  it('a response is found anywhere after its call', () => {
    const paired = pairHistory([asked('a'), asked('b'), told('b', 'B'), told('a', 'A')])
    expect(pairsOf(paired)).toEqual(['a: A', 'b: B'])
  })

  it('equal ids are told apart by their run; those of the run that asks stay as they are', () => {
    const history = [asked('x', 'r1'), asked('x', 'r2'), told('x', 'second', 'r2'), told('x', 'first', 'r1')] // prettier-ignore
    expect(pairsOf(pairHistory(history, 'r1'))).toEqual(['x: first', 'x_2: second'])
    expect(pairsOf(pairHistory(history, 'r2'))).toEqual(['x_2: first', 'x: second'])
    expect(pairsOf(pairHistory(history))).toEqual(['x: first', 'x_2: second'])
  })

  it('a call is never told the result of another run', () => {
    const history = [asked('x', 'r1'), asked('x', 'r2'), told('x', 'second', 'r2')]
    const [first, second] = pairsOf(pairHistory(history, 'r2'))
    expect(first).toContain('not there yet')
    expect(second).toBe('x: second')
  })

  it('where no run is named, a response is to the latest call of its id', () => {
    const history = [asked('x'), asked('x'), told('x', 'second'), told('x', 'again')]
    expect(pairsOf(pairHistory(history))).toEqual([
      'x: No result was recorded for this call.',
      'x_2: second',
    ])
  })
})

const counter = new StepCounter()
afterAll(() => counter.close())

it('takes steps in proportion to the history, also when all ids are the same', async () => {
  const HISTORIES: Record<string, (n: number) => readonly Message[]> = {
    'one id, all calls first': (n) => [
      ...Array.from({ length: n }, () => asked('x')),
      ...Array.from({ length: n }, () => told('x', 'X')),
    ],
    'one id in one message': (n) => [
      { role: 'assistant', content: Array.from({ length: n }, () => call('x')) },
      { role: 'tool', responses: Array.from({ length: n }, () => ({ id: 'x', name: 'look', content: 'X' })) }, // prettier-ignore
    ],
    'many runs with one id': (n) => [
      ...Array.from({ length: n }, (_, run) => asked('x', `r${run}`)),
      ...Array.from({ length: n }, (_, run) => told('x', 'X', `r${run}`)),
    ],
    'many ids, far apart': (n) => [
      ...Array.from({ length: n }, (_, at) => asked(`x${at}`)),
      ...Array.from({ length: n }, (_, at) => told(`x${at}`, 'X')),
    ],
  }
  for (const [name, make] of Object.entries(HISTORIES)) {
    const [small, large] = [make(500), make(2_000)]
    // What is compiled the first time is no part of the growth.
    pairHistory(small, 'r1')
    const few = await counter.stepsOf(() => pairHistory(small, 'r1'))
    const many = await counter.stepsOf(() => pairHistory(large, 'r1'))
    expect(few, name).toBeGreaterThan(500)
    // Four times as much: a quadratic way would take sixteen times the steps.
    expect(many / few, name).toBeLessThan(8)
  }
})
