/** Lines of the log and spans are joined by their ids: each line has those of the span that it is about, and of no other. */
import { Writable } from 'node:stream'
import { metrics } from '@opentelemetry/api'
import { SamplingDecision, type Sampler } from '@opentelemetry/sdk-trace-base'
import { otelObserver } from '@toolwright/otel'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { advisor, ChatClient, clientTool, pinoLogger, tool, type Logger } from 'toolwright'
import { manualClock, scriptedModel } from 'toolwright/testing'
import { countingIds } from '../../packages/toolwright/src/testing/counting-ids.ts'
import type { Mode } from '../e2e/scenario.ts'
import { telemetry } from './telemetry.ts'

const isKept = { now: true }
const sampler: Sampler = {
  shouldSample: () => ({
    decision: isKept.now ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD,
  }),
}
const seen = telemetry({ sampler })

interface Line {
  readonly msg: string
  readonly runId?: string
  readonly trace_id?: string
  readonly span_id?: string
  readonly trace_flags?: string
}

interface Collected {
  readonly lines: readonly Line[]
  readonly logger: Logger
}

function ofPino(): Collected {
  const lines: Line[] = []
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()) as Line)
      done()
    },
  })
  return { lines, logger: pinoLogger(pino({ level: 'debug' }, sink)) }
}

function plain(): Collected {
  const lines: Line[] = []
  const write = (msg: string, data: object = {}): void => void lines.push({ msg, ...data })
  return { lines, logger: { debug: write, info: write, warn: write, error: write } }
}

/** A run with an advisor, a failing tool, and a run inside a tool. */
async function logged({ lines, logger }: Collected, mode: Mode): Promise<readonly Line[]> {
  const options = { logger, ids: countingIds(), clock: manualClock(), observer: otelObserver() }
  const look = tool({ name: 'look', execute: () => 'seen' })
  const boom = tool({
    name: 'boom',
    execute() {
      throw new RangeError('no')
    },
  })
  const inner = ChatClient.create(scriptedModel([{ toolCalls: [{ name: 'look' }] }, 'Found.']), {
    ...options,
    tools: [look],
  })
  const toolCalls = [{ name: 'boom' }, { name: 'research', arguments: { prompt: 'x' } }]
  const outer = ChatClient.create(scriptedModel([{ toolCalls }, 'Done.']), {
    ...options,
    advisors: [advisor({ name: 'calm' })],
    tools: [boom, clientTool(inner, { name: 'research', description: 'Researches' })],
  })
  await outer.prompt('Go')[mode]().result()
  return lines
}

const idsOf = ({ trace_id, span_id, trace_flags }: Line): string =>
  `${trace_id} ${span_id} ${trace_flags}`

/** The spans in order of their start, each with the lines that have exactly its ids. */
function joined(lines: readonly Line[]): readonly (readonly string[])[] {
  const spans = seen
    .finished()
    .toSorted((a, b) => (a.spanContext().spanId < b.spanContext().spanId ? -1 : 1))
  return spans.map((span) => {
    const { traceId, spanId } = span.spanContext()
    const own = lines.filter((line) => idsOf(line) === `${traceId} ${spanId} 01`)
    return [span.name, ...own.map(({ msg }) => msg)]
  })
}

const during = (what: string, inside: readonly string[] = []): readonly string[] => [
  `${what} started`,
  ...inside,
  `${what} ended`,
]
/** Advisors and rounds have no span, so their lines are the run's. */
const LOOP = during('advisor tool-calling', [...during('round 1'), ...during('round 2')])
const CHAT = ['chat scripted', ...during('model scripted')]

describe('lines of the log', () => {
  for (const mode of ['call', 'stream'] as const) {
    for (const collected of [ofPino, plain])
      it(`have the ids of the span that they are about: ${collected.name}, ${mode}`, async () => {
        isKept.now = true
        seen.reset()
        const lines = await logged(collected(), mode)
        const spans = joined(lines)
        expect(spans).toEqual([
          ['invoke_agent', ...during('client scripted', during('advisor calm', LOOP))],
          CHAT,
          ['execute_tool boom', 'tool boom started', 'tool boom failed: no'],
          ['execute_tool research', ...during('tool research')],
          ['invoke_agent', ...during('client scripted', LOOP)],
          CHAT,
          ['execute_tool look', ...during('tool look')],
          CHAT,
          CHAT,
        ])
        expect(lines).toHaveLength(spans.flatMap(([, ...own]) => own).length)
      })

    for (const isMeasured of [true, false])
      it(`have the ids of the run that a sampler drops, ${isMeasured ? 'with' : 'without'} metrics: ${mode}`, async () => {
        isKept.now = false
        seen.reset()
        if (!isMeasured) metrics.disable()
        const lines = await logged(plain(), mode)
        // The SDK makes the id of the outer run's span first, then that of the trace.
        const trace = '2'.padStart(32, '0')
        const spanOf = { run_1: '1'.padStart(16, '0'), run_2: '3'.padStart(16, '0') }
        for (const [runId, span] of Object.entries(spanOf)) {
          const own = lines.filter((line) => line.runId === runId)
          expect(own.length).toBeGreaterThan(12)
          expect(new Set(own.map(idsOf))).toEqual(new Set([`${trace} ${span} 00`]))
        }
        expect(new Set(lines.map(({ runId }) => runId))).toEqual(new Set(Object.keys(spanOf)))
      })
  }
})
