/** Answers of a schema: asked natively or by words, with tools, corrected, checked, remembered cleanly. */
import { type } from 'arktype'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  advisor,
  ChatClient,
  chatMemoryAdvisor,
  ConfigurationError,
  messageWindowMemory,
  ModelResponseError,
  ORDER,
  RunLimitError,
  RunSuspendedError,
  textOf,
  tool,
  toolCallingAdvisor,
  type Advisor,
  type ChatClientOptions,
  type ChatEvent,
  type Durability,
  type Message,
  type Prompt,
  type RunState,
  type StandardJsonSchema,
  type ToolCallback,
} from 'toolwright'
import { scriptedModel, type ScriptedModel, type ScriptedStep } from 'toolwright/testing'

const CITY = z.object({ city: z.string(), people: z.number().int() })
const PARIS = '{"city":"Paris","people":2000000}'
const WRONG = '{"city":"Paris","people":"many"}'
const CITY_SCHEMA = {
  type: 'object',
  properties: { city: { type: 'string' }, people: { type: 'integer' } },
  required: ['city', 'people'],
  additionalProperties: false,
}

function ask(steps: readonly ScriptedStep[], options: ChatClientOptions = {}, native = false) {
  const model = scriptedModel(steps, { capabilities: { structuredOutput: native } })
  return { model, client: ChatClient.create(model, options) }
}

const look = (log: unknown[] = []): ToolCallback =>
  tool({
    name: 'look',
    input: z.object({ at: z.string() }),
    execute: ({ at }) => (log.push(at), `${at}: 2,000,000 people`),
  })
const LOOK: ScriptedStep = { toolCalls: [{ name: 'look', arguments: { at: 'Paris' } }] }

const texts = (messages: readonly Message[]): string[] => messages.map((each) => textOf(each))
const lastUser = (prompt: Prompt | undefined): string =>
  textOf(prompt!.messages.findLast((message) => message.role === 'user')!)
const said = (model: ScriptedModel): string[] =>
  model.prompts.map((prompt) => textOf(prompt.messages.at(-1)!))

