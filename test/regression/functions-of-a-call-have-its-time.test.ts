/**
 * Every function of the application that a call waits for has the tool's time limit, and one that does not end
 * is taken for the safe answer. Each of them could once hang a run for ever.
 */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  augmentTools,
  ChatClient,
  tool,
  ToolSourceError,
  type ToolCallback,
  type ToolSource,
} from 'toolwright'
import { manualClock, scriptedModel, type ManualClock, type ScriptedStep } from 'toolwright/testing'
import { eventsOf, scenario, toldByTools, type Scenario } from '../e2e/scenario.ts'

const forever = (): Promise<never> => new Promise(() => {})
/** Lets time pass once it is called: a resume takes turns that nobody can count. */
function hangsFrom(clock: ManualClock): Promise<never> {
  void clock.advance(timeoutMs)
  return forever()
}
/** A thenable of somebody else's making. */
const foreignForever = (): never => ({ then: () => {} }) as never

const CALL: ScriptedStep = { toolCalls: [{ name: 'pay', arguments: { amount: 7 } }] }
const input = z.object({ amount: z.number() })
const timeoutMs = 100

const hangingSchema = (): typeof input =>
  z.object({ amount: z.number() }).refine(forever) as unknown as typeof input

type Options = Omit<Partial<Parameters<typeof tool>[0]>, 'execute' | 'input'>

const payOf = (log: unknown[], options: Options = {}): ToolCallback =>
  tool({
    name: 'pay',
    input,
    timeoutMs,
    ...(options as object),
    execute: ({ amount }) => (log.push(`paid ${amount}`), { paid: amount }),
  })

/** The run goes on after the time of the tool, not before. */
const inTime: Pick<Scenario, 'script' | 'during'> = {
  script: [CALL, 'Ok.'],
  during: ({ clock }) => clock.advance(timeoutMs),
}

interface Told {
  readonly words: RegExp
  /** Whether the tool ran. */
  readonly ran?: boolean
}

const isTold = ({ words, ran = false }: Told): Scenario['check'] => {
  return ({ log, prompts, clock }) => {
    expect(log).toEqual(ran ? ['paid 7'] : [])
    expect(toldByTools(prompts[1])).toEqual([
      { content: expect.stringMatching(words) as string, isError: true },
    ])
    expect(clock.waiting).toBe(0)
  }
}

for (const [kind, hangs] of [
  ['a promise', forever],
  ['a thenable', foreignForever],
] as const)
  // prettier-ignore
  describe(`${kind} that never settles, of`, () => {
    scenario('policy: denies', {
      ...inTime,
      client: () => ({ policy: hangs }),
      tools: ({ log }) => [payOf(log)],
      check: isTold({ words: /^Not run: the policy does not allow it/ }),
    })

    scenario('approval: asks', {
      ...inTime,
      tools: ({ log }) => [payOf(log, { approval: hangs })],
      check({ result, log }) {
        expect(log).toEqual([])
        expect(result.pending).toMatchObject([
          { kind: 'approval', reason: 'The approval rule gave no answer within 100 ms.' },
        ])
      },
    })

    scenario('preview: is left out', {
      ...inTime,
      tools: ({ log }) => [payOf(log, { approval: true, preview: hangs })],
      check: ({ result }) =>
        expect(result.pending).toMatchObject([
          { kind: 'approval', preview: 'The preview gave no answer within 100 ms.' },
        ]),
    })
  })

describe('a promise that never settles, of', () => {
  scenario('a validator of the arguments: they are refused', {
    ...inTime,
    tools: ({ log }) => [payOf(log, { input: hangingSchema() } as Options)],
    check: isTold({ words: /^Not run: its arguments were not checked within 100 ms/ }),
  })

  scenario('a validator of the context: the call is refused', {
    ...inTime,
    tools: ({ log }) => [payOf(log, { context: z.object({}).refine(forever) } as Options)],
    check: isTold({ words: /^Not run: its toolContext was not checked within 100 ms/ }),
  })

  scenario('a validator of the result: the model does not get it', {
    ...inTime,
    tools: ({ log }) => [payOf(log, { output: z.object({}).refine(forever) } as Options)],
    check: isTold({ words: /it ran, but its result was not checked within 100 ms/, ran: true }),
  })

  scenario('resultConverter: the model does not get the result', {
    ...inTime,
    tools: ({ log }) => [payOf(log, { resultConverter: forever })],
    check: isTold({ words: /it ran, but its result was not converted within 100 ms/, ran: true }),
  })

  scenario('resultConverter, for a result that was supplied', {
    script: [CALL, 'Ok.'],
    tools: ({ clock }) => [
      tool({ name: 'pay', input, timeoutMs, resultConverter: () => hangsFrom(clock) }),
    ],
    resume: [({ pending }) => ({ [pending![0]!.callId]: { result: 'secret' } })],
    check: isTold({ words: /its result was not converted within 100 ms/ }),
  })

  scenario('exceptionProcessor: fixed words', {
    ...inTime,
    client: () => ({ exceptionProcessor: forever }),
    tools: () => [
      tool({
        name: 'pay',
        input,
        timeoutMs,
        execute() {
          throw new Error('key sk-123')
        },
      }),
    ],
    check: isTold({ words: /^Tool "pay" failed\.$/ }),
  })

  scenario('onArguments: the tool does not run', {
    ...inTime,
    tools: ({ log }) => [
      ...augmentTools(payOf(log), {
        input: { type: 'object', properties: { why: { type: 'string' } } },
        onArguments: forever,
      }),
    ],
    check: isTold({ words: /^no result within 100 ms$/ }),
  })

  scenario('call of a callback from scratch', {
    ...inTime,
    tools: () => {
      const { definition, metadata } = payOf([])
      return [{ definition, metadata, call: forever }]
    },
    check: isTold({ words: /^no result within 100 ms$/ }),
  })
})

