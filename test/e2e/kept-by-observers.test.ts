/** What an observer keeps of a suspended run, and has back when the run goes on. */
import { describe, expect } from 'vitest'
import { tool, type ClientInfo, type Json, type Observer } from 'toolwright'
import { eventsOf, scenario } from './scenario.ts'

/** Notes what each leg was given, and keeps what `keep` says. */
function keeping(name: string | undefined, keep: (info: ClientInfo) => unknown) {
  const given: unknown[] = []
  const observer: Observer = {
    ...(name !== undefined && { name }),
    start(_kind, info) {
      if (info.kind !== 'client') return undefined
      given.push(info.kept ?? 'nothing')
      return { keep: () => keep(info) as Json }
    },
  }
  return { observer, given }
}

const pay = tool({ name: 'pay', approval: true, execute: () => 'paid' })
const twice = {
  script: [{ toolCalls: [{ name: 'pay' }] }, { toolCalls: [{ name: 'pay' }] }, 'Paid.'],
  tools: () => [pay],
  resume: [() => ({ call_1: 'approve' }) as const, () => ({ call_2: 'approve' }) as const],
}

describe('what an observer keeps', () => {
  const first = keeping('first', ({ kept }) => kept ?? { leg: 1 })
  const second = keeping('second', () => undefined)
  scenario('comes back in every later leg, to the observer of that name only', {
    ...twice,
    client: () => ({ observer: [first.observer, second.observer] }),
    check({ legs }) {
      expect(first.given.splice(0)).toEqual(['nothing', { leg: 1 }, { leg: 1 }])
      expect(second.given.splice(0)).toEqual(['nothing', 'nothing', 'nothing'])
      expect(legs[0]!.result!.state!.observed).toEqual({ first: { leg: 1 } })
    },
  })

  const nameless = keeping(undefined, () => 'mine')
  scenario('is nothing without a name', {
    ...twice,
    client: () => ({ observer: nameless.observer }),
    check({ legs }) {
      expect(nameless.given.splice(0)).toEqual(['nothing', 'nothing', 'nothing'])
      expect(legs[0]!.result!.state).not.toHaveProperty('observed')
    },
  })

  const cyclic: { self?: unknown } = {}
  cyclic.self = cyclic
  const bad: { readonly [way: string]: () => unknown } = {
    'too much': () => 'x'.repeat(2000),
    'a megabyte': () => ({ ids: ['x'.repeat(1_000_000)] }),
    'no JSON': () => cyclic,
    'a throw': () => {
      throw new Error('no')
    },
    'a promise': async () => 'later',
    'a promise that rejects': async () => {
      throw new Error('no')
    },
  }
  for (const [way, keep] of Object.entries(bad)) {
    const { observer, given } = keeping('bad', keep)
    scenario(`${way} is left out, with one notice, and the run is suspended all the same`, {
      ...twice,
      client: () => ({ observer }),
      check({ legs, result }) {
        expect(given.splice(0)).toEqual(['nothing', 'nothing', 'nothing'])
        expect(result.status).toBe('done')
        expect(legs[0]!.result!.state).not.toHaveProperty('observed')
        const codes = eventsOf(legs[0]!.events, 'notice').map(({ code }) => code)
        expect(codes).toEqual(['observer-failed'])
      },
    })
  }
})