async function failure(promise: Promise<unknown>): Promise<ModelResponseError> {
  const error: unknown = await promise.then(
    (value) => expect.fail(`resolved with ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(ModelResponseError)
  return error as ModelResponseError
}

describe('asking for an entity', () => {
  it('gives the schema to a model that can be held to it, and leaves the words alone', async () => {
    const { model, client } = ask([PARIS], {}, true)
    expect(await client.prompt('Where?').call().entity(CITY)).toEqual(JSON.parse(PARIS))
    expect(model.prompts[0]!.options?.outputSchema).toMatchObject(CITY_SCHEMA)
    expect(texts(model.prompts[0]!.messages)).toEqual(['Where?'])
  })

  it('asks any other model by words, at the end of the last user message', async () => {
    const { model, client } = ask([PARIS], { system: 'Be brief.' })
    const request = client.prompt([
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello' },
      { role: 'user', content: 'Where?' },
    ])
    expect(await request.call().entity(CITY)).toEqual(JSON.parse(PARIS))
    const [system, hi, hello, where] = texts(model.prompts[0]!.messages)
    expect([system, hi, hello]).toEqual(['Be brief.', 'Hi', 'Hello'])
    const [question, empty, words, schema] = where!.split('\n')
    expect([question, empty]).toEqual(['Where?', ''])
    expect(words).toMatch(/final answer must be JSON/)
    expect(JSON.parse(schema!)).toMatchObject(CITY_SCHEMA)
    expect(model.prompts[0]!.options).not.toHaveProperty('outputSchema')
  })

  it('adds the words as a part where the user spoke in parts', async () => {
    const { model, client } = ask([PARIS])
    const image = { type: 'image', mediaType: 'image/png', data: 'aGk=' } as const
    const parts = [{ type: 'text', text: 'Where is this?' } as const, image]
    await client.prompt().user(parts).call().entity(CITY)
    const { content } = model.prompts[0]!.messages[0] as { content: readonly unknown[] }
    expect(content.slice(0, 2)).toEqual(parts)
    expect(content[2]).toMatchObject({ type: 'text', text: expect.stringContaining('schema') })
  })

  it('asks by words even when nobody but the assistant spoke', async () => {
    const { model, client } = ask([PARIS])
    await client
      .prompt([{ role: 'assistant', content: 'Paris.' }])
      .call()
      .entity(CITY)
    expect(model.prompts[0]!.messages.map((message) => message.role)).toEqual(['assistant', 'user'])
  })

  it('takes a plain JSON Schema, and any Standard Schema', async () => {
    const { client } = ask([PARIS, PARIS])
    const plain = { type: 'object', properties: { city: { type: 'string' } } } as const
    const open = { ...plain, additionalProperties: true } as const
    expect(await client.prompt('Where?').call().entity(open)).toEqual(JSON.parse(PARIS))
    const ark = type({ city: 'string', people: 'number' })
    expect(await client.prompt('Where?').call().entity(ark)).toEqual(JSON.parse(PARIS))
  })

  it('gives what the schema makes of the answer', async () => {
    const { model, client } = ask(['{"on":"2026-01-02"}'], {}, true)
    const schema = z.object({
      on: z.iso.date().transform((text) => new Date(text)),
      unit: z.enum(['c', 'f']).default('c'),
    })
    expect(await client.prompt('When?').call().entity(schema)).toEqual({
      on: new Date('2026-01-02'),
      unit: 'c',
    })
    expect(model.prompts[0]!.options?.outputSchema?.required).toEqual(['on'])
  })

  it('refuses what is no schema before the model is asked', async () => {
    const { model, client } = ask([PARIS])
    const run = client.prompt('Where?').call()
    await expect(run.entity({ city: z.string() } as never)).rejects.toThrow(ConfigurationError)
    expect(model.prompts).toEqual([])
    expect(await run.entity(CITY)).toEqual(JSON.parse(PARIS))
  })
})

describe('with tools', () => {
  it('every round is asked for the schema; only the final answer is checked', async () => {
    const log: unknown[] = []
    const { model, client } = ask([
      { text: 'Let me look.', toolCalls: [{ name: 'look', arguments: { at: 'Paris' } }] },
      { text: 'And there.', toolCalls: [{ name: 'look', arguments: { at: 'Lyon' } }] },
      PARIS,
    ])
    const run = client.prompt('Where?').tools(look(log)).call()
    expect(await run.entity(CITY)).toEqual(JSON.parse(PARIS))
    expect(log).toEqual(['Paris', 'Lyon'])
    expect(model.prompts.length).toBe(3)
    for (const prompt of model.prompts) expect(lastUser(prompt)).toMatch(/^Where\?\n\nYour final/)
    const { messages } = await run.result()
    expect(messages.map((message) => message.role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'tool',
      'assistant',
    ])
    expect(messages[0]).toEqual({ role: 'user', content: 'Where?' })
  })

  it('natively, every round carries the schema beside the tools', async () => {
    const { model, client } = ask([LOOK, PARIS], {}, true)
    await client.prompt('Where?').tools(look()).call().entity(CITY)
    for (const { options } of model.prompts) {
      expect(options?.outputSchema).toMatchObject(CITY_SCHEMA)
      expect((options?.tools as ToolCallback[]).map((each) => each.definition.name)).toEqual([
        'look',
      ])
    }
  })

  it('a corrected answer may look again, and the tries are those of the whole run', async () => {
    const { model, client } = ask([WRONG, LOOK, WRONG, LOOK, WRONG])
    const run = client.prompt('Where?').tools(look()).call()
    await failure(run.entity(CITY))
    const { rounds, messages } = await run.result()
    expect(model.prompts.length).toBe(5)
    expect(rounds.length).toBe(5)
    expect(messages.map((message) => message.role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'tool',
      'assistant',
    ])
  })

  it('checks a direct result as it is, and asks nobody to correct it', async () => {
    const direct = (result: string) =>
      tool({ name: 'city', returnDirect: true, execute: () => result })
    const call: ScriptedStep = { toolCalls: [{ name: 'city' }] }
    const { model, client } = ask([call, call])
    const good = client.prompt('Where?').tools(direct(PARIS)).call()
    expect(await good.entity(CITY)).toEqual(JSON.parse(PARIS))
    const bad = await failure(client.prompt('Where?').tools(direct(WRONG)).call().entity(CITY))
    expect(bad.issues).toMatchObject([{ path: '$.people' }])
    expect(model.remaining).toBe(0)
  })

  it('text said on the way is no part of the entity, though streamToolCallResponses keeps it', async () => {
    const { client } = ask(
      [{ text: 'First {this}. ', toolCalls: [{ name: 'look', arguments: { at: 'x' } }] }, PARIS],
      { toolCalling: { streamToolCallResponses: true } },
    )
    const run = client.prompt('Where?').tools(look()).call()
    expect(await run.entity(CITY)).toEqual(JSON.parse(PARIS))
    expect(await run.content()).toBe(`First {this}. \n\n${PARIS}`)
  })

  it('an advisor may answer without a round', async () => {
    const message = { role: 'assistant', content: PARIS } as const
    const response = {
      results: [{ message, finishReason: 'stop' as const, metadata: {} }],
      usage: {},
      metadata: {},
    }
    const known: Advisor = {
      name: 'known',
      order: ORDER.first,
      async advise({ prompt }) {
        return { response, messages: [...prompt.messages, message], rounds: [] }
      },
    }
    const { client } = ask([], {
      advisors: [known],
      toolCalling: { streamToolCallResponses: true },
    })
    expect(await client.prompt('Where?').call().entity(CITY)).toEqual(JSON.parse(PARIS))
  })

  it('works without the loop too', async () => {
    const { model, client } = ask([WRONG, PARIS])
    const run = client.prompt('Where?').toolCalling(false).call()
    expect(await run.entity(CITY)).toEqual(JSON.parse(PARIS))
    expect(model.prompts.length).toBe(2)
    expect((await run.result()).rounds.length).toBe(2)
  })

  it('a forced choice of tool does not force the correction', async () => {
    const { model, client } = ask([WRONG, PARIS])
    const request = client.prompt('Where?').tools(look()).options({ toolChoice: 'required' })
    await request.call().entity(CITY)
    expect(model.prompts.map(({ options }) => options?.toolChoice)).toEqual(['required', 'auto'])
  })
})

describe('an answer that does not fit', () => {
  it('goes back with what is wrong, where, and the schema again', async () => {
    const { model, client } = ask(['{"city":1,"people":"many","mayor":"X"}', PARIS])
    expect(await client.prompt('Where?').call().entity(CITY)).toEqual(JSON.parse(PARIS))
    const [question, wrong, correction] = model.prompts[1]!.messages
    expect(question).toEqual({ role: 'user', content: 'Where?' })
    expect(wrong).toMatchObject({ role: 'assistant', content: expect.stringContaining('"X"') })
    const lines = textOf(correction!).split('\n')
    expect(lines).toContain('$.city: expected string, received 1')
    expect(lines).toContain('$.people: expected integer, received "many"')
    expect(lines).toContain('$.mayor: expected no property of this name, received "X"')
    expect(JSON.parse(lines.at(-1)!)).toMatchObject(CITY_SCHEMA)
  })

  it('natively, the words carry no schema: the option does', async () => {
    const { model, client } = ask([WRONG, PARIS], {}, true)
    await client.prompt('Where?').call().entity(CITY)
    expect(said(model)[1]).toMatch(/^Your answer does not fit:\n\$\.people: [^\n]*\nAnswer again/)
    expect(model.prompts[1]!.options?.outputSchema).toMatchObject(CITY_SCHEMA)
  })

  it('is asked for twice more, then it is an error with all there is to know', async () => {
    const { model, client } = ask([WRONG, 'I do not know.', WRONG, PARIS])
    const run = client.prompt('Where?').call()
    const error = await failure(run.entity(CITY))
    expect(error).toMatchObject({ code: 'invalid-answer', family: 'model', partial: WRONG })
    expect(error.issues).toEqual([{ path: '$.people', expected: 'integer', received: '"many"' }])
    expect(error.message).toMatch(/\$\.people: expected integer, received "many".*describe/)
    expect(error.result).toBe(await run.result())
    expect(error.result).toMatchObject({ status: 'done' })
    expect(model.remaining).toBe(1)
  })

  it('counts every try once: in rounds, usage, events and the numbers of rounds', async () => {
    const usage = (n: number) => ({ inputTokens: n, outputTokens: 1 })
    const { client } = ask([
      { toolCalls: [{ name: 'look', arguments: { at: 'Paris' } }], usage: usage(1) },
      { text: WRONG, usage: usage(10) },
      { text: WRONG, usage: usage(100) },
      { text: PARIS, usage: usage(1000) },
    ])
    const run = client.prompt('Where?').tools(look()).call()
    await run.entity(CITY)
    const { response, rounds, messages } = await run.result()
    expect(response.usage).toEqual({ inputTokens: 1111, outputTokens: 4 })
    expect(rounds.map((round) => round.usage.inputTokens)).toEqual([1, 10, 100, 1000])
    expect(texts(messages)).toEqual(['Where?', '', 'Paris: 2,000,000 people', PARIS])
    const events: ChatEvent[] = []
    for await (const event of run) events.push(event)
    const ends = events.filter((event) => event.type === 'round-end')
    expect(ends.map((event) => event.round)).toEqual([1, 2, 3, 4])
    expect(events.at(-1)).toMatchObject({ type: 'response', round: 4 })
  })

  it('is not asked for again beyond the limit of rounds', async () => {
    const { model, client } = ask([LOOK, WRONG, WRONG, PARIS], { limits: { rounds: 3 } })
    await failure(client.prompt('Where?').tools(look()).call().entity(CITY))
    expect(model.prompts.length).toBe(3)
  })

  it('may be no answer at all: nothing said is asked for again, being stopped is not', async () => {
    const { model, client } = ask(['', PARIS])
    expect(await client.prompt('Where?').call().entity(CITY)).toEqual(JSON.parse(PARIS))
    expect(said(model)[1]).toMatch(/not valid JSON/)
    expect(model.prompts[1]!.messages.map((message) => message.role)).toEqual(['user', 'user'])
    for (const finishReason of ['content-filter', 'length', 'error'] as const) {
      const stopped = ask([{ text: '', finishReason }])
      const error = await failure(stopped.client.prompt('Where?').call().entity(CITY))
      expect(error.code).toBe(finishReason === 'content-filter' ? 'refused' : 'no-answer')
    }
    const filtered = ask([{ text: 'I must not', finishReason: 'content-filter' }])
    const error = await failure(filtered.client.prompt('Where?').call().entity(CITY))
    expect(error).toMatchObject({ code: 'refused', partial: 'I must not' })
  })

  it('an abort while it is corrected settles the run with the reason', async () => {
    const { client, model } = ask([WRONG, { hang: true }])
    const abort = new AbortController()
    const watching = advisor({
      name: 'watching',
      order: ORDER.last,
      before: ({ round }) => void (round === 2 && queueMicrotask(() => abort.abort('enough'))),
    })
    const request = client.prompt('Where?').advisors(watching).signal(abort.signal)
    await expect(request.call().entity(CITY)).rejects.toBe('enough')
    expect(model.prompts.length).toBeLessThanOrEqual(2)
  })

  it('a schema that throws or takes its time is asked once per answer', async () => {
    const checked: unknown[] = []
    const schema: StandardJsonSchema<{ city: string }> = {
      '~standard': {
        version: 1,
        vendor: 'test',
        validate: async (value) => {
          checked.push(value)
          await Promise.resolve()
          if (checked.length === 1) throw new Error('no such city')
          return { value: value as { city: string } }
        },
        jsonSchema: {
          input: () => ({ type: 'object', properties: { city: { type: 'string' } } }),
          output: () => ({}),
        },
      },
    }
    const { model, client } = ask(['{"city":"Atlantis"}', '{"city":"Paris"}'])
    const entity: { city: string } = await client.prompt('Where?').call().entity(schema)
    expect(entity).toEqual({ city: 'Paris' })
    expect(checked).toEqual([{ city: 'Atlantis' }, { city: 'Paris' }])
    expect(said(model)[1]).toContain('$: no such city')
  })
})

describe('JSON among words', () => {
  const found = async (answer: string, schema: z.ZodType = CITY): Promise<unknown> => {
    const { model, client } = ask([answer])
    const entity = await client.prompt('Where?').call().entity(schema)
    expect(model.prompts.length).toBe(1)
    return entity
  }

  it.each([
    ['in a fence', '```json\n' + PARIS + '\n```'],
    ['in a bare fence', '```\n' + PARIS + '\n```'],
    [
      'in a fence among words with brackets',
      `See [1] {x}:\n\`\`\`json\n${PARIS}\n\`\`\`\n[1] atlas`,
    ],
    ['after a greeting', `Here you are:\n\n${PARIS}\n\nAnything else?`],
    ['after thoughts', `<think>{"city": maybe "Rome"?}</think>\n${PARIS}`],
    ['with space around', `\n  ${PARIS}\n`],
  ])('is found %s', async (_where, answer) => {
    expect(await found(answer)).toEqual(JSON.parse(PARIS))
  })

  it('keeps fences that are part of the answer', async () => {
    const code = JSON.stringify({ city: '```js\n1\n```', people: 1 })
    expect(await found(`Sure: ${code}`)).toEqual(JSON.parse(code))
  })

  it.each([
    ['two objects', `${PARIS}\n${PARIS}`],
    ['two fences', `\`\`\`json\n${PARIS}\n\`\`\`\nor\n\`\`\`json\n${PARIS}\n\`\`\``],
    ['half an object', PARIS.slice(0, -1)],
    ['a key twice', '{"city":"Paris","people":1,"people":2}'],
    ['a comma too many', '{"city":"Paris","people":1,}'],
    ['words only', 'It is Paris.'],
  ])('is not guessed from %s', async (_what, answer) => {
    const { model, client } = ask([answer, PARIS])
    expect(await client.prompt('Where?').call().entity(CITY)).toEqual(JSON.parse(PARIS))
    expect(said(model)[1]).toMatch(/\$: The (?:text is not valid JSON|key "people" appears twice)/)
  })
})

