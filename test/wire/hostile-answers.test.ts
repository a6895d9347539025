/** Answers that are valid JSON and meant to break their reader: each has its error of the catalogue, in every dialect. */
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FaultDialect } from '@toolwright/fault-server'
import type { ChatModel, Json, Message, Prompt } from 'toolwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EVERY_WAY, MODELS, MODES, type Mode } from './dialects.ts'

const KEY = 'the-key-of-the-provider-0123'
const USER: Message = { role: 'user', content: 'Hi' }

let answer: (response: ServerResponse) => unknown
let server: Server
beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume().on('end', () => void answer(response))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const origin = (user = ''): string =>
  `http://${user}127.0.0.1:${(server.address() as AddressInfo).port}`

const modelOf = (dialect: FaultDialect, baseUrl = origin()): ChatModel =>
  MODELS[dialect]({ baseUrl, apiKey: KEY, retry: false })

async function failureOf(model: ChatModel, mode: Mode, messages = [USER]): Promise<any> {
  const prompt: Prompt = { messages }
  try {
    if (mode === 'call') await model.call(prompt)
    else for await (const _event of model.stream(prompt));
  } catch (thrown) {
    return thrown
  }
  return undefined
}

function sending(body: string, mode: Mode): void {
  const type = mode === 'call' ? 'application/json' : 'text/event-stream'
  answer = (response) => response.writeHead(200, { 'content-type': type }).end(body)
}

describe.each(EVERY_WAY)('%s, by %s', (dialect, mode) => {
  it('a refusal whose details are no texts', async () => {
    const details = [{ reason: { toString: 1, valueOf: null } }, { reason: [[]] }, null, 'x']
    const body = JSON.stringify({ error: { message: 'No.', details } })
    answer = (response) => response.writeHead(400).end(body)
    expect(await failureOf(modelOf(dialect), mode)).toMatchObject({
      code: 'provider-rejected',
      status: 400,
    })
  })

  it('a key that comes back as the id of the request', async () => {
    answer = (response) => response.writeHead(500, { 'x-request-id': KEY }).end('{}')
    const failure = await failureOf(modelOf(dialect), mode)
    expect(failure.code).toBe('provider-unavailable')
    expect(`${failure.message} ${failure.requestId}`).not.toContain(KEY)
  })

  it('a password with a bare percent sign in the address', async () => {
    answer = (response) => response.writeHead(500).end('{}')
    const failure = await failureOf(modelOf(dialect, origin('me:100%@')), mode)
    expect(failure.code).toBe('provider-unavailable')
  })

  it('data in a message that is nested too deeply to be written', async () => {
    answer = (response) => response.writeHead(500).end('{}')
    const deep = { deep: JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)) as Json }
    const { provider } = modelOf(dialect)
    const message: Message = { ...USER, providerOptions: { [provider]: deep } }
    const failure = await failureOf(modelOf(dialect), mode, [message])
    expect(failure).toMatchObject({ code: 'invalid-message' })
  })
})

const nested = (open: string, close: string): string =>
  `${open.repeat(60_000)}1${close.repeat(60_000)}`
const THOUGHTS = nested('[{"type":"thinking","thinking":', '}]')
/** Escaped, the name of the field is not found by what keeps inputs exact. */
const CALL = `{"type":"function_call","call_id":"c","name":"f","\\u0061rguments":${nested('[', ']')}}`

const DEEP: readonly (readonly [FaultDialect, { readonly [mode in Mode]: string }])[] = [
  [
    'openai-compatible',
    {
      call: `{"choices":[{"message":{"content":${THOUGHTS}},"finish_reason":"stop"}]}`,
      stream: `data: {"choices":[{"delta":{"content":${THOUGHTS}}}]}\n\n`,
    },
  ],
  [
    'openai',
    {
      call: `{"status":"completed","output":[${CALL}]}`,
      stream: `data: {"type":"response.output_item.done","item":${CALL}}\n\n`,
    },
  ],
]

describe.each(DEEP)('%s', (dialect, bodies) => {
  it.each(MODES)('an answer that is nested too deeply to be read, by %s', async (mode) => {
    sending(bodies[mode], mode)
    expect(await failureOf(modelOf(dialect), mode)).toMatchObject({ code: 'invalid-response' })
  })
})

it('a model whose name has half a character is asked for all the same', async () => {
  answer = (response) => response.writeHead(404).end('{}')
  const { google } = await import('toolwright/google')
  const model = google('gemini-\ud800', { baseUrl: origin(), apiKey: KEY, retry: false })
  for (const mode of MODES)
    expect(await failureOf(model, mode)).toMatchObject({ code: 'provider-not-found' })
})
