/**
 * A long conversation with everything in it, on a script: twelve turns with parallel calls, failures, refusals,
 * approvals, questions, media, reasoning, and a model that fails once. `npx tsx` this file to record it again.
 */
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import {
  ChatClient,
  chatMemoryAdvisor,
  messageWindowMemory,
  ProviderError,
  retryAdvisor,
  textOf,
  tool,
  type Decisions,
  type Message,
  type RunResult,
} from 'toolwright'
import {
  cassette,
  countingIds,
  manualClock,
  scriptedModel,
  seededRandom,
  type ScriptedStep,
} from 'toolwright/testing'

export const KEPT = fileURLToPath(new URL('long-conversation.cassette.json', import.meta.url))

interface Turn {
  readonly user: string | Message
  readonly model: readonly ScriptedStep[]
  readonly decisions?: readonly Decisions[]
}

const call = (name: string, args: object, id: string) => ({ name, arguments: args as never, id })
const CITIES = ['Rome', 'Oslo', 'Bern', 'Lima', 'Kyiv', 'Cairo', 'Quito', 'Hanoi']

const forecasts: readonly Turn[] = CITIES.map((city, at) => ({
  user: `How warm will it be in ${city}?`,
  model: [
    {
      parts: [
        {
          type: 'reasoning',
          text: `${city}…`,
          providerData: { signature: `sig-${at}-`.repeat(60) },
        },
        { type: 'tool-call', id: `f${at}a`, name: 'weather', arguments: JSON.stringify({ city }) },
        {
          type: 'tool-call',
          id: `f${at}b`,
          name: 'weather',
          arguments: `{"city":"${city}","day":${at}}`,
        },
      ],
      usage: { inputTokens: 100 + at, outputTokens: 20 },
    },
    {
      text: `In ${city} it will be ${20 + at} °C.`,
      usage: { inputTokens: 150 + at, outputTokens: 9 },
    },
  ],
}))

const TURNS: readonly Turn[] = [
  ...forecasts,
  {
    user: {
      role: 'user',
      content: [
        { type: 'text', text: 'Where is this? My password: hunter2hunter2' },
        { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo'.repeat(50) },
      ],
    },
    model: [
      {
        toolCalls: [
          call('weather', { town: 'Rome' }, 'g1'),
          call('map', {}, 'g2'),
          call('photo', {}, 'g3'),
        ],
      },
      'Somewhere in Rome.',
    ],
  },
  {
    user: 'Book a seat.',
    model: [{ toolCalls: [call('book', { train: 'IC 7' }, 'b1')] }, 'Seat 4A is booked.'],
    decisions: [{ b1: { answer: 'window' } }, { b1: { answer: 'quiet' } }],
  },
  {
    user: 'Pay for it, and for the hotel.',
    model: [
      {
        toolCalls: [
          call('pay', { amount: 5, to: 'station' }, 'p1'),
          call('pay', { amount: 50, to: 'railway', apiKey: 'sk-abcdefghijklmnop' }, 'p2'),
          call('pay', { amount: 500, to: 'hotel' }, 'p3'),
        ],
      },
      'The train is paid, the hotel is not.',
    ],
    decisions: [{ p2: 'approve', p3: { deny: 'Too expensive.' } }],
  },
  {
    user: 'Thank you!',
    model: [
      {
        error: new ProviderError('provider-unavailable', 'The service is overloaded.', {
          provider: 'scripted',
          status: 529,
          retryable: true,
        }),
      },
      'You are welcome.',
    ],
  },
]

const tools = () => [
  tool({
    name: 'weather',
    description: 'The forecast for a city',
    input: z.object({ city: z.string(), day: z.number().int().min(0).max(6).optional() }),
    async execute({ city, day = 0 }, context) {
      context.progress(`looking at ${city}`)
      return { city, day, degrees: 20 + day }
    },
  }),
  tool({
    name: 'map',
    description: 'A map of the place',
    execute: () => {
      throw new Error('The map service says: Authorization: Bearer abcdef123456 is wrong.')
    },
  }),
  tool({
    name: 'photo',
    description: 'A photo of the place',
    execute: () => ({ type: 'image', mediaType: 'image/jpeg', data: '/9j/4AAQ' }),
  }),
  tool({
    name: 'book',
    description: 'Book a seat on a train',
    input: z.object({ train: z.string() }),
    execute({ train }, context) {
      const place = context.suspend({ ask: 'Window or aisle?' })
      const area = context.suspend({ ask: 'Quiet or family area?' })
      return { train, seat: '4A', place, area }
    },
  }),
  tool({
    name: 'pay',
    description: 'Pay somebody',
    input: z.object({ amount: z.number(), to: z.string(), apiKey: z.string().optional() }),
    approval: ({ amount }) => amount > 10,
    preview: ({ amount, to }) => `${amount} to ${to}`,
    execute: ({ amount, to }) => `paid ${amount} to ${to}`,
  }),
]

/** Has the conversation, and returns what was answered. */
export async function longConversation(
  file: string,
  how: { readonly cassette: 'record' | 'replay'; readonly mode: 'call' | 'stream' },
): Promise<readonly string[]> {
  const script = how.cassette === 'record' ? TURNS.flatMap(({ model }) => model) : []
  const tape = cassette(file, { model: scriptedModel(script), tools: tools(), mode: how.cassette })
  const clock = manualClock()
  const client = ChatClient.create(tape.model, {
    system: 'You are a travel agent.',
    tools: tape.tools,
    advisors: [
      chatMemoryAdvisor(messageWindowMemory({ maxMessages: 200 }), { storeToolExchange: true }),
      retryAdvisor({ delayMs: 10 }),
    ],
    clock,
    ids: countingIds(),
    random: seededRandom(1),
  })
  const finished = async (request: ReturnType<ChatClient['prompt']>): Promise<RunResult> => {
    const run = how.mode === 'call' ? request.call() : request.stream()
    const result = run.result()
    await clock.advance(60_000)
    return result
  }
  const answers: string[] = []
  for (const { user, decisions = [] } of TURNS) {
    const asked = client.prompt(typeof user === 'string' ? user : [user]).conversation('trip')
    let result = await finished(asked)
    for (const decided of decisions)
      result = await finished(client.resume(result.state!, decided).conversation('trip'))
    answers.push(textOf(result.response))
  }
  await tape.finish()
  return answers
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await longConversation(KEPT, { cassette: 'record', mode: 'call' })
