import { describe, expect, it } from 'vitest'
import {
  ChatClient,
  chatMemoryAdvisor,
  messageWindowMemory,
  tool,
  type ChatClientOptions,
} from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import {
  keywordToolIndex,
  toolSearchAdvisor,
  type ToolSearchAdvisorOptions,
} from 'toolwright/tool-search'
import { eventsOf, scenario, toldByTools } from '../scenario.ts'
import { alarm, email, FEW, forecast, offered, searching, weather } from './catalogue.ts'

const withSearch =
  (options: Partial<ToolSearchAdvisorOptions> = {}) =>
  (): ChatClientOptions => ({
    tools: FEW,
    advisors: [toolSearchAdvisor({ index: keywordToolIndex(), ...options })],
  })

describe('tool search', () => {
  scenario('offers only the search tool first, and what it found from the next round on', {
    client: withSearch({ maxResults: 1 }),
    script: [
      { toolCalls: [searching('current weather')] },
      { toolCalls: [{ name: 'getCurrentWeather', arguments: { city: 'Oslo' } }] },
      'It rains.',
    ],
    check({ prompts, result }) {
      expect(offered(prompts)).toEqual([
        ['toolSearchTool'],
        ['toolSearchTool', 'getCurrentWeather'],
        ['toolSearchTool', 'getCurrentWeather'],
      ])
      expect(toldByTools(prompts[1])).toEqual([{ content: '{"tools":["getCurrentWeather"]}' }])
      expect(toldByTools(prompts[2])).toEqual([{ content: 'getCurrentWeather of Oslo' }])
      expect(result.status).toBe('done')
    },
  })

  scenario('appends what is found, so that what was offered before stays in its place', {
    client: withSearch({ maxResults: 1 }),
    script: [
      { toolCalls: [searching('invoice')] },
      { toolCalls: [searching('email')] },
      { toolCalls: [searching('alarm', 'invoice')] },
      'Done.',
    ],
    check({ prompts }) {
      expect(offered(prompts).at(-1)).toEqual([
        'toolSearchTool',
        'createInvoice',
        'sendEmail',
        'setAlarm',
      ])
    },
  })

  scenario('answers several queries in one call, the best of each first', {
    client: withSearch({ maxResults: 2 }),
    script: [{ toolCalls: [searching('weather', 'send an email')] }, 'Done.'],
    check({ prompts }) {
      expect(offered(prompts)[1]!.slice(0, 3)).toEqual([
        'toolSearchTool',
        'getCurrentWeather',
        'sendEmail',
      ])
      expect(offered(prompts)[1]).toContain('getForecast')
    },
  })

  scenario('keeps the tools of parallel searches', {
    client: withSearch({ maxResults: 1 }),
    script: [{ toolCalls: [searching('invoice'), searching('alarm')] }, 'Done.'],
    check({ prompts }) {
      expect(offered(prompts)[1]).toEqual(['toolSearchTool', 'createInvoice', 'setAlarm'])
    },
  })

  scenario('offers only what the latest searches found when it does not accumulate', {
    client: withSearch({ maxResults: 1, accumulate: false }),
    script: [
      { toolCalls: [searching('email')] },
      { toolCalls: [searching('invoice'), searching('alarm')] },
      { toolCalls: [{ name: 'setAlarm' }] },
      'Done.',
    ],
    check({ prompts }) {
      expect(offered(prompts)).toEqual([
        ['toolSearchTool'],
        ['toolSearchTool', 'sendEmail'],
        ['toolSearchTool', 'createInvoice', 'setAlarm'],
        ['toolSearchTool', 'createInvoice', 'setAlarm'],
      ])
    },
  })

  scenario(
    'keeps all that one round found, by searching and by calling, when it does not accumulate',
    {
      client: withSearch({ maxResults: 1, accumulate: false }),
      script: [
        { toolCalls: [searching('email')] },
        { toolCalls: [{ name: 'setAlarm' }, searching('invoice')] },
        'Done.',
      ],
      check({ prompts }) {
        expect(offered(prompts).slice(1)).toEqual([
          ['toolSearchTool', 'sendEmail'],
          ['toolSearchTool', 'setAlarm', 'createInvoice'],
        ])
      },
    },
  )

  scenario('offers pinned tools always', {
    client: withSearch({ pinned: ['setAlarm'], maxResults: 1 }),
    script: [{ toolCalls: [searching('email')] }, { toolCalls: [{ name: 'setAlarm' }] }, 'Done.'],
    check({ prompts }) {
      expect(offered(prompts)[0]).toEqual(['toolSearchTool', 'setAlarm'])
      expect(offered(prompts)[1]).toEqual(['toolSearchTool', 'setAlarm', 'sendEmail'])
      expect(toldByTools(prompts[2])).toEqual([{ content: 'setAlarm of nowhere' }])
    },
  })

  for (const [name, options, expected] of [
    [
      'takes the number of results from the model, then from the advisor, within the cap',
      { maxResults: 2, maxResultsCap: 3 },
      [2, 1, 3],
    ],
    ['gives 5 results by default, and 20 at most', {}, [5, 1, 20]],
  ] as const) {
    scenario(name, {
      client: withSearch(options),
      tools: () =>
        Array.from({ length: 24 }, (_none, at) =>
          tool({ name: `weather${at}`, description: 'Weather', execute: () => '' }),
        ),
      script: [
        { toolCalls: [searching('weather')] },
        ...[1, 99].map((maxResults) => ({
          toolCalls: [{ name: 'toolSearchTool', arguments: { queries: ['weather'], maxResults } }],
        })),
        'Done.',
      ],
      check({ prompts }) {
        const found = prompts.slice(1).map((prompt) => {
          const [{ content } = { content: '' }] = toldByTools(prompt)
          return (JSON.parse(content as string) as { tools: string[] }).tools.length
        })
        expect(found).toEqual(expected)
      },
    })
  }

  scenario('says what to try when a search finds nothing', {
    client: withSearch(),
    script: [{ toolCalls: [searching('xylophone', 'current weather')] }, 'Sorry.'],
    check({ prompts }) {
      const [{ content } = { content: '' }] = toldByTools(prompts[1])
      expect(JSON.parse(content as string)).toMatchObject({
        tools: ['getCurrentWeather', 'getForecast'],
        nothingFor: ['xylophone'],
        try: expect.stringContaining('other words') as string,
      })
    },
  })

  scenario('finds nothing for a blank query, and survives a very long one', {
    client: withSearch(),
    script: [
      { toolCalls: [searching('  ')] },
      { toolCalls: [searching(`email ${'word '.repeat(2_000)}`)] },
      'Done.',
    ],
    check({ prompts }) {
      expect(offered(prompts)[1]).toEqual(['toolSearchTool'])
      expect(offered(prompts)[2]).toEqual(['toolSearchTool', 'sendEmail'])
    },
  })

  scenario(
    'answers a call to a tool the model has not seen with its definition, and offers it next',
    {
      client: withSearch(),
      script: [
        { toolCalls: [{ name: 'sendEmail', arguments: { city: 'Oslo' } }] },
        { toolCalls: [{ name: 'sendEmail', arguments: { city: 'Oslo' } }] },
        'Sent.',
      ],
      check({ prompts, events }) {
        const [told] = toldByTools(prompts[1])
        expect(told).toMatchObject({ isError: true })
        expect(told!.content).toContain('Not run')
        expect(told!.content).toContain(JSON.stringify(email.definition.inputSchema))
        expect(offered(prompts)[1]).toEqual(['toolSearchTool', 'sendEmail'])
        expect(toldByTools(prompts[2])).toEqual([{ content: 'sendEmail of Oslo' }])
        expect(eventsOf(events, 'tool-result').map(({ response }) => response.isError)).toEqual([
          true,
          undefined,
        ])
        expect(eventsOf(events, 'tool-execution-start')).toHaveLength(1)
      },
    },
  )

  scenario('tells of a tool that does not exist as always', {
    client: withSearch(),
    script: [{ toolCalls: [{ name: 'launchRocket' }, searching('email')] }, 'No.'],
    check({ prompts }) {
      const [rocket, search] = toldByTools(prompts[1])
      expect(rocket).toMatchObject({ isError: true })
      expect(rocket!.content).toContain('there is no tool called "launchRocket"')
      expect(search).toEqual({ content: '{"tools":["sendEmail"]}' })
    },
  })

  scenario('ends the system message with how to search, the same in every round', {
    client: () => ({ ...withSearch()(), system: 'Be brief.' }),
    script: [{ toolCalls: [searching('email')] }, 'Done.'],
    check({ prompts, result }) {
      const [first, second] = prompts.map(({ messages }) => messages[0])
      expect(first).toMatchObject({
        role: 'system',
        content: expect.stringMatching(/^Be brief\.\n\n/) as string,
      })
      expect(first).toMatchObject({ content: expect.stringContaining('toolSearchTool') as string })
      expect(second).toEqual(first)
      // The conversation itself stays as it was: whoever sends it again gets no second suffix.
      expect(result.messages[0]).toEqual({ role: 'system', content: 'Be brief.' })
    },
  })

  scenario('takes other words for the end of the system message, or none', {
    client: withSearch({ systemSuffix: '' }),
    script: ['Hello.'],
    check({ prompts }) {
      expect(prompts[0]!.messages).toEqual([{ role: 'user', content: 'Go' }])
    },
  })

  scenario('adds nothing when there is nothing to search', {
    client: () => ({ ...withSearch({ pinned: ['setAlarm'] })(), tools: [] }),
    script: ['Hello.', 'Again.'],
    check({ prompts }) {
      expect(offered(prompts)[0]).toEqual([])
      expect(prompts[0]!.messages).toEqual([{ role: 'user', content: 'Go' }])
    },
  })

  scenario('offers a tool that the model is made to call', {
    client: withSearch(),
    request: (client) => client.prompt('Go').options({ toolChoice: { tool: 'setAlarm' } }),
    script: [{ toolCalls: [{ name: 'setAlarm' }] }, 'Done.'],
    check({ prompts }) {
      expect(offered(prompts)[0]).toEqual(['toolSearchTool', 'setAlarm'])
    },
  })

  scenario('keeps the found tools within a number of tokens: the earliest make room', {
    client: withSearch({
      maxResults: 1,
      maxDisclosedTokens: 2,
      tokenizer: () => 1,
    }),
    script: [
      { toolCalls: [searching('email')] },
      { toolCalls: [searching('invoice')] },
      { toolCalls: [searching('alarm')] },
      'Done.',
    ],
    check({ prompts }) {
      expect(offered(prompts).at(-1)).toEqual(['toolSearchTool', 'createInvoice', 'setAlarm'])
    },
  })

  scenario('says which tools are too large to be offered', {
    client: withSearch({ maxResults: 5, maxDisclosedTokens: 1, tokenizer: () => 1 }),
    script: [{ toolCalls: [searching('weather')] }, 'Done.'],
    check({ prompts }) {
      const [{ content } = { content: '' }] = toldByTools(prompts[1])
      expect(JSON.parse(content as string)).toMatchObject({
        tools: ['getCurrentWeather'],
        tooLargeToOffer: ['getForecast'],
      })
    },
  })

  scenario('lets a hook of the program have the last word about a round', {
    client: withSearch({
      beforeRound: (request) => ({
        ...request,
        prompt: { ...request.prompt, options: { ...request.prompt.options, temperature: 0 } },
      }),
    }),
    script: [{ toolCalls: [searching('email')] }, 'Done.'],
    check({ prompts }) {
      expect(prompts.map(({ options }) => options?.temperature)).toEqual([0, 0])
      expect(offered(prompts)[1]).toEqual(['toolSearchTool', 'sendEmail'])
    },
  })

  scenario('holds tools back by itself where the model can', {
    client: withSearch({ pinned: ['setAlarm'] }),
    request: (client, { model }) => {
      Object.assign(model.capabilities, { nativeToolSearch: true })
      return client.prompt('Go')
    },
    script: [{ toolCalls: [{ name: 'sendEmail', arguments: { city: 'Oslo' } }] }, 'Done.'],
    check({ prompts }) {
      expect(offered(prompts)[0]).toEqual(FEW.map(({ definition }) => definition.name))
      expect(prompts[0]!.options?.deferredTools).toEqual([
        'getCurrentWeather',
        'getForecast',
        'sendEmail',
        'createInvoice',
      ])
      expect(toldByTools(prompts[1])).toEqual([{ content: 'sendEmail of Oslo' }])
    },
  })
})

