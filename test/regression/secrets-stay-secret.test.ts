/**
 * A secret is taken out before text is cut: once cut it is not recognised any more, and most of it would be
 * shown. Wherever an error, its cause, an event or a log tells of a failure, no part of a key stands in it.
 */
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import {
  ChatClient,
  ConfigurationError,
  loggingAdvisor,
  ProviderError,
  tool,
  type ChatModel,
} from 'toolwright'
import { anthropic } from 'toolwright/anthropic'
import { google } from 'toolwright/google'
import { openaiCompatible } from 'toolwright/openai'
import { scriptedModel } from 'toolwright/testing'
import { fetchTransport } from '../../packages/toolwright/src/providers/wire/fetch-transport.ts'
import { eventsOf, scenario, toldByTools } from '../e2e/scenario.ts'

const KEY = 'c4a1f09be83d5276c4a1f09be83d5276'
/** From so many characters on, what is shown gives the key away. */
const TELLING = 8

function expectHidden(shown: unknown, secret = KEY): void {
  const text = typeof shown === 'string' ? shown : inspect(shown, { depth: 20, showHidden: true })
  for (let at = 0; at + TELLING <= secret.length; at++)
    expect(text).not.toContain(secret.slice(at, at + TELLING))
}

async function thrownBy(work: Promise<unknown>): Promise<unknown> {
  try {
    await work
  } catch (thrown) {
    return thrown
  }
  throw new Error('Nothing was thrown.')
}

interface Answer {
  readonly status?: number
  readonly body: string
  readonly type?: string
}

const answering = ({ status = 200, body, type }: Answer): ChatModel =>
  openaiCompatible('m', {
    apiKey: KEY,
    baseUrl: 'http://localhost:1/v1',
    retry: false,
    transport: async () => ({
      status,
      header: (name) => (name === 'content-type' ? type : undefined),
      body: bytesOf(body),
    }),
  })

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text)
}

const PROMPT = { messages: [{ role: 'user', content: 'Go' }] } as const

async function streamed(model: ChatModel): Promise<void> {
  for await (const _event of model.stream(PROMPT));
}

/** Where the library cuts: each cut falls inside the key, wherever it begins. */
const CUTS = [80, 200, 500, 2048]
const PLACES = CUTS.flatMap((cut) => [0, 1, 2, 8, 16, 30, 31, 32].map((before) => cut - before))

const FORMS: { readonly [name: string]: (filler: string) => Answer } = {
  'a refusal in words': (filler) => ({ status: 401, body: `${filler}${KEY} is wrong` }),
  'a refusal in JSON': (filler) => ({
    status: 401,
    body: JSON.stringify({ error: { message: `${filler}${KEY} is wrong` } }),
  }),
  'a refusal in JSON of its own': (filler) => ({
    status: 400,
    body: JSON.stringify({ trace: [filler, { deep: KEY }] }),
  }),
  'a refusal that breaks off inside the key': (filler) => ({
    status: 500,
    body: filler + KEY.slice(0, 30),
  }),
  'an answer that is no JSON': (filler) => ({ body: `${filler}${KEY}` }),
  'an error inside an answer': (filler) => ({
    body: JSON.stringify({ error: { type: 'invalid', note: filler, key: KEY } }),
  }),
  'an answer without choices': (filler) => ({ body: JSON.stringify({ [filler + KEY]: 1 }) }),
}

