/** An advisor that emitted nothing, or something that is no event, once ended the run with a TypeError. */
import { describe, expect, it } from 'vitest'
import { advisor, AdvisorError, ChatClient, ORDER, type Advisor, type ChatEvent } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { eventsOf, scenario } from '../e2e/scenario.ts'

const NO_EVENTS = [
  undefined,
  null,
  7,
  'text',
  true,
  {},
  [],
  { type: 7 },
  Promise.resolve(),
] as const

const WAYS: Record<string, (emitted: unknown) => Advisor> = {
  'emits it before the answer': (emitted) => ({
    name: 'odd',
    order: ORDER.first,
    async advise(request, next) {
      request.emit(emitted as ChatEvent)
      return next(request)
    },
  }),
  'emits it after the answer': (emitted) => ({
    name: 'odd',
    order: ORDER.first,
    async advise(request, next) {
      const answer = await next(request)
      request.emit(emitted as ChatEvent)
      return answer
    },
  }),
  'passes it on for every event': (emitted) => ({
    name: 'odd',
    order: ORDER.last,
    advise: (request, next) => next({ ...request, emit: () => request.emit(emitted as ChatEvent) }),
  }),
}

for (const [way, make] of Object.entries(WAYS))
  describe(`an advisor that ${way}`, () => {
    for (const emitted of NO_EVENTS)
      scenario(
        `is named in an error: ${emitted instanceof Promise ? 'a promise' : JSON.stringify(emitted)}`,
        {
          script: ['Hello.'],
          client: () => ({ advisors: [make(emitted)] }),
          check({ error }) {
            expect(error).toBeInstanceOf(AdvisorError)
            expect(error).toMatchObject({ code: 'advisor-no-event', advisorName: 'odd' })
          },
        },
      )
  })

scenario('onEvent that returns no event is named too', {
  script: ['Hello.'],
  client: () => ({ advisors: [advisor({ name: 'odd', onEvent: () => 7 as never })] }),
  check: ({ error }) =>
    void expect(error).toMatchObject({ code: 'advisor-no-event', advisorName: 'odd' }),
})

it('what is no event and comes too late harms nobody', async () => {
  let late: ((event: ChatEvent) => void) | undefined
  const keeping: Advisor = {
    name: 'odd',
    order: ORDER.first,
    advise(request, next) {
      late = request.emit
      return next(request)
    },
  }
  const run = ChatClient.create(scriptedModel(['Hello.']), { advisors: [keeping] })
    .prompt('Go')
    .stream()
  expect((await run.result()).status).toBe('done')
  for (const emitted of NO_EVENTS) late!(emitted as ChatEvent)
  const events: ChatEvent[] = []
  for await (const event of run) events.push(event)
  expect(eventsOf(events, 'response')).toHaveLength(1)
})