describe('what was found stays found', () => {
  it('in later turns of the conversation, although memory keeps no tool messages', async () => {
    const model = scriptedModel([
      { toolCalls: [searching('email')] },
      'Found it.',
      { toolCalls: [{ name: 'sendEmail', arguments: { city: 'Rome' } }] },
      'Sent.',
      'Hello.',
    ])
    const client = ChatClient.create(model, {
      ...withSearch()(),
      advisors: [
        toolSearchAdvisor({ index: keywordToolIndex() }),
        chatMemoryAdvisor(messageWindowMemory({ maxMessages: 2 })),
      ],
    })
    await client.prompt('Can you mail?').conversation('ann').call().content()
    await client.prompt('Then mail Rome').conversation('ann').call().content()
    expect(offered(model.prompts)[2]).toEqual(['toolSearchTool', 'sendEmail'])
    expect(toldByTools(model.prompts[3])).toEqual([{ content: 'sendEmail of Rome' }])
    await client.prompt('Hi').conversation('bob').call().content()
    expect(offered(model.prompts)[4]).toEqual(['toolSearchTool'])
  })

  it('where only the conversation itself remembers, e.g. in another process', async () => {
    const script = [{ toolCalls: [searching('email')] }, 'Found it.']
    const first = await ChatClient.create(scriptedModel(script), withSearch()())
      .prompt('Can you mail?')
      .call()
      .result()
    const model = scriptedModel(['Yes.'])
    await ChatClient.create(model, withSearch()())
      .prompt([...first.messages, { role: 'user', content: 'Sure?' }])
      .call()
      .content()
    expect(offered(model.prompts)[0]).toEqual(['toolSearchTool', 'sendEmail'])
  })

  it('but not for a run without a conversation', async () => {
    const model = scriptedModel([{ toolCalls: [searching('email')] }, 'Found.', 'Hello.'])
    const client = ChatClient.create(model, withSearch()())
    await client.prompt('Can you mail?').call().content()
    await client.prompt('Hello').call().content()
    expect(offered(model.prompts)[2]).toEqual(['toolSearchTool'])
  })

  it('but not when the tool is gone: a call to it is told so', async () => {
    const model = scriptedModel([
      { toolCalls: [searching('email')] },
      'Found it.',
      { toolCalls: [{ name: 'sendEmail' }] },
      'It is gone.',
    ])
    const client = ChatClient.create(model, withSearch()())
    await client.prompt('Can you mail?').conversation('ann').call().content()
    await client.prompt('Mail!').tools(weather, forecast).conversation('ann').call().content()
    expect(offered(model.prompts)[2]).toEqual(['toolSearchTool'])
    expect(toldByTools(model.prompts[3])[0]!.content).toContain(
      'there is no tool called "sendEmail"',
    )
  })

  const risky = tool({
    name: 'deleteInvoice',
    description: 'Delete an invoice',
    hints: { destructive: true },
    execute: () => 'deleted',
  })
  scenario('through a suspension', {
    client: () => ({
      tools: [...FEW, risky],
      advisors: [toolSearchAdvisor({ index: keywordToolIndex(), maxResults: 2 })],
    }),
    script: [
      { toolCalls: [searching('delete an invoice')] },
      { toolCalls: [{ name: 'deleteInvoice' }, searching('alarm')] },
      { toolCalls: [{ name: 'createInvoice', arguments: { city: 'Bonn' } }] },
      'Replaced.',
    ],
    resume: [(suspended) => ({ [suspended.pending![0]!.callId]: 'approve' })],
    check({ prompts, legs, result }) {
      expect(legs[0]!.result!.status).toBe('suspended')
      expect(toldByTools(prompts[2])).toEqual([
        { content: 'deleted' },
        { content: '{"tools":["setAlarm"]}' },
      ])
      expect(offered(prompts)[2]).toEqual([
        'toolSearchTool',
        'deleteInvoice',
        'createInvoice',
        'setAlarm',
      ])
      expect(result.status).toBe('done')
    },
  })
})