describe('what is no object', () => {
  it('travels as { value }, and a bare answer is taken too', async () => {
    for (const answer of ['{"value":["a","b"]}', '["a","b"]', '```json\n["a","b"]\n```']) {
      const { model, client } = ask([answer], {}, true)
      expect(await client.prompt('Which?').call().entity(z.array(z.string()))).toEqual(['a', 'b'])
      expect(model.prompts[0]!.options?.outputSchema).toMatchObject({
        type: 'object',
        properties: { value: { type: 'array' } },
        required: ['value'],
      })
    }
  })

  it('may be one word, with or without quotes, and a number', async () => {
    const mood = z.enum(['good', 'bad'])
    const { model, client } = ask(['good', '"bad"', ' good\n', 'so so', '{"value":"bad"}', '42'])
    const moods = []
    for (let n = 0; n < 4; n++) moods.push(await client.prompt('How?').call().entity(mood))
    expect(moods).toEqual(['good', 'bad', 'good', 'bad'])
    expect(said(model)[4]).toContain('$.value: ')
    expect(await client.prompt('How many?').call().entity(z.number())).toBe(42)
  })

  it('an answer that ends like the one before is another answer', async () => {
    const { client } = ask(['so', 'so so'])
    expect(
      await client
        .prompt('How?')
        .call()
        .entity(z.enum(['so so'])),
    ).toBe('so so')
  })

  it('half an answer is no word', async () => {
    const { client } = ask(['{"value":"Par', '```\nParis', 'Paris'])
    expect(await client.prompt('Where?').call().entity(z.string())).toBe('Paris')
  })

  it('a union is told apart inside its wrapping', async () => {
    const shape = z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('circle'), r: z.number() }),
      z.object({ kind: z.literal('square'), a: z.number() }),
    ])
    const { client } = ask(['{"value":{"kind":"square","a":2}}', '{"kind":"circle","r":1}'])
    expect(await client.prompt('What?').call().entity(shape)).toEqual({ kind: 'square', a: 2 })
    expect(await client.prompt('What?').call().entity(shape)).toEqual({ kind: 'circle', r: 1 })
  })
})

