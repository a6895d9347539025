/** Advisors that break their contract: each is named, and the run's readers lose nothing. */
import { describe, expect, it } from 'vitest'
import {
  advisor,
  AdvisorError,
  ChatClient,
  ORDER,
  textOf,
  tool,
  type AdvisedRequest,
  type Advisor,
  type NextAdvisor,
} from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { scenario, typesOf } from './scenario.ts'

const STEP = { toolCalls: [{ name: 'step' }] }
const step = tool({ name: 'step', execute: () => 'ok' })

const advising = (
  advise: (request: AdvisedRequest, next: NextAdvisor) => unknown,
  order: number = ORDER.first,
): Advisor => ({ name: 'odd', order, advise: advise as Advisor['advise'] })

const named = (code: string): unknown => expect.objectContaining({ code, advisorName: 'odd' })

describe('an advisor that', () => {
  for (const [what, advise] of [
    [
      'returns nothing',
      async (request: AdvisedRequest, next: NextAdvisor) => void (await next(request)),
    ],
    ['neither asks nor answers', async () => undefined],
    [
      'returns the response alone',
      async (r: AdvisedRequest, next: NextAdvisor) => (await next(r)).response,
    ],
  ] as const)
    // prettier-ignore
    scenario(`${what} is named in an error`, {
      script: ['Hello.'],
      client: () => ({ advisors: [advising(advise)] }),
      check({ error, events }) {
        expect(error).toBeInstanceOf(AdvisorError)
        expect(error).toEqual(named('advisor-no-answer'))
        expect(String(error)).toMatch(/Advisor "odd" returned no answer\. Return what next\(request\)/)
        expect(typesOf(events)).not.toContain('response')
      },
    })

  scenario('asks next twice at once is named in an error', {
    script: [{ hang: true }],
    client: () => ({
      advisors: [advising((request, next) => Promise.all([next(request), next(request)]))],
    }),
    check({ error, prompts }) {
      expect(error).toEqual(named('advisor-next-twice'))
      expect(prompts).toHaveLength(1)
    },
  })

  scenario('asks next again after a failure retries', {
    script: [{ error: new RangeError('no') }, 'Yes.'],
    client: () => ({
      advisors: [advising((request, next) => next(request).catch(() => next(request)))],
    }),
    check: ({ result }) => void expect(textOf(result.response)).toBe('Yes.'),
  })

  scenario('asks next without a request is named in an error', {
    script: [],
    client: () => ({ advisors: [advising((_request, next) => next(undefined as never))] }),
    check: ({ error }) => void expect(error).toEqual(named('advisor-no-request')),
  })

  scenario(
    'is an async generator, the old form, is told how to migrate before the model is asked',
    {
      script: [],
      client: () => ({
        advisors: [
          advising(async function* (request: AdvisedRequest, next: NextAdvisor) {
            return await next(request)
          }),
        ],
      }),
      check({ error, prompts }) {
        expect(error).toEqual(named('advisor-old-form'))
        expect(String(error)).toMatch(/async advise\(request, next\).*wrapping request\.emit/)
        expect(prompts).toEqual([])
      },
    },
  )

  scenario('throws in its emit is named in an error, and its readers get every event', {
    script: [STEP, 'Done.'],
    client: () => ({
      advisors: [
        advising((request, next) =>
          next({
            ...request,
            emit(event) {
              if (event.type === 'tool-result') throw new RangeError('not this one')
              request.emit(event)
            },
          }),
        ),
      ],
    }),
    tools: ({ log }) => [tool({ name: 'step', execute: () => log.push('ran') })],
    check({ error, events, log }) {
      expect(error).toEqual(named('advisor-emit-failed'))
      expect((error as Error).cause).toEqual(new RangeError('not this one'))
      expect(log).toEqual(['ran'])
      expect(typesOf(events).filter((type) => type === 'tool-result')).toHaveLength(1)
      expect(typesOf(events).filter((type) => type === 'round-end')).toHaveLength(2)
    },
  })

  scenario('emits after its answer changes nothing; a notice names it', {
    script: [STEP, 'Done.'],
    client() {
      let kept: AdvisedRequest['emit'] | undefined
      const late = advising((request, next) => {
        kept?.({ type: 'text-delta', text: 'too late' })
        kept = request.emit
        return next(request)
      }, ORDER.last)
      return { advisors: [late] }
    },
    tools: () => [step],
    check({ result, events, legs }) {
      expect(textOf(result.response)).toBe('Done.')
      expect(legs[0]!.text).toBe('Done.')
      const notices = events.filter((event) => event.type === 'notice')
      expect(notices).toEqual([
        expect.objectContaining({ code: 'late-emit', data: { advisor: 'odd' } }),
      ])
    },
  })

  scenario('emits a notice of its own after its answer: that is late too', {
    script: [STEP, 'Done.'],
    client() {
      let kept: AdvisedRequest['emit'] | undefined
      const late = advising((request, next) => {
        kept?.({ type: 'notice', code: 'mine', message: 'too late' })
        kept = request.emit
        return next(request)
      }, ORDER.last)
      return { advisors: [late] }
    },
    tools: () => [step],
    check({ events }) {
      const codes = events.flatMap((event) => (event.type === 'notice' ? [event.code] : []))
      expect(codes).toEqual(['late-emit'])
    },
  })

  for (const [what, advise] of [
    [
      'fails while next is under way',
      async (request: AdvisedRequest, next: NextAdvisor) => {
        void next(request)
        throw new RangeError('before the answer')
      },
    ],
    [
      'forgets to return what next gives',
      (request: AdvisedRequest, next: NextAdvisor) => void next(request),
    ],
  ] as const)
    // prettier-ignore
    it(`${what} fails its run, and nothing else`, async () => {
      const strays: unknown[] = []
      const stray = (reason: unknown): void => void strays.push(reason)
      process.on('unhandledRejection', stray)
      try {
        const client = ChatClient.create(scriptedModel([{ hang: true }]), {
          advisors: [advising(advise)],
        })
        await expect(client.prompt('Go').call().result()).rejects.toThrow(Error)
        await new Promise((resolve) => setImmediate(resolve))
        expect(strays).toEqual([])
      } finally {
        process.off('unhandledRejection', stray)
      }
    })

  it('has an async emit that fails is named in an error, not by the process', async () => {
    const strays: unknown[] = []
    const stray = (reason: unknown): void => void strays.push(reason)
    process.on('unhandledRejection', stray)
    try {
      const client = ChatClient.create(scriptedModel(['Hello.']), {
        advisors: [
          advising((request, next) =>
            next({ ...request, emit: async () => Promise.reject(new RangeError('async')) }),
          ),
        ],
      })
      await expect(client.prompt('Go').call().result()).rejects.toEqual(
        named('advisor-emit-failed'),
      )
      await new Promise((resolve) => setImmediate(resolve))
      expect(strays).toEqual([])
    } finally {
      process.off('unhandledRejection', stray)
    }
  })

  scenario('passes on nothing but a prompt keeps the rest of the request', {
    script: [STEP, 'Done.'],
    client: () => ({ advisors: [advising(({ prompt }, next) => next({ prompt } as never))] }),
    tools: () => [step],
    check: ({ result }) => void expect(result.status).toBe('done'),
  })

  for (const [what, odd] of [
    ['is a bare function', () => {}],
    ['has no advise', { name: 'odd', order: 1 }],
    ['has no name', { order: 1, advise: () => {} }],
  ] as const)
    it(`${what} is refused when the client is made`, () => {
      const make = (): ChatClient =>
        ChatClient.create(scriptedModel([]), { advisors: [odd as never] })
      expect(make).toThrow(/An advisor is an object with a name, an order and advise/)
    })

  scenario('builds its request anew keeps the run whole', {
    script: [STEP, 'Done.'],
    client: ({ log }) => ({
      limits: { rounds: 3 },
      observer: { start: (kind, { name }) => void log.push(`${kind} ${name}`) },
      advisors: [
        advising(({ prompt, params, context, mode, phase, model, signal, runId, round, emit, step }, next) =>
          next({ prompt, params, context, mode, phase, model, signal, runId, round, emit, step })), // prettier-ignore
      ],
    }),
    tools: () => [step],
    check({ result, log }) {
      expect(result.status).toBe('done')
      expect(log).toEqual(expect.arrayContaining(['round 1', 'model scripted', 'tool step']))
    },
  })
})

