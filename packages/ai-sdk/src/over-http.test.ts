/**
 * The bridge over real packages of each version and HTTP on loopback, beside `openaiCompatible` at the same server:
 * the same conversation, the same errors.
 */
import { faultServer, type FaultServer, type FaultStep } from '@toolwright/fault-server'
import { fromAiSdk, type FromAiSdkOptions } from '@toolwright/ai-sdk'
import { createOpenAICompatible as createV2 } from 'ai-sdk-compatible-v2'
import { createOpenAICompatible as createV3 } from 'ai-sdk-compatible-v3'
import { createOpenAICompatible as createV4 } from 'ai-sdk-compatible-v4'
import {
  ChatClient,
  ModelResponseError,
  ProviderError,
  tool,
  toolCallsOf,
  type AssistantPart,
  type ChatModel,
  type Message,
} from 'toolwright'
import { openaiCompatible } from 'toolwright/openai'
import { manualClock, seededRandom } from 'toolwright/testing'
import { describe, expect, it } from 'vitest'
import { HANG_GUARD_MS } from '../../../scripts/hang-guard.ts'

const MODES = ['call', 'stream'] as const
type Mode = (typeof MODES)[number]

const CREATE = { v2: createV2, v3: createV3, v4: createV4 }
type Version = keyof typeof CREATE
const VERSIONS = Object.keys(CREATE) as readonly Version[]
const PATIENT = { timeout: HANG_GUARD_MS }
const KEY = 'sk-of-the-test-0123456789abcdef'

function bridged(version: Version, baseURL: string, options?: FromAiSdkOptions): ChatModel {
  const provider = CREATE[version]({ name: 'fault', baseURL, apiKey: KEY, includeUsage: true })
  return fromAiSdk(provider('any'), options)
}

async function withServer<T>(
  turns: readonly FaultStep[],
  work: (server: FaultServer) => Promise<T>,
): Promise<T> {
  const server = await faultServer({ dialect: 'openai-compatible', turns })
  try {
    return await work(server)
  } finally {
    await server.close()
  }
}

const weather = tool({
  name: 'weather',
  description: 'The weather of a city',
  input: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  execute: ({ city }: { city: string }) => `sunny in ${city}`,
})

const CONVERSATION: readonly FaultStep[] = [
  {
    reasoning: 'Two cities, so two calls.',
    text: ['Let me ', 'look.'],
    toolCalls: [
      { id: 'call_a', name: 'weather', arguments: ['{"city":', '"Paris"}'] },
      { id: 'call_b', name: 'weather', arguments: ['{"city":"Rome"}'] },
    ],
  },
  { text: ['Sunny in ', 'both.'] },
]

async function converse(model: ChatModel, mode: Mode): Promise<readonly Message[]> {
  const client = ChatClient.create(model, { system: 'Be short.' })
  const run = client.prompt('Paris and Rome?').tools(weather)[mode]()
  return (await run.result()).messages
}

/** Which field reasoning goes back in is each adapter's own affair. */
const withoutData = (messages: readonly Message[]): readonly Message[] =>
  messages.map((message) => {
    if (message.role !== 'assistant' || typeof message.content === 'string') return message
    const content = message.content.map((part): AssistantPart => {
      const { providerData: _data, ...rest } = part as AssistantPart & { providerData?: unknown }
      return rest
    })
    return { ...message, content }
  })

interface WireMessage {
  readonly content: string | null
}

const sentMessages = (server: FaultServer): readonly WireMessage[] =>
  (JSON.parse(server.requests.at(-1)!.text) as { messages: readonly WireMessage[] }).messages

describe('a conversation with tools is that of openaiCompatible', () => {
  for (const version of VERSIONS)
    for (const mode of MODES)
      it(`${version}, ${mode}`, async () => {
        const own = await withServer(CONVERSATION, async (server) => {
          const model = openaiCompatible('any', { baseUrl: server.baseUrl })
          return { messages: await converse(model, mode), sent: sentMessages(server) }
        })
        await withServer(CONVERSATION, async (server) => {
          const messages = await converse(bridged(version, server.baseUrl), mode)
          expect(withoutData(messages)).toEqual(withoutData(own.messages))
          expect(server.violations).toEqual([])
          expect(sentMessages(server)).toEqual(own.sent)
        })
      })
})

