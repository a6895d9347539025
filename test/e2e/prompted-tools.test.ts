/** Tools for a model that has none, through the client: the same events, the same executor, call and stream alike. */
import { describe, expect, it } from 'vitest'
import {
  ChatClient,
  ConfigurationError,
  promptedTools,
  textOf,
  tool,
  type ChatClientOptions,
  type ChatEvent,
  type ChatOptions,
  type Message,
  type RunResult,
} from 'toolwright'
import {
  countingIds,
  scriptedModel,
  type ScriptedModel,
  type ScriptedStep,
} from 'toolwright/testing'

const MODES = ['call', 'stream'] as const

const weather = tool({
  name: 'weather',
  description: 'The weather of a city',
  input: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  },
  execute: ({ city }: { city: string }) => {
    if (city === 'Atlantis') throw new Error('There is no such city.')
    return `sunny in ${city} </tool_result>`
  },
})

const block = (city: string): string =>
  `<tool_call>\n{"name": "weather", "arguments": {"city": "${city}"}}\n</tool_call>`

interface Ran {
  readonly result: RunResult
  readonly events: readonly ChatEvent[]
  readonly model: ScriptedModel
}

interface Setup {
  readonly steps: readonly ScriptedStep[]
  readonly options?: ChatOptions
  readonly client?: ChatClientOptions
}

async function run(mode: (typeof MODES)[number], { steps, options, client }: Setup): Promise<Ran> {
  const model = scriptedModel(steps, { capabilities: { tools: false } })
  const request = ChatClient.create(promptedTools(model), { ...client, ids: countingIds() })
    .prompt('How is it?')
    .tools(weather)
    .options(options ?? {})
  const running = request[mode]()
  const events: ChatEvent[] = []
  for await (const event of running.events()) events.push(event)
  return { result: await running.result(), events, model }
}

/** Runs it called and streamed, and checks that both came to the same. */
function alike(name: string, setup: Setup, check: (ran: Ran) => void): void {
  it(name, async () => {
    const [called, streamed] = [await run('call', setup), await run('stream', setup)]
    for (const ran of [called, streamed]) check(ran)
    expect(streamed.result.messages).toEqual(called.result.messages)
    expect(streamed.model.prompts).toEqual(called.model.prompts)
    const told = ({ events }: Ran): readonly string[] =>
      events.map(({ type }) => type).filter((type) => !type.endsWith('-delta'))
    expect(told(streamed)).toEqual(told(called))
  })
}

const systemOf = ({ model }: Ran, round = 0): string =>
  textOf(model.prompts[round]!.messages.find(({ role }) => role === 'system')!)
const lastOf = ({ model }: Ran): Message => model.prompts.at(-1)!.messages.at(-1)!

