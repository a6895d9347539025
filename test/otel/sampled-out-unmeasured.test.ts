/** Runs that a sampler drops where nobody takes metrics: nothing inside them is told. */
import { metrics } from '@opentelemetry/api'
import { AlwaysOffSampler } from '@opentelemetry/sdk-trace-base'
import { otelObserver, traceContext } from '@toolwright/otel'
import { describe, expect } from 'vitest'
import { tool, type Observer } from 'toolwright'
import { scenario } from '../e2e/scenario.ts'
import { telemetry } from './telemetry.ts'

const seen = telemetry({ sampler: new AlwaysOffSampler() })
const started: string[] = []
const carried: unknown[] = []

/** The observer, and a list of what it is told of. */
function noting(observer: Observer): Observer {
  return {
    ...observer,
    start(kind, info) {
      started.push(kind)
      return observer.start(kind, info)
    },
  }
}

describe('a run that a sampler drops', () => {
  scenario('is told as a whole only, and what its tools call is in its trace', {
    script: [{ toolCalls: [{ name: 'where' }] }, 'Done.'],
    client() {
      started.length = 0
      carried.length = 0
      seen.reset()
      metrics.disable()
      return { observer: noting(otelObserver()) }
    },
    tools: () => [
      tool({ name: 'where', execute: () => void carried.push(traceContext().traceparent) }),
    ],
    check({ result }) {
      expect(result.status).toBe('done')
      expect(started).toEqual(['client'])
      expect(carried).toEqual([`00-${'2'.padStart(32, '0')}-${'1'.padStart(16, '0')}-00`])
      expect(seen.finished()).toEqual([])
    },
  })
})