describe('options of the advisor', () => {
  const index = keywordToolIndex()
  it.each([
    [{}, 'needs an index'],
    [{ index: {} }, 'needs an index'],
    [{ index, maxResult: 3 }, 'Did you mean "maxResults"'],
    [{ index, maxResults: 0 }, 'at least 1'],
    [{ index, maxResultsCap: -1 }, 'at least 1'],
  ])('that are wrong are refused: %j', (options, words) => {
    expect(() => toolSearchAdvisor(options as ToolSearchAdvisorOptions)).toThrow(words)
  })

  it("do not take a tool of the search tool's name", async () => {
    const own = tool({ name: 'toolSearchTool', execute: () => '' })
    const client = ChatClient.create(scriptedModel(['x']), {
      ...withSearch()(),
      tools: [own, alarm],
    })
    await expect(client.prompt('Go').call().content()).rejects.toThrow(
      'Two tools are called "toolSearchTool"',
    )
  })

  it('name pinned tools that are not there in a notice', async () => {
    const client = ChatClient.create(scriptedModel(['x']), withSearch({ pinned: ['setAlram'] })())
    const events = []
    for await (const event of client.prompt('Go').stream()) events.push(event)
    expect(eventsOf(events, 'notice')).toMatchObject([
      { code: 'tool-search', message: expect.stringContaining('setAlram') as string },
    ])
  })
})
