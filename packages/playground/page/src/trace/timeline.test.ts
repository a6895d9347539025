import { describe, expect, it } from 'vitest'
import type { TraceCall, TraceExchange, TraceLeg, TraceRound, TraceRun } from 'toolwright/trace'
import { looseCallRows, runRows, type BarRow, type TimelineRow } from './timeline.ts'

const call = (given: Partial<TraceCall> & { startedAt: number }): TraceCall => ({
  id: 'c1',
  name: 'pay',
  isOffered: true,
  status: 'done',
  attempts: 1,
  waits: [],
  runs: [],
  calls: [],
  events: [],
  ...given,
})
const exchange = (given: Partial<TraceExchange> & { startedAt: number }): TraceExchange => ({
  model: 'gpt',
  provider: 'openai',
  failed: false,
  toolNames: [],
  options: {},
  ...given,
})
const round = (given: Partial<TraceRound> & { startedAt: number }): TraceRound => ({
  number: 1,
  failed: false,
  exchanges: [],
  calls: [],
  advisors: [],
  ...given,
})
const leg = (given: Partial<TraceLeg> & { startedAt: number }): TraceLeg => ({
  phase: 'start',
  mode: 'stream',
  writer: 'w1',
  status: 'done',
  toolNames: [],
  pending: [],
  rounds: [],
  advisors: [],
  runs: [],
  events: [],
  ...given,
})
const run = (...legs: readonly TraceLeg[]): TraceRun => ({
  id: 'run_1',
  model: 'gpt',
  provider: 'openai',
  startedAt: legs[0]!.startedAt,
  status: 'done',
  usage: {},
  legs,
})
const bars = (rows: readonly TimelineRow[]): readonly BarRow[] =>
  rows.filter((row) => row.type === 'bar')

describe('a run as rows of a timeline', () => {
  it('places rounds, exchanges and calls by their share of the leg', () => {
    const rows = bars(
      runRows(
        run(
          leg({
            startedAt: 1000,
            endedAt: 2000,
            rounds: [
              round({
                startedAt: 1000,
                endedAt: 2000,
                exchanges: [exchange({ startedAt: 1000, firstChunkAt: 1250, endedAt: 1500 })],
                calls: [call({ startedAt: 1500, ranAt: 1600, endedAt: 2000 })],
              }),
            ],
          }),
        ),
        'run',
      ),
    )
    expect(rows.map(({ label, depth }) => [label, depth])).toEqual([
      ['Round 1', 0],
      ['gpt', 1],
      ['pay', 1],
    ])
    expect(rows[1]!.bars).toEqual([
      { kind: 'first', x: 0, width: 0.25 },
      { kind: 'model', x: 0.25, width: 0.25 },
    ])
    expect(rows[2]!.bars[0]).toMatchObject({ kind: 'wait', x: 0.5 })
    expect(rows[2]!.bars[1]).toMatchObject({ kind: 'call', x: 0.6, width: 0.4 })
  })

  it('folds the time between legs into words, and measures each leg by itself', () => {
    const day = 86_400_000
    const rows = runRows(
      run(
        leg({ startedAt: 0, endedAt: 100, status: 'suspended', rounds: [] }),
        leg({
          phase: 'resume',
          writer: 'w2',
          startedAt: day,
          endedAt: day + 100,
          waitedMs: day - 100,
          rounds: [round({ startedAt: day, endedAt: day + 50 })],
        }),
      ),
      'run',
    )
    expect(rows.find(({ type }) => type === 'note')).toMatchObject({
      text: 'resumed by another process after 23 h 59 min of waiting for a decision',
    })
    expect(bars(rows)[0]!.bars).toEqual([{ kind: 'round', x: 0, width: 0.5 }])
  })

  it('lets what has no end reach to the last that is known', () => {
    const rows = bars(
      runRows(
        run(
          leg({
            startedAt: 0,
            status: 'open',
            rounds: [
              round({
                startedAt: 0,
                calls: [
                  call({ startedAt: 50, ranAt: 50, status: 'open' }),
                  call({ startedAt: 0, endedAt: 100 }),
                ],
              }),
            ],
          }),
        ),
        'run',
      ),
    )
    expect(rows[1]!.bars.at(-1)).toEqual({ kind: 'call', x: 0.5, width: 0.5 })
    expect(rows[1]!.time).toBe('no end')
  })

  it('says which call the round waited for, and what calls waited for', () => {
    const rows = bars(
      runRows(
        run(
          leg({
            startedAt: 0,
            endedAt: 100,
            rounds: [
              round({
                startedAt: 0,
                waitedFor: 'c2',
                calls: [
                  call({ startedAt: 0 }),
                  call({
                    id: 'c2',
                    name: 'ship',
                    startedAt: 0,
                    waits: [{ for: 'lock', ms: 10, callId: 'c1', toolName: 'pay' }],
                  }),
                ],
              }),
            ],
          }),
        ),
        'run',
      ),
    )
    expect(rows[0]!.more).toBe('waited for ship')
    expect(rows[2]!.more).toBe('waited 10 ms for its lock, which pay (c1) had')
  })

  it('has calls and runs inside of a call below it, each with an id of its own', () => {
    const inner = run(
      leg({ startedAt: 0, endedAt: 10, rounds: [round({ startedAt: 0, endedAt: 10 })] }),
    )
    const rows = looseCallRows([
      call({
        startedAt: 0,
        endedAt: 10,
        calls: [call({ startedAt: 1, name: 'in' })],
        runs: [inner],
      }),
    ])
    expect(rows.map(({ type }) => type)).toEqual(['axis', 'bar', 'bar', 'run', 'axis', 'bar'])
    expect(bars(rows).map(({ depth }) => depth)).toEqual([0, 1, 1])
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
  })

  it('marks what failed or was not run', () => {
    const rows = bars(
      looseCallRows([
        call({ startedAt: 0, endedAt: 5, status: 'refused', refusal: 'denied' }),
        call({
          startedAt: 0,
          ranAt: 1,
          endedAt: 5,
          status: 'failed',
          failure: { name: 'RangeError' },
        }),
      ]),
    )
    expect(rows.map(({ isBad, more }) => [isBad, more])).toEqual([
      [true, 'not run: denied'],
      [true, 'failed: RangeError'],
    ])
  })
})