describe('a failure of the provider shows no part of the key', () => {
  for (const [name, answer] of Object.entries(FORMS))
    it(`in ${name}, wherever it stands`, async () => {
      for (const place of PLACES) {
        const model = answering(answer('x'.repeat(Math.max(0, place))))
        const error = await thrownBy(model.call(PROMPT))
        expectHidden(error)
        expectHidden((error as Error).message)
      }
    })

  it('in an event of a stream that is no JSON', async () => {
    for (const place of PLACES) {
      const body = `data: ${'x'.repeat(place)}${KEY}\n\n`
      expectHidden(await thrownBy(streamed(answering({ body, type: 'text/event-stream' }))))
    }
  })

  it('in an error event of a stream', async () => {
    const body = `event: error\ndata: {"message":"${'x'.repeat(490)}${KEY}"}\n\n`
    expectHidden(await thrownBy(streamed(answering({ body, type: 'text/event-stream' }))))
  })

  it('in a page instead of events', async () => {
    const body = `<html>${KEY}</html>`
    expectHidden(await thrownBy(streamed(answering({ body, type: 'text/event-stream' }))))
  })

  it.each([
    ['broken into lines', `${KEY.slice(0, 12)}\n${KEY.slice(12)}`],
    ['broken into lines in JSON', JSON.stringify(`${KEY.slice(0, 12)}\n${KEY.slice(12)}`)],
    ['after a word', `Bearer ${KEY}`],
    ['in an address', `https://x.test/v1?key=${KEY}&a=1`],
    ['in a header', `Authorization: Bearer ${KEY}`],
  ])('%s', async (_name, body) => {
    expectHidden(await thrownBy(answering({ status: 401, body }).call(PROMPT)))
  })
})

describe('a failure of the connection shows no part of the key', () => {
  const failing = (thrown: unknown): ChatModel =>
    openaiCompatible('m', {
      apiKey: KEY,
      baseUrl: 'http://me:hunter2hunter2@localhost:1/v1',
      headers: { 'x-session-token': 'session-5f3e9a7c1b' },
      retry: false,
      transport: fetchTransport((async () => {
        throw thrown
      }) as typeof fetch),
    })

  const QUOTED = `Headers.append: "Bearer ${KEY}" is an invalid header value.`
  const nested = (message: string): Error =>
    new TypeError('fetch failed', {
      cause: new Error('outer', { cause: new Error('inner', { cause: new Error(message) }) }),
    })

  it.each([
    ['in its message', new TypeError(QUOTED)],
    ['in a cause of a cause', nested(QUOTED)],
    ['in one of several errors', new AggregateError([new Error('a'), new Error(QUOTED)], 'all')],
    ['broken into lines', new TypeError(`"Bearer ${KEY.slice(0, 9)}\n${KEY.slice(9)}" is invalid`)],
    ['in something that is no error', { message: QUOTED }],
    ['in a text', QUOTED],
  ])('%s', async (_name, thrown) => {
    const error = await thrownBy(failing(thrown).call(PROMPT))
    expect(error).toBeInstanceOf(ProviderError)
    expectHidden(error)
    expectHidden((error as Error).stack)
  })

  it('nor of a password in the address, nor of a header of the caller', async () => {
    const words =
      'Request cannot be constructed from http://me:hunter2hunter2@localhost:1/v1 with session-5f3e9a7c1b'
    const error = await thrownBy(failing(nested(words)).call(PROMPT))
    expectHidden(error, 'hunter2hunter2')
    expectHidden(error, 'session-5f3e9a7c1b')
  })

  it('and says what else is known: the code stays, and so does a cause that holds no secret', async () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    const failed = new TypeError('fetch failed', { cause: refused })
    const plain = (await thrownBy(failing(failed).call(PROMPT))) as ProviderError
    expect(plain.cause).toBe(failed)
    expect(plain.message).toContain('ECONNREFUSED')
    const coded = Object.assign(new Error(QUOTED), { code: 'ERR_INVALID_CHAR' })
    const clean = (await thrownBy(failing(coded).call(PROMPT))) as ProviderError
    expect(clean.cause).toMatchObject({ code: 'ERR_INVALID_CHAR', name: 'Error' })
    expect((clean.cause as Error).message).toContain('[redacted]')
  })
})

describe('a key that no header can carry', () => {
  it.each([
    ['a line feed', `${KEY.slice(0, 9)}\n${KEY.slice(9)}`],
    ['a carriage return', `${KEY.slice(0, 9)}\r${KEY.slice(9)}`],
    ['a letter outside of Latin-1', `${KEY}…`],
  ])('is refused before anything is sent: %s', (_name, apiKey) => {
    for (const make of [
      () => openaiCompatible('m', { apiKey, baseUrl: 'http://localhost:1/v1' }),
      () => anthropic('m', { apiKey }),
      () => google('m', { apiKey }),
    ]) {
      let thrown: unknown
      try {
        make()
      } catch (error) {
        thrown = error
      }
      expect(thrown).toBeInstanceOf(ConfigurationError)
      expectHidden(thrown)
    }
  })

  it('may end with a line break, as files do', () => {
    expect(() => anthropic('m', { apiKey: `${KEY}\n` })).not.toThrow()
  })
})

