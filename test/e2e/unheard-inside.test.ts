/** Observers that want to hear of nothing inside a run: `inside: false`. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { describe, expect } from 'vitest'
import {
  ProviderError,
  retryAdvisor,
  tool,
  type ObservationOutcome,
  type Observer,
} from 'toolwright'
import { recordingObserver, type RecordingObserver } from 'toolwright/testing'
import { scenario } from './scenario.ts'

const place = new AsyncLocalStorage<string>()

/** Notes all that it is told of, and takes only the whole run. */
function outsideOnly() {
  const told: string[] = []
  const ends: ObservationOutcome[] = []
  const observer: Observer = {
    name: 'outside',
    start(kind, { name }) {
      told.push(`start ${kind} ${name}`)
      return {
        inside: false,
        logged: { trace: 'seven' },
        end: (outcome) => void ends.push(outcome),
        event: ({ code }) => void told.push(`event ${code}`),
        keep: () => 'kept',
      }
    },
    around: (_observation, run) => place.run('in the run', run),
  }
  return { observer, told, ends }
}

const script = [
  { toolCalls: [{ name: 'look' }, { name: 'nothing' }, { name: 'fail' }] },
  { toolCalls: [{ name: 'pay' }] },
  'Done.',
]
const seen: unknown[] = []
const tools = () => [
  tool({ name: 'look', execute: () => void seen.push(place.getStore()) }),
  tool({
    name: 'fail',
    execute() {
      throw new Error('no')
    },
  }),
  tool({ name: 'pay', approval: true, execute: () => 'paid' }),
]
const resume = [() => ({ call_4: 'approve' }) as const]

const busy = {
  error: new ProviderError('provider-unavailable', 'Busy.', {
    provider: 'scripted',
    retryable: true,
  }),
}

describe('an observation that is told of nothing inside', () => {
  let outside: ReturnType<typeof outsideOnly>
  scenario('hears how each leg began and ended, and the work is done within it', {
    script,
    tools,
    resume,
    client: () => ({ observer: (outside = outsideOnly()).observer }),
    check({ legs, result }) {
      expect(result.status).toBe('done')
      expect(outside.told).toEqual(['start client scripted', 'start client scripted'])
      expect(outside.ends).toMatchObject([
        { kind: 'client', failed: false, finishReason: 'suspended', pending: ['pay'] },
        { kind: 'client', failed: false, finishReason: 'stop', rounds: 3 },
      ])
      expect(seen.splice(0)).toEqual(['in the run'])
      expect(legs[0]!.result!.state!.observed).toEqual({ outside: 'kept' })
    },
  })

  scenario('is not told what an advisor inside tries again', {
    script: [busy, 'Done.'],
    client: () => ({
      observer: (outside = outsideOnly()).observer,
      advisors: [retryAdvisor({ delayMs: 0 })],
    }),
    check({ result }) {
      expect(result.status).toBe('done')
      expect(outside.told).toEqual(['start client scripted'])
    },
  })

  let other: RecordingObserver
  let lines: { readonly message: string; readonly trace: unknown }[]
  scenario('leaves the others and the log as they are', {
    script,
    tools,
    resume,
    client() {
      outside = outsideOnly()
      other = recordingObserver()
      lines = []
      const log = (message: string, data: { readonly trace?: unknown } = {}): void =>
        void lines.push({ message, trace: data.trace })
      return {
        observer: [outside.observer, other],
        logger: { debug: log, info: log, warn: log, error: log },
      }
    },
    check() {
      expect(outside.told).toEqual(['start client scripted', 'start client scripted'])
      expect(other.outline()).toEqual([
        'client scripted',
        '  advisor tool-calling',
        '    round 1',
        '      model scripted',
        '      tool look',
        '      tool nothing !',
        '      tool fail !',
        '    round 2',
        '      model scripted',
        'client scripted',
        '  advisor tool-calling',
        '    round 2',
        '      tool pay',
        '    round 3',
        '      model scripted',
      ])
      expect(lines.find(({ message }) => message === 'tool look started')).toBeDefined()
      expect(new Set(lines.map(({ trace }) => trace))).toEqual(new Set(['seven']))
    },
  })
})