describe('asked of a run that has begun', () => {
  it('only checks the text', async () => {
    const { model, client } = ask([PARIS, WRONG])
    const run = client.prompt('Where?').call()
    const content = run.content()
    expect(await run.entity(CITY)).toEqual(JSON.parse(PARIS))
    expect(await content).toBe(PARIS)
    expect(texts(model.prompts[0]!.messages)).toEqual(['Where?'])
    const other = client.prompt('Where?').call()
    await other.result()
    expect((await failure(other.entity(CITY))).issues).toMatchObject([{ path: '$.people' }])
    expect(model.prompts.length).toBe(2)
  })

  it('a second schema finds what the first one shaped', async () => {
    const { model, client } = ask([PARIS])
    const run = client.prompt('Where?').call()
    const [both, name] = await Promise.all([
      run.entity(CITY),
      run.entity(z.object({ city: z.string(), people: z.unknown() }).transform((x) => x.city)),
    ])
    expect([both, name]).toEqual([JSON.parse(PARIS), 'Paris'])
    await failure(run.entity(z.object({ country: z.string() })))
    expect(model.prompts.length).toBe(1)
  })

  it('of two that are asked before it begins, the first that is a schema shapes it', async () => {
    const { model, client } = ask([PARIS, PARIS])
    const other = z.object({ country: z.string() })
    const run = client.prompt('Where?').call()
    const [first, second] = [run.entity(CITY), run.entity(other)]
    expect((await failure(second)).issues).toMatchObject([{ path: '$.country' }, {}, {}])
    expect(await first).toEqual(JSON.parse(PARIS))
    expect(lastUser(model.prompts[0])).toContain('"people"')
    const late = client.prompt('Where?').call()
    await expect(late.entity(7 as never)).rejects.toThrow(ConfigurationError)
    expect(await late.entity(CITY)).toEqual(JSON.parse(PARIS))
    expect(lastUser(model.prompts[1])).toContain('"people"')
    expect(model.prompts.length).toBe(2)
  })

  it('an entity asked again is the same answer', async () => {
    const { model, client } = ask([WRONG, PARIS])
    const run = client.prompt('Where?').call()
    expect(await run.entity(CITY)).toEqual(await run.entity(CITY))
    expect(await run.content()).toBe(PARIS)
    expect(model.prompts.length).toBe(2)
  })
})

