import type { JsonSchema, ToolDefinition } from 'toolwright'
import { describe, expect, it } from 'vitest'
import type { Finding } from './finding.ts'
import { lintTools } from './lint-tools.ts'

const city = { type: 'string', description: 'The city, in English' } as const
const good: ToolDefinition = {
  name: 'getWeather',
  description: 'Get the current weather of a city',
  inputSchema: { type: 'object', properties: { city } },
}

const lint = (...definitions: readonly Partial<ToolDefinition>[]): Promise<readonly Finding[]> =>
  lintTools(definitions.map((definition) => ({ definition: { ...good, ...definition } })))

const messages = async (...definitions: readonly Partial<ToolDefinition>[]): Promise<string[]> =>
  (await lint(...definitions)).map(({ message }) => message)

const withProperties = (properties: JsonSchema['properties'], rest: JsonSchema = {}) => ({
  inputSchema: { type: 'object', properties, ...rest } as JsonSchema,
})

it('has nothing to say about a good tool', async () => {
  expect(await lint(good)).toEqual([])
  expect(await lintTools([])).toEqual([])
})

it('gives a rule, a tool and a fix', async () => {
  expect(await lint({ description: '' })).toEqual([
    {
      rule: 'description',
      tool: 'getWeather',
      message: 'getWeather has no description.',
      fix: 'Say what it does and when to use it, in a sentence.',
    },
  ])
})

describe('descriptions', () => {
  it.each([
    ['', 'getWeather has no description.'],
    [' …! ', 'getWeather has no description.'],
    ['Get weather', 'getWeather has no description but its name.'],
    ['get_weather.', 'getWeather has no description but its name.'],
    ['Weather', 'getWeather is described in one word: "Weather".'],
    ['Gets weather.', 'getWeather is described in 2 words: "Gets weather.".'],
  ])('are too little: %j', async (description, message) => {
    expect(await messages({ description })).toEqual([message])
  })

  it.each(['Get the weather', '获取城市的当前天气', 'Wie ist das Wetter?'])(
    'suffice: %j',
    async (description) => {
      expect(await messages({ description })).toEqual([])
    },
  )

  it('that are the name in many words are still only the name', async () => {
    const name = 'getTheWeatherOfToday'
    expect(await messages({ name, description: 'Get the weather of today' })).toHaveLength(1)
  })
})

describe('parameters', () => {
  const undescribed = async (inputSchema: JsonSchema): Promise<string[]> =>
    (await messages({ inputSchema })).map((message) => / parameter (\S+) has/.exec(message)![1]!)

  it('need a description at every depth', async () => {
    const lines = {
      type: 'array',
      description: 'The lines',
      items: { type: 'object', properties: { price: { type: 'number' } } },
    } as const
    const order = { anyOf: [{ type: 'object', properties: { lines } }, { type: 'null' }] } as const
    const byName = {
      description: 'By name',
      additionalProperties: { properties: { age: { type: 'number' } } },
    } as const
    expect(await undescribed({ type: 'object', properties: { city, order, byName } })).toEqual([
      'order',
      'order.lines[].price',
      'byName.*.age',
    ])
  })

  it('may be described where they refer to, and recursion ends', async () => {
    const person = {
      description: 'A person',
      properties: { name: { type: 'string' }, friend: { $ref: '#/$defs/Person' } },
    } as const
    const { inputSchema } = withProperties(
      { owner: { $ref: '#/$defs/Person' }, other: { $ref: '#/$defs/Nobody' } },
      { $defs: { Person: person } },
    )
    expect(await undescribed(inputSchema)).toEqual(['owner.name', 'other'])
  })

  it('of only one value need none', async () => {
    const { inputSchema } = withProperties({ kind: { const: 'circle' }, unit: { enum: ['cm'] } })
    expect(await undescribed(inputSchema)).toEqual([])
  })
})