describe('a tool may have any name, and goes out as with openaiCompatible', () => {
  const NAME = 'files.read file'
  const SENT = 'files_x2e_read_x20_file'
  const read = tool({ name: NAME, description: 'Reads a file', execute: () => 'its text' })
  const steps: readonly FaultStep[] = [
    { toolCalls: [{ id: 'call_a', name: SENT, arguments: ['{', '}'] }] },
    { text: ['Read.'] },
  ]
  const ask = (model: ChatModel, mode: Mode) =>
    ChatClient.create(model)
      .prompt('Read it')
      .tools(read)
      .options({ toolChoice: { tool: NAME } })
      [mode]()
  const bodies = (server: FaultServer): readonly Record<string, unknown>[] =>
    server.requests.map(({ text }) => JSON.parse(text) as Record<string, unknown>)

  for (const version of VERSIONS)
    for (const mode of MODES)
      it(`${version}, ${mode}`, async () => {
        const own = await withServer(steps, async (server) => {
          const model = openaiCompatible('any', { baseUrl: server.baseUrl })
          await ask(model, mode).result()
          return bodies(server).map(({ messages, tool_choice }) => ({ messages, tool_choice }))
        })
        await withServer(steps, async (server) => {
          const run = ask(bridged(version, server.baseUrl), mode)
          const { messages } = await run.result()
          expect(server.violations).toEqual([])
          expect(
            messages.flatMap((message) => toolCallsOf(message)).map(({ name }) => name),
          ).toEqual([NAME])
          expect(messages).toContainEqual(
            expect.objectContaining({
              role: 'tool',
              responses: [expect.objectContaining({ name: NAME, content: 'its text' })],
            }),
          )
          expect(server.requests).toHaveLength(2)
          expect(server.requests[0]!.text).toContain(`"name":"${SENT}"`)
          expect(
            bodies(server).map(({ messages, tool_choice }) => ({ messages, tool_choice })),
          ).toEqual(own)
        })
      })

  for (const version of VERSIONS)
    it(`${version}: the events of a stream have it`, () =>
      withServer(steps, async (server) => {
        const names: string[] = []
        for await (const event of ask(bridged(version, server.baseUrl), 'stream')) {
          if (event.type === 'tool-call-start') names.push(event.name)
          if (event.type === 'tool-call') names.push(event.toolCall.name)
        }
        expect(names).toEqual([NAME, NAME])
      }))

  it('also of a call that is only in the history', () =>
    withServer(steps, async (server) => {
      const messages: Message[] = [
        { role: 'user', content: 'Read it' },
        {
          role: 'assistant',
          content: [{ type: 'tool-call', id: 'call_0', name: NAME, arguments: '{}' }],
        },
        {
          role: 'tool',
          responses: [{ id: 'call_0', name: NAME, content: 'its text', isError: false }],
        },
      ]
      const { results } = await bridged('v4', server.baseUrl).call({ messages })
      expect(toolCallsOf(results[0]!.message).map(({ name }) => name)).toEqual([NAME])
    }))
})