describe('without an answer', () => {
  const pay = tool({ name: 'pay', approval: true, execute: () => 'paid' })
  const PAY: ScriptedStep = { toolCalls: [{ name: 'pay' }] }

  it('a suspended run rejects, and is held to the schema when it goes on', async () => {
    const { model, client } = ask([PAY, WRONG, PARIS])
    const error: unknown = await client
      .prompt('Where?')
      .tools(pay)
      .call()
      .entity(CITY)
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(RunSuspendedError)
    const { state, pending } = (error as RunSuspendedError).result
    const stored = JSON.parse(JSON.stringify(state)) as RunState
    expect(JSON.stringify(stored)).not.toContain('final answer')
    const resumed = client
      .resume(stored, { [pending![0]!.callId]: 'approve' })
      .tools(pay)
      .call()
    expect(await resumed.entity(CITY)).toEqual(JSON.parse(PARIS))
    expect(model.prompts.length).toBe(3)
    expect((await resumed.result()).rounds.length).toBe(3)
  })

  it('a limit rejects', async () => {
    const { client } = ask([LOOK], { limits: { rounds: 1 } })
    const entity = client.prompt('Where?').tools(look()).call().entity(CITY)
    await expect(entity).rejects.toThrow(RunLimitError)
  })
})

describe('memory', () => {
  const CLEAN = [
    { role: 'user', content: 'Where?' },
    { role: 'assistant', content: PARIS },
  ]

  it.each([
    ['outside the loop', ORDER.memory],
    ['inside the loop', ORDER.toolCalling + 1],
    ['inside the loop, further in than structured output', 500],
  ])('%s holds the question and the answer, neither schema nor correction', async (_, order) => {
    const memory = messageWindowMemory()
    const { model, client } = ask([WRONG, PARIS], {
      advisors: [chatMemoryAdvisor(memory, { order })],
    })
    const run = client.prompt('Where?').conversation('c').call()
    expect(await run.entity(CITY)).toEqual(JSON.parse(PARIS))
    expect(model.prompts.length).toBe(2)
    expect(await memory.get('c')).toEqual(CLEAN)
    expect((await run.result()).messages).toEqual(CLEAN)
  })

  it('with the whole exchange stored, holds the tools’ part and no more', async () => {
    const memory = messageWindowMemory()
    const { client } = ask([LOOK, WRONG, PARIS], {
      advisors: [chatMemoryAdvisor(memory, { storeToolExchange: true })],
    })
    await client.prompt('Where?').tools(look()).conversation('c').call().entity(CITY)
    expect((await memory.get('c')).map((message) => message.role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
    ])
  })
})

