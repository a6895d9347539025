import { expect, it } from 'vitest'
import { traceWords, type TraceCall } from 'toolwright/trace'

it.each([
  [0, '0 ms'],
  [0.44, '0.4 ms'],
  [12.6, '13 ms'],
  [1234, '1.23 s'],
  [60_000, '1 min'],
  [7_380_000, '2 h 3 min'],
  [273_600_000, '3 d 4 h'],
])('says that %d ms are %s', (ms, words) => expect(traceWords.duration(ms)).toBe(words))

it('says how long something took, also if it has no end or the clock went back', () => {
  expect(traceWords.durationOf({ startedAt: 5, endedAt: 17 })).toBe('12 ms')
  expect(traceWords.durationOf({ startedAt: 5, endedAt: 1 })).toBe('0 ms')
  expect(traceWords.durationOf({ startedAt: 5 })).toBe('no end')
})

it('says only of the tokens that are known', () => {
  const all = { inputTokens: 1200, cacheReadTokens: 100, outputTokens: 8 }
  expect(traceWords.tokens(all)).toBe('1,200 in (100 cached) + 8 out')
  expect(traceWords.tokens({ outputTokens: 8 })).toBe('8 out')
  expect(traceWords.tokens({})).toBe('')
})

it.each<[Partial<TraceCall>, string]>([
  [{ status: 'done' }, ''],
  [{ status: 'refused', refusal: 'denied' }, 'not run: denied'],
  [{ status: 'suspended' }, 'waits for a decision'],
  [
    { status: 'failed', failure: { name: 'RangeError', message: 'too far' } },
    'failed: RangeError: too far',
  ],
  [{ status: 'open' }, 'no end'],
])('says how a call ended: %j', (call, words) =>
  expect(traceWords.callOutcome(call as TraceCall)).toBe(words),
)

it('says what waits, also of a kind that only the file knows', () => {
  const call = { toolName: 'pay', callId: 'c2' }
  expect(traceWords.pending({ ...call, kind: 'approval' })).toBe('pay (c2) waits for approval')
  expect(traceWords.pending({ ...call, kind: 'constructor', line: 3 } as never)).toBe(
    'pay (c2, line 3) waits for constructor',
  )
})
