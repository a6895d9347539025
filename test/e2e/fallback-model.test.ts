/** Several models as one: who is asked, and what is told. */
import { describe, expect, it } from 'vitest'
import { scriptedModel, type ScriptedModel, type ScriptedStep } from 'toolwright/testing'
import {
  aggregate,
  ChatClient,
  ConfigurationError,
  fallbackModel,
  ProviderError,
  textOf,
  tool,
  toolCallsOf,
  type ChatEvent,
  type ChatModel,
  type ChatResponse,
  type ModelCapabilities,
  type ModelRun,
  type Prompt,
  type ToolCallback,
} from 'toolwright'
import { eventsOf, scenario } from './scenario.ts'

const PROMPT: Prompt = { messages: [{ role: 'user', content: 'Go' }] }
const MODES = ['call', 'stream'] as const
const down = (words = 'The server is down.', retryable = true): ProviderError =>
  new ProviderError('provider-unavailable', words, { provider: 'x', retryable })

const model = (name: string, steps: readonly ScriptedStep[]): ScriptedModel =>
  Object.assign(scriptedModel(steps), { model: name })

/** Asks in one mode; the notices on the side. */
async function ask(
  mode: (typeof MODES)[number],
  asked: ChatModel,
  run: ModelRun = {},
): Promise<{ response: ChatResponse; notices: readonly ChatEvent[] }> {
  const events: ChatEvent[] = []
  const emit = (event: ChatEvent): void => void events.push(event)
  if (mode === 'call') {
    const response = await asked.call(PROMPT, { ...run, emit })
    return { response, notices: events }
  }
  for await (const event of asked.stream(PROMPT, run)) events.push(event)
  const { response } = eventsOf(events, 'response')[0]!
  return { response, notices: eventsOf(events, 'notice') }
}

for (const mode of MODES) {
  describe(`fallbackModel (${mode})`, () => {
    it('asks the first only, when it answers', async () => {
      const [a, b] = [model('a', ['Hello.']), model('b', [])]
      const { response, notices } = await ask(mode, fallbackModel([a, b]))
      expect(textOf(response)).toBe('Hello.')
      expect(notices).toEqual([])
      expect(b.prompts).toEqual([])
    })

    it('asks the next with the same prompt when one fails, and says so', async () => {
      const [a, b, c] = [
        model('a', [{ error: down('Key sk-abcdefghijkl is bad.') }]),
        model('b', [{ error: new TypeError('oops') }]),
        model('c', ['Third.']),
      ]
      const { response, notices } = await ask(mode, fallbackModel([a, b, c]))
      expect(textOf(response)).toBe('Third.')
      expect(notices).toMatchObject([
        {
          type: 'notice',
          code: 'model-fallback',
          message: expect.stringMatching(
            /^scripted a failed, so scripted b is asked: Key \[redacted\] is bad\./,
          ),
          data: { from: 'scripted a', to: 'scripted b' },
        },
        { message: 'scripted b failed, so scripted c is asked: oops' },
      ])
      expect([a, b, c].map(({ prompts }) => prompts)).toEqual([[PROMPT], [PROMPT], [PROMPT]])
    })

    it('begins with the first again in the next exchange', async () => {
      const [a, b] = [model('a', [{ error: down() }, 'Back.']), model('b', ['Stood in.'])]
      const asked = fallbackModel([a, b])
      expect(textOf((await ask(mode, asked)).response)).toBe('Stood in.')
      expect(textOf((await ask(mode, asked)).response)).toBe('Back.')
    })

    it('tells every failure when all fail', async () => {
      const errors = [down('A is down.', false), down('B is down.')]
      const asked = fallbackModel(errors.map((error, i) => model('ab'[i]!, [{ error }])))
      const failure = await ask(mode, asked).catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(ProviderError)
      expect(failure).toMatchObject({ code: 'all-models-failed', retryable: true })
      expect((failure as Error).message).toMatch(/scripted a: A is down.*scripted b: B is down/)
      expect(((failure as Error).cause as AggregateError).errors).toEqual(errors)
    })

    it('of one model fails with that model’s error', async () => {
      const error = down()
      await expect(ask(mode, fallbackModel([model('a', [{ error }])]))).rejects.toBe(error)
    })

    it('does not go on after an abort, or a mistake of the caller', async () => {
      const b = model('b', [])
      const hanging = fallbackModel([model('a', [{ hang: true }]), b])
      const controller = new AbortController()
      const waiting = ask(mode, hanging, { signal: controller.signal })
      controller.abort('changed my mind')
      await expect(waiting).rejects.toBe('changed my mind')
      const mistake = new ConfigurationError('invalid-message', 'No such role.')
      await expect(ask(mode, fallbackModel([model('a', [{ error: mistake }]), b]))).rejects.toBe(
        mistake,
      )
      expect(b.prompts).toEqual([])
    })
  })
}