describe('what looks like a secret', () => {
  const SECRETS: { readonly [name: string]: readonly [text: string, secret: string] } = {
    'basic credentials': ['Authorization: Basic dXNlcjpodW50ZXIyaHVudGVyMg==', 'dXNlcjpodW50ZXIy'],
    'a password with signs': ['postgres://me:p@ssw0rd!9@db.test/x', 'p@ssw0rd!9'],
    'a password that breaks off': ['postgres://me:correcthorsebattery', 'correcthorsebattery'],
    'a quoted password': ['{"password": "correct, horse battery"}', 'correct, horse battery'],
    'escaped JSON': ['{\\"api_key\\": \\"correct\\/horse-battery\\"}', 'horse-battery'],
    'a token that breaks off': ['jwt eyJhbGciOiJIUzI1NiJ9IiwiYSI6', 'eyJhbGciOiJIUzI1NiJ9IiwiYSI6'],
    'a key in two lines': ['sk-abcdefgh12345678\nabcdefgh12345678', 'abcdefgh12345678'],
    'a cookie': ['Cookie: session=correcthorse; other=battery1', 'battery1'],
    'a private key': ['-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBg', 'MIIEvQIBADANBg'],
  }

  for (const [name, [text, secret]] of Object.entries(SECRETS))
    scenario(`is taken out of what a tool threw: ${name}`, {
      script: [{ toolCalls: [{ name: 'fail' }] }, 'Done.'],
      tools: () => [
        tool({
          name: 'fail',
          execute() {
            throw new Error(`Failed for ${text}`)
          },
        }),
      ],
      check({ events, prompts }) {
        expectHidden(toldByTools(prompts[1])[0]!.content, secret)
        expectHidden(eventsOf(events, 'tool-result')[0]!.response, secret)
      },
    })

  it('is taken out of arguments before they are shown in part', async () => {
    const secret = 'correcthorsebatterystaple'
    const url = `postgres://${'u'.repeat(50)}:${secret}@db.test`
    const model = scriptedModel([{ toolCalls: [{ name: 'add', arguments: { n: url } }] }, 'Done.'])
    const add = tool({
      name: 'add',
      input: { type: 'object', properties: { n: { type: 'integer' } } },
      execute: () => 'ok',
    })
    await ChatClient.create(model, { tools: [add] })
      .prompt('Go')
      .call()
      .content()
    expectHidden(toldByTools(model.prompts[1])[0]!.content, secret)
  })

  it('is taken out of a log', async () => {
    const entries: unknown[] = []
    const write = (_message: string, data?: object): void => void entries.push(data)
    const logger = { debug: write, info: write, warn: write, error: write }
    const text = Object.values(SECRETS)
      .map(([each]) => each)
      .join('\n\n')
    await ChatClient.create(scriptedModel(['Done.']), { advisors: [loggingAdvisor({ logger })] })
      .prompt(text)
      .call()
      .content()
    for (const [, secret] of Object.values(SECRETS)) expectHidden(entries, secret)
  })

  scenario('is taken out of a text of which only the start is read', {
    script: [{ toolCalls: [{ name: 'fail' }] }, 'Done.'],
    client: () => ({ limits: { resultBytes: 'unlimited' } }),
    tools: () => [
      tool({
        name: 'fail',
        execute() {
          throw new Error(`${'x '.repeat(131_066)}://u:${'correcthorse'.repeat(40)}@h`)
        },
      }),
    ],
    check({ prompts }) {
      const { content } = toldByTools(prompts[1])[0]!
      expectHidden(content, 'correcthorse')
      expect(content).toMatch(/characters left out/)
    },
  })

  it('leaves what only looks a little like one', async () => {
    const words =
      'See http://localhost:11434/v1 and http://[::1]:8080: basic authentication failed, max_tokens: 4096, key ideas.'
    const error = await thrownBy(answering({ status: 400, body: words }).call(PROMPT))
    expect((error as ProviderError).body).toBe(words)
  })
})
