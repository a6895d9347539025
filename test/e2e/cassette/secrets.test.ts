/** Secrets are never written, wherever they come from, and a cassette without them replays all the same. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ChatClient, ProviderError, tool } from 'toolwright'
import { cassette, scriptedModel, standIn, type CassetteOptions } from 'toolwright/testing'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'secrets-'))
  file = join(folder, 'one.cassette.json')
})
afterEach(() => rmSync(folder, { recursive: true }))

const KEY = 'sk-canary0123456789canary'
const CANARIES = ['canary', 'hunter2', '90210777', 'ACCOUNT-7']

/** Secrets in everything that a conversation consists of. */
async function had(how: 'record' | 'replay'): Promise<unknown> {
  const login = tool({
    name: 'login',
    description: `Log in, as with ${KEY}`,
    input: z.object({
      user: z.string(),
      password: z.string().min(12).regex(/^hunt/),
      pin: z.number().optional(),
      api_key: z.number().min(1000),
    }),
    context: z.object({ token: z.string() }),
    execute({ user }, context) {
      context.progress({ authorization: `Bearer ${KEY}` })
      if (user === 'eve') throw new Error(`401 for https://eve:hunter2@host/?key=${KEY}`)
      return { user, session_token: 'canary', secret: { parts: ['hunter2', 90210777] }, left: 3 }
    },
  })
  const login2 = { user: 'ada', password: 'hunter2hunter2', api_key: 90210777 }
  const options: CassetteOptions = {
    model: scriptedModel([
      {
        parts: [
          { type: 'reasoning', text: `Use ${KEY}`, providerData: { secret: 'canary' } },
          { type: 'tool-call', id: 'a', name: 'login', arguments: JSON.stringify(login2) },
          {
            type: 'tool-call',
            id: 'b',
            name: 'login',
            arguments: JSON.stringify({ ...login2, user: 'eve' }),
          },
        ],
      },
      {
        error: new ProviderError('provider-auth', `Wrong key ${KEY}.`, {
          provider: 'scripted',
          status: 401,
          body: KEY,
        }),
      },
    ]),
    tools: [login],
    mode: how,
    redact: (text) => text.replaceAll('ACCOUNT-7', '[account]'),
  }
  const tape = cassette(file, options)
  const client = ChatClient.create(tape.model, { tools: tape.tools })
  const run = client
    .prompt(`My account is ACCOUNT-7. {"password":"hunter2"}`)
    .system(`Authorization: Bearer ${KEY}`)
    .options({
      providerOptions: { scripted: { headers: { authorization: 'canary', cookie: 'a=canary' } } },
    })
    // In a replay nobody needs it.
    .toolContext(how === 'record' ? { token: 'canary' } : {})
    .call()
  const error = await run.result().catch((thrown: unknown) => thrown)
  await tape.finish()
  return error
}

it('none is in the file, and it replays', async () => {
  expect(await had('record')).toMatchObject({ code: 'provider-auth' })
  const text = readFileSync(file, 'utf8')
  for (const canary of CANARIES) expect(text).not.toContain(canary)
  expect(text).toContain('[account]')
  // What is no secret stays.
  expect(text).toContain('\\"left\\":3')
  expect(await had('replay')).toMatchObject({
    name: 'ProviderError',
    code: 'provider-auth',
    status: 401,
    message: 'Wrong key [redacted]. Check the API key and its permissions.',
  })
})

