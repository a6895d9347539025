/** The text of two rounds was glued together, and `streamToolCallResponses: false` streamed all of it. */
import { describe, expect, it } from 'vitest'
import { ChatClient, ORDER, textOf, tool, type Advisor, type ChatModel } from 'toolwright'
import { scriptedModel, type ScriptedStep } from 'toolwright/testing'
import { scenario, typesOf, type Scenario } from '../e2e/scenario.ts'

const look = () => tool({ name: 'look', execute: () => 'seen' })
const looks = (text?: string): ScriptedStep => ({
  ...(text !== undefined && { text }),
  toolCalls: [{ name: 'look' }],
})
const SCRIPT = [looks('First.'), looks(), looks('Second.'), 'Third.']

const streaming = (streamToolCallResponses: boolean): Scenario['client'] => {
  return () => ({ toolCalling: { streamToolCallResponses } })
}

/** The same model, answering in one piece when it streams. */
const withoutDeltas = (scripted: ChatModel): ChatModel => ({
  ...scripted,
  async *stream(prompt, run) {
    yield { type: 'response', response: await scripted.call(prompt, run) }
  },
})

async function piecesOf(pieces: AsyncIterable<string>): Promise<readonly string[]> {
  const read: string[] = []
  for await (const piece of pieces) read.push(piece)
  return read
}

describe('streamToolCallResponses unset', () => {
  scenario('a stream shows every round, a blank line between them; a call gives the last one', {
    script: SCRIPT,
    tools: () => [look()],
    check({ legs, mode, result }) {
      const shown = mode === 'call' ? 'Third.' : 'First.\n\nSecond.\n\nThird.'
      expect(legs[0]!.text).toBe(shown)
      expect(textOf(result.response)).toBe('Third.')
    },
  })

  it('passes text on before the model has ended', async () => {
    let goOn = (): void => {}
    const held = new Promise<void>((resolve) => (goOn = resolve))
    const model: ChatModel = {
      ...scriptedModel([]),
      async *stream() {
        yield { type: 'text-delta', text: 'Live' }
        await held
        const message = { role: 'assistant' as const, content: 'Live' }
        const results = [{ message, finishReason: 'stop' as const, metadata: {} }]
        yield { type: 'response', response: { results, usage: {}, metadata: {} } }
      },
    }
    const content = ChatClient.create(model).prompt('Go').stream().content()
    expect(await content.next()).toEqual({ done: false, value: 'Live' })
    goOn()
    expect(await content.next()).toEqual({ done: true, value: undefined })
  })

  scenario('direct results come after what was said', {
    script: [looks('First.'), { text: 'Here:', toolCalls: [{ name: 'direct' }] }],
    tools: () => [look(), tool({ name: 'direct', returnDirect: true, execute: () => 'Result.' })],
    check({ legs, mode }) {
      expect(legs[0]!.text).toBe(mode === 'call' ? 'Result.' : 'First.\n\nHere:\n\nResult.')
    },
  })

  scenario('a resumed run shows what is said from then on', {
    script: [{ text: 'May I?', toolCalls: [{ name: 'pay' }] }, looks('Paid.'), 'Done.'],
    tools: () => [look(), tool({ name: 'pay', approval: true, execute: () => 'ok' })],
    resume: [() => ({ call_1: 'approve' })],
    check({ legs, mode }) {
      expect(legs.at(-1)!.text).toBe(mode === 'call' ? 'Done.' : 'Paid.\n\nDone.')
    },
  })

  it('an answer that no model gave comes after the rounds that did', async () => {
    const cached: Advisor = {
      name: 'cached',
      order: ORDER.last,
      async advise(request, next) {
        if (request.round === 1) return next(request)
        const message = { role: 'assistant' as const, content: 'Known.' }
        const results = [{ message, finishReason: 'stop' as const, metadata: {} }]
        const response = { results, usage: {}, metadata: {} }
        const messages = [...request.prompt.messages, message]
        return { response, messages, rounds: [response] }
      },
    }
    for (const [streamToolCallResponses, shown] of [
      [undefined, 'First.\n\nKnown.'],
      [true, 'First.\n\nKnown.'],
      [false, 'Known.'],
    ] as const) {
      const client = ChatClient.create(scriptedModel([looks('First.')]), {
        tools: [look()],
        advisors: [cached],
        ...(streamToolCallResponses !== undefined && { toolCalling: { streamToolCallResponses } }),
      })
      const pieces = await piecesOf(client.prompt('Go').stream().content())
      expect(pieces.join('')).toBe(shown)
    }
  })
})

