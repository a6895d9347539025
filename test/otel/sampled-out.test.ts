/** Runs that a sampler drops: dropped whole, at the price of one decision, and counted all the same. */
import { SamplingDecision, type Sampler } from '@opentelemetry/sdk-trace-base'
import { otelObserver, traceContext } from '@toolwright/otel'
import { describe, expect } from 'vitest'
import { tool } from 'toolwright'
import { scenario } from '../e2e/scenario.ts'
import { telemetry } from './telemetry.ts'

const asked: string[] = []
const isKept = { now: false }
const sampler: Sampler = {
  shouldSample(_context, _traceId, name) {
    asked.push(name)
    const { RECORD_AND_SAMPLED, NOT_RECORD } = SamplingDecision
    return { decision: isKept.now ? RECORD_AND_SAMPLED : NOT_RECORD }
  },
}
const seen = telemetry({ sampler })
const carried: (string | undefined)[] = []

const run = (isRecorded: boolean) => ({
  script: [
    { toolCalls: [{ name: 'where' }, { name: 'boom' }], usage: { inputTokens: 3 } },
    'Done.',
  ],
  client() {
    isKept.now = isRecorded
    asked.length = 0
    carried.length = 0
    seen.reset()
    return { observer: otelObserver() }
  },
  tools: () => [
    tool({ name: 'where', execute: () => void carried.push(traceContext().traceparent) }),
    tool({
      name: 'boom',
      execute() {
        throw new RangeError('no')
      },
    }),
  ],
})

describe('a sampler', () => {
  scenario('that drops a run is asked once; metrics are whole, and tools are in its trace', {
    ...run(false),
    async check() {
      expect(asked).toEqual(['invoke_agent'])
      expect(seen.finished()).toEqual([])
      // The SDK makes the id of the span first.
      const [spanId, traceId] = ['1'.padStart(16, '0'), '2'.padStart(32, '0')]
      expect(carried).toEqual([`00-${traceId}-${spanId}-00`])
      const points = await seen.points()
      expect(points['gen_ai.invoke_agent.inference_calls']).toEqual([{ is: { count: 1, sum: 2 } }])
      expect(points['gen_ai.execute_tool.duration']).toMatchObject([
        { 'gen_ai.tool.name': 'where' },
        { 'gen_ai.tool.name': 'boom', 'error.type': 'tool-execution' },
      ])
    },
  })

  scenario('that keeps a run is asked for each span', {
    ...run(true),
    check() {
      expect(asked.toSorted()).toEqual([
        'chat scripted',
        'chat scripted',
        'execute_tool boom',
        'execute_tool where',
        'invoke_agent',
      ])
      expect(seen.finished()).toHaveLength(5)
    },
  })
})