scenario('onArguments that never ends does not keep the lock of its call', {
  script: [{ toolCalls: [{ name: 'told', arguments: {} }] }, CALL, 'Ok.'],
  tools: ({ log }) => [
    ...augmentTools(tool({ name: 'told', timeoutMs, lock: () => 'a', execute: () => 1 }), {
      input: { type: 'object', properties: { why: { type: 'string' } } },
      onArguments: forever,
    }),
    payOf(log, { lock: () => 'a' }),
  ],
  during: ({ clock }) => clock.advance(timeoutMs),
  check({ log, events }) {
    expect(log).toEqual(['paid 7'])
    // It settled when it was told to, and onArguments itself did not fail.
    expect(eventsOf(events, 'notice').map(({ code }) => code)).toEqual(['late-result'])
  },
})

scenario('a tool without limit leaves its functions the limit of the run', {
  script: [CALL, 'Ok.'],
  client: ({ clock }) => ({ clock, limits: { toolTimeoutMs: 100 } }),
  tools: ({ log }) => [payOf(log, { timeoutMs: 'unlimited', approval: forever })],
  during: ({ clock }) => clock.advance(100),
  check: ({ result }) => expect(result.pending).toMatchObject([{ kind: 'approval' }]),
})

scenario('an edited input is refused when the policy about it does not end', {
  script: [CALL],
  client: ({ clock }) => ({
    policy: ({ input: given }) =>
      (given as { amount: number }).amount === 9 ? hangsFrom(clock) : 'allow',
  }),
  tools: ({ log }) => [payOf(log, { approval: true })],
  resume: [({ pending }) => ({ [pending![0]!.callId]: { edit: { amount: 9 } } })],
  check({ log, error }) {
    expect(log).toEqual([])
    expect(error).toMatchObject({ code: 'decision-invalid-edit' })
  },
})

describe('an abort leaves at once', () => {
  const hanging: { readonly [name: string]: (log: unknown[]) => readonly ToolSource[] } = {
    approval: (log) => [payOf(log, { approval: forever, timeoutMs: 'unlimited' })],
    validator: (log) => [payOf(log, { input: hangingSchema() } as Options)],
    resultConverter: (log) => [payOf(log, { resultConverter: forever })],
    toolCallbacks: () => [{ toolCallbacks: forever }],
  }
  for (const [name, tools] of Object.entries(hanging))
    scenario(`from ${name}, and no timer is left`, {
      script: [CALL],
      request: (client, { abort }) => client.prompt('Go').signal(abort.signal),
      tools: ({ log }) => tools(log),
      async during({ clock, abort }) {
        await clock.advance(1)
        abort.abort('enough')
      },
      check({ error, clock }) {
        expect(error).toBe('enough')
        expect(clock.waiting).toBe(0)
      },
    })
})

describe('whoever is asked for tools has the time of a tool', () => {
  const limits = { toolTimeoutMs: 100 }
  const sources: { readonly [name: string]: Partial<Scenario> } = {
    'a provider': { tools: () => [{ toolCallbacks: forever }] },
    'a provider with a thenable': { tools: () => [{ toolCallbacks: foreignForever }] },
    'a resolver': {
      client: ({ clock }) => ({ clock, limits, resolver: { resolve: forever } }),
      request: (client) => client.prompt('Go').toolNames('pay'),
    },
  }
  for (const [name, spec] of Object.entries(sources))
    scenario(name, {
      script: [],
      client: ({ clock }) => ({ clock, limits }),
      ...spec,
      during: ({ clock }) => clock.advance(100),
      check({ error, clock }) {
        expect(error).toBeInstanceOf(ToolSourceError)
        expect((error as Error).message).toMatch(/gave no answer within 100 ms/)
        expect(clock.waiting).toBe(0)
      },
    })
})

it('sync functions take no time: no timer is set for them', async () => {
  const clock = manualClock()
  let timers = 0
  const counting = { ...clock, timer: (ms: number, wake: () => void) => (timers++, clock.timer(ms, wake)) } // prettier-ignore
  const log: unknown[] = []
  const pay = payOf(log, {
    resultConverter: () => 'ok',
    approval: () => false,
    context: z.object({ user: z.string() }),
    output: z.object({ paid: z.number() }),
  } as Options)
  const client = ChatClient.create(scriptedModel([CALL, 'Ok.']), {
    clock: counting,
    tools: [pay],
    policy: () => 'allow',
  })
  await client.prompt('Go').toolContext({ user: 'ada' }).call().content()
  expect(log).toEqual(['paid 7'])
  expect(timers).toBe(0)
})