describe('streamToolCallResponses: true', () => {
  scenario('a call and a stream have the text of all rounds', {
    script: SCRIPT,
    tools: () => [look()],
    client: streaming(true),
    answerHoldsAllText: true,
    check: ({ legs }) => void expect(legs[0]!.text).toBe('First.\n\nSecond.\n\nThird.'),
  })

  scenario('also when the last round says nothing', {
    script: [looks('First.'), ''],
    tools: () => [look()],
    client: streaming(true),
    answerHoldsAllText: true,
    check: ({ legs }) => void expect(legs[0]!.text).toBe('First.'),
  })

  scenario('also before direct results, each of which stays a generation', {
    script: [looks('First.'), { toolCalls: [{ name: 'direct' }, { name: 'direct' }] }],
    tools: () => [look(), tool({ name: 'direct', returnDirect: true, execute: () => 'Result.' })],
    client: streaming(true),
    answerHoldsAllText: true,
    check({ legs, result }) {
      expect(legs[0]!.text).toBe('First.\n\nResult.\n\nResult.')
      expect(result.response.results).toHaveLength(2)
    },
  })

  scenario('also of a run that was resumed', {
    script: [{ text: 'May I?', toolCalls: [{ name: 'pay' }] }, looks(), 'Done.'],
    tools: () => [look(), tool({ name: 'pay', approval: true, execute: () => 'ok' })],
    client: streaming(true),
    resume: [() => ({ call_1: 'approve' })],
    answerHoldsAllText: true,
    check: ({ legs }) => void expect(legs.at(-1)!.text).toBe('May I?\n\nDone.'),
  })

  it('an entity is read from direct results without what was said before', async () => {
    const schema = { type: 'object', properties: { n: { type: 'number' } } } as const
    const direct = tool({ name: 'direct', returnDirect: true, execute: () => '{"n":1}' })
    const script = [looks('First.'), { text: 'Here:', toolCalls: [{ name: 'direct' }] }]
    const client = ChatClient.create(scriptedModel(script), {
      tools: [look(), direct],
      toolCalling: { streamToolCallResponses: true },
    })
    expect(await client.prompt('Go').call().entity(schema)).toEqual({ n: 1 })
  })
})

describe('streamToolCallResponses: false', () => {
  scenario('a call and a stream have the final answer only; the events are complete', {
    script: SCRIPT,
    tools: () => [look()],
    client: streaming(false),
    answerHoldsAllText: true,
    check({ legs, events, mode }) {
      expect(legs[0]!.text).toBe('Third.')
      if (mode === 'stream')
        expect(typesOf(events).filter((type) => type === 'text-delta').length).toBeGreaterThan(2)
    },
  })

  scenario('nothing, when the last round says nothing', {
    script: [looks('First.'), ''],
    tools: () => [look()],
    client: streaming(false),
    answerHoldsAllText: true,
    check: ({ legs }) => void expect(legs[0]!.text).toBe(''),
  })

  scenario('direct results, without what was said before', {
    script: [{ text: 'Here:', toolCalls: [{ name: 'direct' }] }],
    tools: () => [tool({ name: 'direct', returnDirect: true, execute: () => 'Result.' })],
    client: streaming(false),
    answerHoldsAllText: true,
    check: ({ legs }) => void expect(legs[0]!.text).toBe('Result.'),
  })

  it('what an advisor makes of the text is what is held back', async () => {
    const shout: Advisor = {
      name: 'shout',
      order: 250,
      advise: (request, next) =>
        next({
          ...request,
          emit: (event) =>
            request.emit(
              event.type === 'text-delta' ? { ...event, text: event.text.toUpperCase() } : event,
            ),
        }),
    }
    const client = ChatClient.create(scriptedModel([looks('first.'), 'third.']), {
      tools: [look()],
      advisors: [shout],
      toolCalling: { streamToolCallResponses: false },
    })
    expect(await piecesOf(client.prompt('Go').stream().content())).toEqual(['THIRD.'])
  })

  it('holds the text of a round back until the round turns out to be the last', async () => {
    const seen: string[] = []
    const client = ChatClient.create(scriptedModel([looks('First.'), 'Second.']), {
      tools: [look()],
      toolCalling: {
        streamToolCallResponses: false,
        onLoopEnd: () => void seen.push('end'),
      },
    })
    for await (const piece of client.prompt('Go').stream().content()) seen.push(piece)
    expect(seen).toEqual(['end', 'Second.'])
  })
})

for (const [streamToolCallResponses, shown] of [
  [undefined, 'First.\n\nSecond.\n\nThird.'],
  [true, 'First.\n\nSecond.\n\nThird.'],
  [false, 'Third.'],
] as const)
  it(`a model without deltas streams the same (${String(streamToolCallResponses)})`, async () => {
    const client = ChatClient.create(withoutDeltas(scriptedModel(SCRIPT)), {
      tools: [look()],
      ...(streamToolCallResponses !== undefined && { toolCalling: { streamToolCallResponses } }),
    })
    const pieces = await piecesOf(client.prompt('Go').stream().content())
    expect(pieces.join('')).toBe(shown)
  })

it('a model without deltas has its text among the events, for a page too', async () => {
  const client = ChatClient.create(withoutDeltas(scriptedModel([looks('First.'), 'Second.'])), {
    tools: [look()],
  })
  const run = client.prompt('Go').stream()
  const shown: string[] = []
  for await (const event of run) if (event.type === 'text-delta') shown.push(event.text)
  expect(shown).toEqual(['First.', 'Second.'])
  expect(await new Response(run.toReadableStream()).text()).toContain('"text":"First."')
})

it('text that an advisor takes out stays out', async () => {
  const quiet: Advisor = {
    name: 'quiet',
    order: ORDER.last,
    advise: (request, next) =>
      next({
        ...request,
        emit: (event) =>
          void ((event.type === 'text-delta' && request.round === 1) || request.emit(event)),
      }),
  }
  const client = ChatClient.create(scriptedModel([looks('Hidden.'), 'Shown.']), {
    tools: [look()],
    advisors: [quiet],
  })
  expect(await piecesOf(client.prompt('Go').stream().content())).toEqual(['Shown.'])
})

it('a model that is a run of its own says nothing twice', async () => {
  const inner = ChatClient.create(scriptedModel(['Once.']))
  const model: ChatModel = {
    ...scriptedModel([]),
    stream: () => inner.prompt('Go').stream().events(),
  }
  const pieces = await piecesOf(ChatClient.create(model).prompt('Go').stream().content())
  expect(pieces.join('')).toBe('Once.')
})
