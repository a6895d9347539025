/**
 * What is measured, and how much CPU time toolwright may use for it. A bar is a ratio of minima to a
 * hand-written loop that holds the same conversation.
 */
import { parseMockModel, TEXT_CHUNK } from './mock-model.ts'

export interface WireCase {
  readonly name: string
  readonly title: string
  readonly model: string
  readonly stream: boolean
  /** Conversations per batch: small enough that some batches meet no interference. */
  readonly batch: number
  readonly bars: { readonly fetch: number; readonly http?: number }
}

export const CASES: readonly WireCase[] = [
  {
    name: 'r1c1',
    title: '1 round of 1 call',
    model: 'mock-r1-c1',
    stream: false,
    batch: 40,
    bars: { fetch: 0.58, http: 2.0 },
  },
  {
    name: 'r5c1',
    title: '5 rounds of 1 call',
    model: 'mock-r5-c1',
    stream: false,
    batch: 12,
    bars: { fetch: 0.58, http: 2.0 },
  },
  {
    name: 'r1c10',
    title: '1 round of 10 parallel calls',
    model: 'mock-r1-c10',
    stream: false,
    batch: 24,
    bars: { fetch: 0.7 },
  },
  {
    name: 'r20c4',
    title: '20 rounds of 4 parallel calls',
    model: 'mock-r20-c4',
    stream: false,
    batch: 4,
    bars: { fetch: 0.7 },
  },
  {
    name: 'r10k500',
    title: '10 rounds of 1 call, 500 tools offered',
    model: 'mock-r10-c1-k500',
    stream: false,
    batch: 2,
    bars: { fetch: 1.05 },
  },
  {
    name: 'text2000',
    title: 'streamed text, 2,000 chunks',
    model: 'mock-r0-t2000-p10',
    stream: true,
    batch: 5,
    bars: { fetch: 0.65 },
  },
  {
    name: 'text2000v3',
    title: 'streamed text, 2,000 chunks, three advisors that wrap emit',
    model: 'mock-r0-t2000-p10-v3',
    stream: true,
    batch: 5,
    bars: { fetch: 1.0 },
  },
  {
    name: 'args16k',
    title: 'streamed arguments, 16 kB in 20-byte deltas',
    model: 'mock-r1-c1-a16000-d20-p10',
    stream: true,
    batch: 6,
    bars: { fetch: 0.75 },
  },
  {
    name: 'args64k',
    title: 'streamed arguments, 64 kB in 20-byte deltas',
    model: 'mock-r1-c1-a64000-d20-p10',
    stream: true,
    batch: 2,
    bars: { fetch: 0.75 },
  },
  {
    name: 'args256k',
    title: 'streamed arguments, 256 kB in 20-byte deltas',
    model: 'mock-r1-c1-a256000-d20-p10',
    stream: true,
    batch: 1,
    bars: { fetch: 0.75 },
  },
]

/** Four times the input may cost at most this many times the CPU: 4 would be exact, 16 quadratic. */
export const LINEAR_BAR = 5

/** Pairs of cases of which the second has four times the input of the first. */
export const GROWTH: readonly (readonly [string, string])[] = [
  ['args16k', 'args64k'],
  ['args64k', 'args256k'],
]

/** What one conversation must have done, whoever held it. */
export interface Work {
  readonly executions: number
  /** Characters of `note` that reached the tools. */
  readonly noteCharacters: number
  /** Characters of the final text. */
  readonly textCharacters: number
}

export function expectedWork(wireCase: WireCase): Work {
  const model = parseMockModel(wireCase.model)
  const executions = model.rounds * model.calls
  return {
    executions,
    noteCharacters: executions * model.argumentBytes,
    textCharacters: model.textChunks * TEXT_CHUNK.length,
  }
}