it('none is in a file of text that is sent, returned or said, and other files stay as they are', async () => {
  const base64 = (words: string): string => Buffer.from(words).toString('base64')
  const words = `My key is ${KEY}, ж.`
  const files = [
    { type: 'file', mediaType: 'text/plain', data: base64(words) },
    {
      type: 'file',
      mediaType: 'application/json',
      data: base64('{"password":"hunter2","left":3}'),
    },
    { type: 'file', mediaType: 'text/csv', url: `data:text/csv;base64,${base64(words)}` },
    { type: 'file', mediaType: 'text/csv', url: `data:text/csv,${KEY}` },
    { type: 'file', mediaType: 'text/plain', data: base64('No secret.\xff') },
    { type: 'image', mediaType: 'image/png', data: base64(words) },
  ] as const
  const give = tool({ name: 'give', execute: () => files })
  const model = scriptedModel([{ toolCalls: [{ name: 'give' }] }, { parts: files }])
  for (const mode of ['record', 'replay'] as const) {
    const tape = cassette(file, { model, tools: [give], mode })
    const client = ChatClient.create(tape.model, { tools: tape.tools })
    await client
      .prompt([{ role: 'user', content: files }])
      .call()
      .result()
    await tape.finish()
  }
  const [asked, gave, said] = (JSON.parse(readFileSync(file, 'utf8')) as { exchanges: any[] })
    .exchanges
  const places = [
    asked.request.messages[0].content,
    gave.output,
    said.response.results[0].message.content,
  ]
  const clean = 'My key is [redacted], ж.'
  for (const parts of places)
    expect(parts).toEqual([
      { ...files[0], data: base64(clean) },
      { ...files[1], data: base64('{"password":"[redacted]","left":3}') },
      { ...files[2], url: `data:text/csv;base64,${base64(clean)}` },
      { ...files[3], url: 'data:text/csv,[redacted]' },
      files[4],
      files[5],
    ])
})

it('a call that was refused is refused again, though a later one holds a secret', async () => {
  const login = tool({
    name: 'login',
    input: z.object({ user: z.string(), password: z.string().min(11) }),
    execute: () => 'in',
  })
  const model = scriptedModel([
    { toolCalls: [{ name: 'login', arguments: { user: 'ada' } }] },
    { toolCalls: [{ name: 'login', arguments: { user: 'ada', password: 'hunter2hunter2' } }] },
    'You are in.',
  ])
  for (const mode of ['record', 'replay'] as const) {
    const tape = cassette(file, { model, tools: [login], mode })
    const { messages } = await ChatClient.create(tape.model, { tools: tape.tools })
      .prompt('Log in')
      .call()
      .result()
    expect(messages[2]).toMatchObject({ responses: [{ isError: true }] })
    expect(messages[4]).toMatchObject({ responses: [{ content: 'in' }] })
    await tape.finish()
  }
})

it('none is in a name: of a field, of an error, in its code', async () => {
  const list = tool({
    name: 'list',
    input: z.object({ fail: z.boolean() }),
    execute({ fail }) {
      if (fail) throw Object.assign(new Error('No.'), { name: `Of ${KEY}`, code: KEY })
      return { [KEY]: 1, [`${KEY}2`]: 2, keyboardLayoutName: 'de' }
    },
  })
  const model = scriptedModel([
    { toolCalls: [true, false].map((fail) => ({ name: 'list', arguments: { fail } })) },
    'Done.',
  ])
  for (const mode of ['record', 'replay'] as const) {
    const tape = cassette(file, { model, tools: [list], mode })
    await ChatClient.create(tape.model, { tools: tape.tools }).prompt('List').call().content()
    await tape.finish()
  }
  const text = readFileSync(file, 'utf8')
  expect(text).not.toContain('canary')
  expect(text).toContain(
    String.raw`{\"[redacted]\":1,\"[redacted] 2\":2,\"keyboardLayoutName\":\"de\"}`,
  )
})