describe('among advisors', () => {
  it('stands inside the loop, wherever the loop stands', async () => {
    const { model, client } = ask([LOOK, WRONG, PARIS], {
      advisors: [toolCallingAdvisor({ order: 700 })],
    })
    const run = client.prompt('Where?').tools(look()).call()
    expect(await run.entity(CITY)).toEqual(JSON.parse(PARIS))
    expect(model.prompts[2]!.messages.map((message) => message.role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
    ])
    expect((await run.result()).rounds.length).toBe(3)
  })

  it('those further in see every try, those further out the answer', async () => {
    const seen: string[] = []
    const seeing = (name: string, order: number) =>
      advisor({
        name,
        order,
        after: (answer) => void seen.push(`${name} ${textOf(answer.response)}`),
      })
    const { client } = ask([WRONG, PARIS], {
      advisors: [seeing('out', ORDER.structuredOutput - 1), seeing('in', ORDER.last)],
    })
    await client.prompt('Where?').call().entity(CITY)
    expect(seen).toEqual([`in ${WRONG}`, `in ${PARIS}`, `out ${PARIS}`])
  })

  it('every try is a step of its own: a replay asks nobody', async () => {
    const steps = new Map<string, unknown>()
    const durability: Durability = {
      async step<T>(key: string, run: () => Promise<T>): Promise<T> {
        if (!steps.has(key)) steps.set(key, JSON.parse(JSON.stringify(await run())))
        return steps.get(key) as T
      },
    }
    const ids = () => ({ next: (kind: string) => `${kind}-1` })
    const play = async (script: readonly ScriptedStep[]) => {
      const { model, client } = ask(script, { durability, ids: ids() })
      const run = client.prompt('Where?').tools(look()).call()
      return { entity: await run.entity(CITY), result: await run.result(), model }
    }
    const first = await play([LOOK, WRONG, WRONG, PARIS])
    expect([...steps.keys()].filter((key) => key.includes('model')).length).toBe(4)
    const replayed = await play([])
    expect(replayed.model.prompts).toEqual([])
    expect(replayed.entity).toEqual(first.entity)
    expect(replayed.result.rounds).toEqual(first.result.rounds)
  })
})

describe('a stream', () => {
  it('with an output schema in its options streams the JSON text', async () => {
    const outputSchema = z.toJSONSchema(CITY) as object
    const { model, client } = ask([PARIS])
    let text = ''
    const run = client.prompt('Where?').options({ outputSchema }).stream()
    expect(run).not.toHaveProperty('entity')
    for await (const piece of run.content()) text += piece
    expect(text).toBe(PARIS)
    expect(lastUser(model.prompts[0])).toContain('"city"')
  })
})