describe('onEvent', () => {
  scenario('sees every event at once, changes some and drops others', {
    script: [{ text: 'Well. ', ...STEP }, 'done.'],
    client: ({ log }) => ({
      advisors: [
        advisor({
          name: 'shout',
          onEvent(event, { runId }) {
            if (!event.type.endsWith('-delta')) log.push([event.type, runId === event.runId])
            if (event.type === 'tool-execution-start') return null
            if (event.type === 'round-end') return { ...event, runId: `${event.runId} changed` }
            return undefined
          },
        }),
      ],
    }),
    tools: () => [step],
    check({ log, events }) {
      expect(log.every((seen) => (seen as unknown[])[1])).toBe(true)
      expect(typesOf(events)).not.toContain('tool-execution-start')
      expect(typesOf(events)).toContain('tool-result')
      const ends = events.filter((event) => event.type === 'round-end')
      expect(ends.map(({ runId }) => runId)).toEqual(['run_1 changed', 'run_1 changed'])
    },
  })

  it('changes the text that a reader gets', async () => {
    const shout = advisor({
      name: 'shout',
      onEvent: (event) =>
        event.type === 'text-delta' ? { ...event, text: event.text.toUpperCase() } : undefined,
    })
    const run = ChatClient.create(scriptedModel([{ chunks: ['so ', 'loud'] }]), {
      advisors: [shout],
    })
      .prompt('Go')
      .stream()
    const pieces: string[] = []
    for await (const piece of run.content()) pieces.push(piece)
    expect(pieces).toEqual(['SO ', 'LOUD'])
  })
})

describe('roles', () => {
  scenario('an advisor of the role memory replaces the history of the loop it stands in', {
    script: [STEP, 'Done.'],
    client() {
      const kept: AdvisedRequest['prompt']['messages'][number][] = []
      const memory: Advisor = {
        name: 'own-memory',
        order: 500,
        role: 'memory',
        async advise(request, next) {
          kept.push(...request.prompt.messages)
          const answer = await next({
            ...request,
            prompt: { ...request.prompt, messages: [...kept] },
          })
          kept.push(answer.messages.at(-1)!)
          return answer
        },
      }
      return { advisors: [memory] }
    },
    tools: () => [step],
    check({ prompts }) {
      expect(prompts.map(({ messages }) => messages.map(({ role }) => role))).toEqual([
        ['user'],
        ['user', 'assistant', 'tool'],
      ])
    },
  })

  scenario('an advisor of the role loop takes the place of the client’s own', {
    script: [STEP],
    client: () => ({
      advisors: [
        { name: 'own-loop', order: 300, role: 'loop', advise: (request, next) => next(request) },
      ],
    }),
    tools: () => [step],
    check({ result, prompts }) {
      expect(prompts).toHaveLength(1)
      expect(result.response.results[0]!.finishReason).toBe('tool-calls')
    },
  })
})