describe('a stream of fallbackModel', () => {
  it('that has shown something fails with what broke it', async () => {
    const error = down()
    for (const shown of [
      { text: 'Half' },
      { toolCalls: [{ name: 'pay' }] },
      { parts: [{ type: 'reasoning' as const, text: 'Hm' }] },
    ]) {
      const b = model('b', [])
      const asked = fallbackModel([model('a', [{ ...shown, error }]), b])
      await expect(aggregate(asked.stream(PROMPT))).rejects.toBe(error)
      expect(b.prompts).toEqual([])
    }
  })

  it('goes on after notices and empty text, and passes them on', async () => {
    const a: ChatModel = {
      ...model('a', []),
      async *stream() {
        yield { type: 'notice', code: 'slow', message: 'Slow today.' }
        yield { type: 'text-delta', text: '' }
        throw down()
      },
    }
    const types: string[] = []
    for await (const event of fallbackModel([a, model('b', ['Hi.'])]).stream(PROMPT))
      types.push(event.type === 'notice' ? event.code : event.type)
    expect(types).toEqual(['slow', 'text-delta', 'model-fallback', 'text-delta', 'response'])
  })

  it('that ends without having said anything has failed', async () => {
    const silent: ChatModel = { ...model('a', []), async *stream() {} }
    const asked = fallbackModel([silent, model('b', ['Hi.'])])
    expect(textOf(await aggregate(asked.stream(PROMPT)))).toBe('Hi.')
  })

  it('counts a failure once, also for a reader in a hurry', async () => {
    const [b, c] = [model('b', ['Hi.']), model('c', [])]
    const stream = fallbackModel([model('a', [{ error: down() }]), b, c]).stream(PROMPT)
    const events = stream[Symbol.asyncIterator]()
    const steps = await Promise.all([events.next(), events.next(), events.next()])
    expect(steps.map(({ value }) => (value as ChatEvent).type)).toEqual([
      'notice',
      'text-delta',
      'response',
    ])
    expect(c.prompts).toEqual([])
  })

  it('closes the model’s when its reader leaves', async () => {
    const left: string[] = []
    const a: ChatModel = {
      ...model('a', []),
      async *stream() {
        try {
          yield { type: 'text-delta', text: 'one' }
          yield { type: 'text-delta', text: 'two' }
        } finally {
          left.push('a')
        }
      },
    }
    for await (const _event of fallbackModel([a]).stream(PROMPT)) break
    expect(left).toEqual(['a'])
  })
})

describe('what fallbackModel is', () => {
  const able = (capabilities: ModelCapabilities): ChatModel => scriptedModel([], { capabilities })

  it('can do what all its models can', () => {
    const one = able({ structuredOutput: true, media: true, reasoning: true })
    expect(
      fallbackModel([one, able({ structuredOutput: true, tools: true })]).capabilities,
    ).toEqual({ tools: true, structuredOutput: true, media: false, reasoning: false })
    expect(fallbackModel([one, able({ tools: false })]).capabilities.tools).toBe(false)
  })

  it('refuses an empty list and what is no model', () => {
    expect(() => fallbackModel([])).toThrow(/takes a list of models/)
    expect(() => fallbackModel(undefined as never)).toThrow(/takes a list of models/)
    expect(() => fallbackModel([{} as never])).toThrow(/something else than a model/)
  })
})

describe('in a client', () => {
  const weather = tool({ name: 'weather', execute: () => 'sunny' })
  const call: ScriptedStep = { toolCalls: [{ name: 'weather' }] }

  scenario('another model goes on with the conversation, and the run says so', {
    script: [],
    request() {
      const first = model('a', [call, { error: down() }])
      const second = model('b', [(prompt) => `It is ${textOf(prompt.messages.at(-1)!)}.`])
      return ChatClient.create(fallbackModel([first, second]), {
        tools: [weather],
        ids: { next: () => 'run_1' },
      }).prompt('Go')
    },
    check({ result, events }) {
      expect(textOf(result.response)).toBe('It is sunny.')
      expect(result.rounds.map((round) => toolCallsOf(round).length)).toEqual([1, 0])
      expect(eventsOf(events, 'notice')).toMatchObject([
        { code: 'model-fallback', round: 2, runId: 'run_1' },
      ])
    },
  })

  for (const mode of MODES)
    it(`the run says who was asked, also when all of them fail: ${mode}`, async () => {
      const both = [model('a', [{ error: down() }]), model('b', [{ error: down() }])]
      const events: ChatEvent[] = []
      const read = async (): Promise<void> => {
        for await (const event of ChatClient.create(fallbackModel(both)).prompt('Go')[mode]())
          events.push(event)
      }
      await expect(read()).rejects.toMatchObject({ code: 'all-models-failed' })
      expect(events).toMatchObject([{ type: 'notice', code: 'model-fallback', round: 1 }])
    })

  it('all are offered the default tools of the first', async () => {
    const second = scriptedModel(['Hi.'], { options: { tools: [tool({ name: 'other' })] } })
    const first = scriptedModel([{ error: down() }], { options: { tools: [weather] } })
    await ChatClient.create(fallbackModel([first, second]))
      .prompt('Go')
      .call()
      .content()
    const offered = second.prompts[0]!.options!.tools as readonly ToolCallback[]
    expect(offered.map(({ definition }) => definition.name)).toEqual(['weather'])
  })
})