it('a name that looks like a key is still the name of a tool, and images stay whole', async () => {
  const name = 'keyboardLayoutSettings'
  const data = Buffer.from(
    `{"password":"x","jwt":"eyJhbGciOiJIUzI1NiJ9.eyJhIjoxfQ.c2ln"}`,
  ).toString('base64')
  for (const mode of ['record', 'replay'] as const) {
    const tape = cassette(file, {
      model: scriptedModel([
        { toolCalls: [{ name, arguments: { keyboardLayoutName: 'de' } }] },
        'Set.',
      ]),
      tools: [
        tool({
          name,
          input: z.object({ keyboardLayoutName: z.enum(['de', 'us']) }),
          execute: () => ({ type: 'file', mediaType: 'application/zip', data }),
        }),
      ],
      mode,
    })
    const { messages } = await ChatClient.create(tape.model, { tools: tape.tools })
      .prompt('Set')
      .call()
      .result()
    expect(messages[2]).toMatchObject({ responses: [{ name, content: [{ data }] }] })
    await tape.finish()
  }
})

describe('redact', () => {
  it('takes out what differs each time', async () => {
    const redact = (text: string): string => text.replace(/\d\d:\d\d/g, '[time]')
    for (const [time, mode] of [
      ['10:00', 'record'],
      ['11:23', 'replay'],
    ] as const) {
      const tape = cassette(file, { model: scriptedModel(['Good day.']), mode, redact })
      const client = ChatClient.create(tape.model, { system: `It is ${time}.` })
      expect(await client.prompt('Hello').call().content()).toBe('Good day.')
      await tape.finish()
    }
  })

  it('that fails writes nothing', async () => {
    const redact = (): string => {
      throw new RangeError('No idea.')
    }
    const tape = cassette(file, { model: scriptedModel(['Hi.']), mode: 'record', redact })
    await expect(ChatClient.create(tape.model).prompt('Hello').call().content()).rejects.toThrow(
      'No idea.',
    )
    await expect(tape.finish()).rejects.toThrow('No idea.')
    expect(readdirSync(folder)).toEqual([])
  })
})

it('standIn keeps definition, checks and rules of a tool', async () => {
  const real = tool({
    name: 'add',
    description: 'Add',
    input: z.object({ a: z.number().max(3) }),
    returnDirect: true,
    execute: () => {
      throw new Error('This must not run.')
    },
  })
  const other = standIn(real, ({ a }: { a: number }) => a + 1)
  expect([other.definition, other.metadata]).toEqual([real.definition, real.metadata])
  expect(await other.call('{"a":2}')).toBe('3')
  await expect(other.call('{"a":4}')).rejects.toMatchObject({ code: 'tool-input' })
  const scratch = { ...real, call: () => Promise.reject(new Error('This must not run.')) }
  expect(await standIn(scratch, () => ({ done: true })).call('{"a":1}')).toBe('{"done":true}')
})

it('a function of the test may take out words that a cassette is read by', async () => {
  const pay = tool({
    name: 'pay',
    effect: 'once',
    execute: () => 'The user is the assistant once.',
  })
  for (const mode of ['record', 'replay'] as const) {
    const model = scriptedModel([{ toolCalls: [{ name: 'pay', arguments: {} }] }, 'A stop, user.'])
    const redact = (text: string): string =>
      text.replace(/assistant|user|tool|stop|once|text/g, '[x]')
    const tape = cassette(file, { ...(mode === 'record' && { model }), tools: [pay], mode, redact })
    await ChatClient.create(tape.model, { tools: tape.tools }).prompt('Hi, user').call().content()
    await tape.finish()
  }
  expect(readFileSync(file, 'utf8')).toContain('The [x] is the [x] [x].')
})

it.each([
  ['nothing', () => undefined, 'it returned undefined'],
  ['a number', () => 5, 'it returned number'],
  ['a promise', async () => 'x', 'it returned a promise'],
])('a function of the test that returns %s writes nothing', async (_what, redact, words) => {
  const tape = cassette(file, {
    model: scriptedModel(['Hi.']),
    mode: 'record',
    redact: redact as never,
  })
  await ChatClient.create(tape.model)
    .prompt('Hello')
    .call()
    .content()
    .catch(() => {})
  await expect(tape.finish()).rejects.toMatchObject({
    code: 'invalid-option',
    message: expect.stringContaining(words) as string,
  })
  expect(readdirSync(folder)).toEqual([])
})