describe('promptedTools', () => {
  alike(
    'tells the model its tools, runs what it writes, and shows it the results',
    {
      steps: [`Let me look.\n${block('Paris')}\n${block('Atlantis')}`, 'Sunny in Paris.'],
      client: { system: 'Be short.' },
    },
    (ran) => {
      const { definition } = weather
      const line = JSON.stringify({
        name: definition.name,
        description: definition.description,
        parameters: definition.inputSchema,
      })
      expect(systemOf(ran)).toMatch(/^Be short\.\n\nYou can call the tools below\./)
      expect(systemOf(ran)).toContain(`<tools>\n${line}\n</tools>`)
      expect(ran.model.prompts[0]!.options).toEqual({ tools: [], internalToolExecution: false })
      const [, , assistant, results] = ran.model.prompts[1]!.messages
      expect(textOf(assistant!)).toBe(`Let me look.\n${block('Paris')}\n${block('Atlantis')}`)
      expect(results).toEqual({
        role: 'user',
        content: [
          '<tool_result name="weather">\nsunny in Paris &lt;/tool_result>\n</tool_result>',
          '<tool_result name="weather" error="true">\nThere is no such city.\n</tool_result>',
        ].join('\n'),
      })
      expect(textOf(ran.result.response)).toBe('Sunny in Paris.')
      // In the conversation they are calls like any other, with ids of the run.
      const calls = ran.result.messages.flatMap((message) =>
        message.role === 'tool' ? message.responses.map(({ id }) => id) : [],
      )
      expect(new Set(calls).size).toBe(2)
      expect(calls.every((id) => id !== '')).toBe(true)
    },
  )

  alike(
    'answers in text stay as they are',
    { steps: ['Write `<tool_call>` for a call; a < b.'] },
    ({ result }) => expect(textOf(result.response)).toBe('Write `<tool_call>` for a call; a < b.'),
  )

  alike(
    'does not run a call that is cut at the token limit, even if it is complete',
    {
      steps: [{ text: block('Paris'), finishReason: 'length' }, 'Sorry.'],
    },
    (ran) => expect(textOf(lastOf(ran))).toContain('Not run: your answer was cut off'),
  )

  for (const [what, text] of [
    ['half a call', '<tool_call>{"name": "weather", "arguments": {"city": "Paris"'],
    [
      'a call without its last brace',
      '<tool_call>{"name":"weather","arguments":{"city":"Paris"}</tool_call>',
    ],
    [
      'a call in single quotes',
      "<tool_call>{'name':'weather','arguments':{'city':'Paris'}}</tool_call>",
    ],
  ] as const)
    alike(`does not run ${what}, and says why`, { steps: [text, 'Sorry.'] }, (ran) => {
      expect(ran.events.some(({ type }) => type === 'tool-execution-start')).toBe(false)
      expect(textOf(lastOf(ran))).toMatch(/Not run: .*arguments are invalid.*not valid JSON/s)
    })

  alike(
    'tells the model of a tool that it has not',
    { steps: [block('Paris').replace('weather', 'wether'), 'Sorry.'] },
    (ran) => expect(textOf(lastOf(ran))).toContain('there is no tool called "wether"'),
  )

  alike(
    'keeps the first call where only one is wanted',
    {
      steps: [`${block('Paris')}\n${block('Rome')}`, 'Sunny.'],
      options: { parallelToolCalls: false },
    },
    (ran) => {
      expect(systemOf(ran)).toContain('Call at most one tool in an answer.')
      expect(ran.events.filter(({ type }) => type === 'tool-execution-start')).toHaveLength(1)
    },
  )

  for (const [toolChoice, words] of [
    ['required', 'You must call at least one tool now.'],
    ['none', 'Do not call a tool now; answer in text.'],
    [{ tool: 'weather' }, 'You must call the tool "weather" now.'],
  ] as const)
    alike(
      `says the tool choice ${JSON.stringify(toolChoice)} by words`,
      { steps: ['Fine.'], options: { toolChoice } },
      (ran) => {
        expect(systemOf(ran)).toContain(words)
        expect(ran.model.prompts[0]!.options).toEqual({ tools: [], internalToolExecution: false })
      },
    )

  it('takes text for text where no tools are offered', async () => {
    const model = promptedTools(scriptedModel([block('Paris'), block('Paris')]))
    for (const mode of MODES) {
      const { response } = await ChatClient.create(model).prompt('Hi')[mode]().result()
      expect(textOf(response)).toBe(block('Paris'))
    }
  })

  it('asks for structured output by words, also of a model that takes schemas', async () => {
    const inner = scriptedModel([block('Paris'), '{"celsius": 20}'], {
      capabilities: { structuredOutput: true },
    })
    const schema = { type: 'object', properties: { celsius: { type: 'number' } } } as const
    const client = ChatClient.create(promptedTools(inner))
    const entity = await client.prompt('Paris?').tools(weather).call().entity(schema)
    expect(entity).toEqual({ celsius: 20 })
    expect(inner.prompts.every(({ options }) => options?.outputSchema === undefined)).toBe(true)
  })

  it('streams text while it comes, and holds back only what may be a call', async () => {
    const chunks = [
      'Let ',
      'me ',
      'look',
      ' <to',
      'ol_call>{"name":"weather",',
      '"arguments":{"city":"Oslo"}}',
      '</tool_call>',
    ]
    const model = promptedTools(scriptedModel([{ chunks }, 'Cold.']))
    const told: string[] = []
    for await (const event of ChatClient.create(model)
      .prompt('Go')
      .tools(weather)
      .stream()
      .events())
      if (event.type === 'text-delta') told.push(event.text)
      else if (event.type === 'tool-call') told.push(event.toolCall.arguments)
    expect(told).toEqual(['Let', ' me', ' look', '{"city":"Oslo"}', 'Cold.'])
  })

  it('sends media that a tool returned behind its result', async () => {
    const picture = tool({
      name: 'picture',
      description: 'A picture',
      execute: () => [{ type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' } as const],
      resultConverter: (parts) => parts,
    })
    const inner = scriptedModel(['<tool_call>{"name":"picture"}</tool_call>', 'Nice.'])
    await ChatClient.create(promptedTools(inner)).prompt('Go').tools(picture).call().content()
    expect(inner.prompts[1]!.messages.at(-1)).toEqual({
      role: 'user',
      content: [
        { type: 'text', text: '<tool_result name="picture">\n[image below]\n</tool_result>' },
        { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' },
      ],
    })
  })

  it.each(MODES)('tells of a tool that was added to the list since the last %s', async (mode) => {
    const inner = scriptedModel(['One.', 'Two.'])
    const model = promptedTools(inner)
    const tools = [weather]
    for (const added of [undefined, tool({ name: 'clock', description: '', execute: () => '' })]) {
      if (added) tools.push(added as unknown as typeof weather)
      const prompt = { messages: [{ role: 'user', content: 'Hi' } as const], options: { tools } }
      if (mode === 'call') await model.call(prompt)
      else for await (const _event of model.stream(prompt));
    }
    const told = inner.prompts.map(({ messages }) => JSON.stringify(messages).includes('clock'))
    expect(told).toEqual([false, true])
  })

  it('refuses what is no model', () => {
    expect(() => promptedTools({} as never)).toThrow(ConfigurationError)
  })
})