describe('names', () => {
  const refusedBy = async (name: string): Promise<string[]> => {
    const [finding] = await lint({ name })
    const providers = ['OpenAI', 'Anthropic', 'Gemini']
    return providers.filter((provider) => finding?.message.includes(provider))
  }

  it.each([
    ['get_weather-2', []],
    ['a'.repeat(64), []],
    ['a'.repeat(65), ['OpenAI', 'Gemini']],
    ['a'.repeat(129), ['OpenAI', 'Anthropic', 'Gemini']],
    ['weather.get', ['OpenAI', 'Anthropic']],
    ['2fast', ['Gemini']],
    ['wetter für heute', ['OpenAI', 'Anthropic', 'Gemini']],
    ['', ['OpenAI', 'Anthropic', 'Gemini']],
  ])('%j is refused by %j', async (name, providers) => {
    expect(await refusedBy(name)).toEqual(providers)
  })

  it('come with one that fits', async () => {
    expect((await lint({ name: 'weather.get now' }))[0]!.fix).toBe(
      'Rename it, for example to weather_get_now.',
    )
    expect((await lint({ name: '天气' }))[0]!.fix).toBe('Rename it.')
  })

  it('of parameters count too', async () => {
    const [finding, ...others] = await lint(withProperties({ 'the city': city }))
    expect(finding!.message).toContain('the parameter "the city" is refused by Anthropic')
    expect(others).toEqual([])
  })
})

describe('tools that a model will confuse', () => {
  const tool = (name: string, description: string): ToolDefinition => ({
    name,
    description,
    ...withProperties({ id: { type: 'string', description: 'The id' } }),
  })
  const confused = async (...tools: readonly ToolDefinition[]): Promise<boolean> =>
    (await lint(...tools)).some(({ rule }) => rule === 'confusable')
  const others = [
    tool('setAlarm', 'Set a user alarm for the given time'),
    tool('sendMail', 'Send an e-mail to a customer'),
    tool('listInvoices', 'List the invoices of one month'),
  ]

  it.each([
    [
      'the same description',
      tool('getUser', 'Get a user by id'),
      tool('findIt', 'Get a user, by id.'),
    ],
    [
      'get and fetch',
      tool('getUser', 'Get a user by id'),
      tool('fetchUser', 'Fetch the user with an id'),
    ],
    [
      'the same in other words',
      tool('getWeather', 'Get the current weather of a city'),
      tool('currentWeather', 'Get the weather in a city, current'),
    ],
    [
      'find and search',
      tool('searchOrders', 'Search the orders of a customer'),
      tool('findOrders', 'Find orders of a customer'),
    ],
  ])('%s', async (_what, one, other) => {
    expect(await confused(one, other)).toBe(true)
    expect(await confused(...others, other, one)).toBe(true)
  })

  it.each([
    ['create and delete', tool('createUser', 'Create a user'), tool('deleteUser', 'Delete a user')],
    [
      'get and cancel',
      tool('getOrder', 'Get an order by its number'),
      tool('cancelOrder', 'Cancel an order by its number'),
    ],
    ['nothing in common', others[0]!, others[1]!],
    ['two that have no description', tool('listUser', ''), tool('listUsers', '')],
  ])('but not %s', async (_what, one, other) => {
    expect(await confused(one, other)).toBe(false)
    expect(await confused(...others.slice(2), one, other)).toBe(false)
  })

  it('are told once, with both names', async () => {
    const [one, other] = [tool('getUser', 'Get a user by id'), tool('loadUser', 'Get a user by id')]
    expect(await messages(one, other)).toEqual(['getUser and loadUser have the same description.'])
  })
})

describe('tokens', () => {
  const long = { description: 'Say so many words. '.repeat(150) }

  it('of one tool are counted', async () => {
    const [finding, ...rest] = await lint(long)
    expect(finding).toMatchObject({ rule: 'budget', tool: 'getWeather' })
    expect(finding!.message).toMatch(/takes about \d{3,} tokens of every request; 500 are allowed/)
    expect(rest).toEqual([])
  })

  it('of all tools are held to the budget', async () => {
    const tools = ['a', 'b', 'c', 'd'].map((name) => ({ definition: { ...good, name } }))
    const found = async (budget: number): Promise<Finding[]> =>
      (await lintTools(tools, { budget })).filter(({ rule }) => rule === 'budget')
    expect(await found(1000)).toEqual([])
    const [total, ...rest] = await found(100)
    expect(rest).toEqual([])
    expect(total!.tool).toBeUndefined()
    expect(total!.message).toMatch(/the budget is 100\. The largest: a \d+, b \d+, c \d+\.$/)
  })
})