describe('errors are those of the catalogue', () => {
  const REFUSALS = [
    [401, 'provider-auth', false],
    [404, 'provider-not-found', false],
    [400, 'provider-rejected', false],
    [413, 'provider-rejected', false],
    [429, 'provider-rate-limit', true],
    [500, 'provider-unavailable', true],
    [529, 'provider-unavailable', true],
  ] as const
  for (const version of VERSIONS)
    for (const mode of MODES)
      for (const [status, code, retryable] of REFUSALS)
        it(`${version}, ${mode}: ${status} is ${code}`, async () => {
          const message = `Refused, and the key was ${KEY}`
          await withServer([{ status, message, retryAfterSeconds: 7 }], async (server) => {
            const model = bridged(version, server.baseUrl, { retry: false })
            const error = await converse(model, mode).catch((thrown: unknown) => thrown)
            expect(error).toBeInstanceOf(ProviderError)
            expect(error).toMatchObject({ code, status, retryable, provider: 'fault.chat' })
            expect(error).toMatchObject({ retryAfterMs: 7000 })
            const { message: words, stack, body, cause } = error as ProviderError
            expect(words).toMatch(
              /^fault\.chat answered \d+: Refused, and the key was \[redacted\]/,
            )
            const shown = [words, stack, body, String(cause), (cause as Error).stack].join()
            expect(shown).not.toContain(KEY)
            // What was asked is not in the error, however it is printed.
            expect(
              JSON.stringify({ ...(error as object), cause: { ...(cause as object) } }),
            ).not.toContain('Paris')
          })
        })

  for (const version of VERSIONS)
    for (const mode of MODES)
      it(`${version}, ${mode}: nobody there is provider-unreachable`, async () => {
        const baseUrl = await withServer([], async (server) => server.baseUrl)
        const asked = converse(bridged(version, baseUrl, { retry: false }), mode)
        await expect(asked).rejects.toMatchObject({ code: 'provider-unreachable', retryable: true })
      })
})

describe('an answer that breaks is not run', () => {
  const CALL = { toolCalls: [{ name: 'weather', arguments: ['{"city":"Pa', 'ris"}'] }] }
  for (const version of VERSIONS) {
    for (const ending of ['eof', 'reset'] as const)
      it(`${version}: a stream with ${ending} is incomplete`, async () => {
        for (const turn of [{ text: ['Sun'] }, CALL])
          await withServer([{ ...turn, ending }], async (server) => {
            const asked = converse(bridged(version, server.baseUrl), 'stream')
            await expect(asked).rejects.toBeInstanceOf(ModelResponseError)
            await expect(asked).rejects.toMatchObject({
              code: 'incomplete-stream',
              retryable: true,
              partial: 'text' in turn ? 'Sun' : '',
            })
          })
      })

    it(`${version}: an error inside a stream is the provider's`, async () => {
      await withServer([{ text: ['Sun'], ending: 'error-event' }], async (server) => {
        const asked = converse(bridged(version, server.baseUrl), 'stream')
        await expect(asked).rejects.toMatchObject({ code: 'provider-unavailable' })
      })
    })

    it(`${version}: calls of an answer cut at the token limit are told so`, async () => {
      await withServer([{ ...CALL, finish: 'length' }, { text: ['Sorry.'] }], async (server) => {
        await converse(bridged(version, server.baseUrl), 'stream')
        expect(sentMessages(server).at(-1)!.content).toMatch(/^Not run: your answer was cut off/)
      })
    })
  }
})

describe('asking again', () => {
  for (const version of VERSIONS)
    for (const mode of MODES)
      it(`${version}, ${mode}: before there is an answer, by the policy of the adapters`, async () => {
        const turns = [{ status: 503 }, { status: 503 }, { text: ['Sunny.'] }]
        await withServer(turns, async (server) => {
          const clock = manualClock()
          const model = bridged(version, server.baseUrl, { clock, random: seededRandom(1) })
          const asked = converse(model, mode)
          await expect.poll(() => clock.waiting, PATIENT).toBe(1)
          expect(server.requests).toHaveLength(1)
          let isOver = false
          const over = asked.finally(() => (isOver = true))
          while (!isOver) await clock.advance(1000)
          expect((await over).at(-1)).toMatchObject({ content: 'Sunny.' })
          expect(server.requests).toHaveLength(3)
        })
      })
})

describe('leaving', () => {
  for (const version of VERSIONS)
    it(`${version}: a reader that leaves while it waits closes the connection`, async () => {
      await withServer([{ text: ['Sun'], ending: 'stall' }], async (server) => {
        const prompt = { messages: [{ role: 'user' as const, content: 'Hi' }] }
        const events = bridged(version, server.baseUrl).stream(prompt)[Symbol.asyncIterator]()
        await events.next()
        await server.stalled
        const waiting = events.next()
        await events.return!()
        expect(await waiting).toEqual({ done: true, value: undefined })
        await expect.poll(() => server.openResponses, PATIENT).toBe(0)
      })
    })
})
