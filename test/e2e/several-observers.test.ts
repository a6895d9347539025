/** Several observers of one client: each is told for itself, and none depends on the others. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { describe, expect, it } from 'vitest'
import { ChatClient, tool, type Observer } from 'toolwright'
import { recordingObserver, scriptedModel, type RecordingObserver } from 'toolwright/testing'
import { eventsOf, scenario } from './scenario.ts'

const SHAPE = [
  'client scripted',
  '  advisor tool-calling',
  '    round 1',
  '      model scripted',
  '      tool look',
  '    round 2',
  '      model scripted',
]
const script = [{ toolCalls: [{ name: 'look', arguments: { at: 'secret' } }] }, 'Done.']
const look = tool({
  name: 'look',
  input: { type: 'object', properties: { at: { type: 'string' } } },
  execute: () => 'seen',
})

describe('several observers', () => {
  let plain: RecordingObserver
  let curious: RecordingObserver
  scenario('each has its own tree, and content only if it asks for it', {
    script,
    client: () => ({
      observer: [(plain = recordingObserver()), (curious = recordingObserver({ content: true }))],
    }),
    tools: () => [look],
    check() {
      expect(plain.outline()).toEqual(SHAPE)
      expect(curious.outline()).toEqual(SHAPE)
      const told = (recorder: RecordingObserver): string =>
        JSON.stringify(recorder.observations, (key, value: unknown) =>
          key === 'parent' ? undefined : value,
        )
      expect(told(plain)).not.toContain('secret')
      expect(told(curious)).toContain('secret')
    },
  })

  const fail = (): never => {
    throw new Error('broken')
  }
  for (const broken of [
    { start: fail },
    { start: () => ({ end: fail, event: fail }), around: fail },
  ] satisfies readonly Observer[])
    scenario(`one that fails costs the other nothing: ${Object.keys(broken).join()}`, {
      script,
      client: () => ({ observer: [broken, (plain = recordingObserver()), broken] }),
      tools: () => [look],
      check({ result, events }) {
        expect(result.status).toBe('done')
        expect(plain.outline()).toEqual(SHAPE)
        expect(eventsOf(events, 'notice').map(({ code }) => code)).toEqual(['observer-failed'])
      },
    })

  it('each runs the work inside its own surroundings, the first outermost', async () => {
    const places = [new AsyncLocalStorage<string>(), new AsyncLocalStorage<string>()]
    const order: string[] = []
    const surrounding = (index: number): Observer => ({
      start: (kind) => ({ kind }) as never,
      around(observation, run) {
        const { kind } = observation as { readonly kind?: string }
        if (kind === 'tool') order.push(`${index}`)
        return places[index]!.run(`${kind} ${index}`, run)
      },
    })
    const seen: unknown[] = []
    const client = ChatClient.create(scriptedModel([{ toolCalls: [{ name: 'where' }] }, 'Done.']), {
      observer: [surrounding(0), surrounding(1)],
      tools: [tool({ name: 'where', execute: () => seen.push(places.map((p) => p.getStore())) })],
    })
    await client.prompt('Go').call().content()
    expect(seen).toEqual([['tool 0', 'tool 1']])
    expect(order).toEqual(['0', '1'])
  })

  it('a list with something else in it is refused', () => {
    expect(() =>
      ChatClient.create(scriptedModel([]), { observer: [recordingObserver(), {} as Observer] }),
    ).toThrow('observer is array of 2; it takes an object with start(), or a list of these.')
  })
})
