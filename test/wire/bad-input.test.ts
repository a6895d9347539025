/** What providers and the way to them do wrong, for every dialect: each has its error, and nothing is half received. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { faultServer, type FaultDialect } from '@toolwright/fault-server'
import type { ChatModel, Transport, TransportRequest } from 'toolwright'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ask, expectWholeOrError, PROMPT, recorded } from './cut-answers.ts'
import { EVERY_WAY, KEY_VARIABLES, MODELS, type ModelOptions } from './dialects.ts'

const KEY = 'the-key-of-the-provider-0123'

let answer: (response: ServerResponse, request: IncomingMessage) => unknown
let asked: IncomingMessage[] = []
let server: Server
beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request)
    request.resume().on('end', () => void answer(response, request))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(() => (asked = []))
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const origin = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

function modelOf(dialect: FaultDialect, more: Partial<ModelOptions> = {}): ChatModel {
  return MODELS[dialect]({ baseUrl: `${origin()}/v1`, apiKey: KEY, retry: false, ...more })
}

describe.each(Object.entries(KEY_VARIABLES))('the key of %s', (dialect, variable) => {
  const make = MODELS[dialect as FaultDialect] as (options: object) => ChatModel
  const before = process.env[variable]
  afterEach(() => {
    if (before === undefined) delete process.env[variable]
    else process.env[variable] = before
  })

  it('is needed, and the error names its variable', () => {
    delete process.env[variable]
    expect(() => make({})).toThrow(
      expect.objectContaining({
        code: 'missing-api-key',
        message: expect.stringContaining(variable),
      }),
    )
  })

  it('is said not to have been sent when another server wants one', async () => {
    process.env[variable] = KEY
    answer = (response) => response.writeHead(401).end('{"error":"No key."}')
    const { thrown } = await ask(make({ baseUrl: `${origin()}/v1`, retry: false }), 'call')
    expect(thrown.message).toContain(`No key was sent: ${variable} goes only to`)
    expect(thrown.message).not.toContain(KEY)
  })

  it('is sent to nobody else when it comes from the environment', async () => {
    process.env[variable] = KEY
    const asked: TransportRequest[] = []
    const transport: Transport = (request) => {
      asked.push(request)
      return Promise.reject(new Error('Not today.'))
    }
    const ask = async (more: object): Promise<void> => {
      await make({ transport, retry: false, ...more })
        .call(PROMPT)
        .catch(() => undefined)
    }
    await ask({})
    await ask({ baseUrl: 'https://gateway.example/v1' })
    await ask({ baseUrl: new URL(asked[0]!.url).origin.replace('https:', 'http:') })
    await ask({ baseUrl: 'https://gateway.example/v1', apiKey: KEY })
    expect(asked.map((request) => JSON.stringify(request.headers).includes(KEY))).toEqual([
      true,
      false,
      false,
      true,
    ])
  })
})

describe.each(EVERY_WAY)('%s, by %s', (...way) => {
  const [dialect, mode] = way

  it.each([
    [400, 'provider-rejected', false],
    [401, 'provider-auth', false],
    [403, 'provider-auth', false],
    [404, 'provider-not-found', false],
    [413, 'provider-rejected', false],
    [422, 'provider-rejected', false],
    [429, 'provider-rate-limit', true],
    [500, 'provider-unavailable', true],
    [503, 'provider-unavailable', true],
    [529, 'provider-unavailable', true],
  ])('%i is %s', async (status, code, retryable) => {
    answer = (response) => {
      const words = JSON.stringify({ error: { message: `No, ${KEY} will not do` } })
      response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'req_7' })
      response.end(words)
    }
    const { thrown } = await ask(modelOf(dialect), mode)
    expect(thrown).toMatchObject({ code, status, retryable, requestId: 'req_7' })
    expect(thrown.message).toMatch(
      /answered \d+ to request req_7(?: at \S+)?: No, .* will not do\./,
    )
    expect(JSON.stringify([thrown.message, thrown.body])).not.toContain(KEY)
    expect(asked).toHaveLength(1)
  })

  it.each([
    ['7', 7000],
    [undefined, undefined],
    ['soon', undefined],
  ])('429 with Retry-After %s', async (header, retryAfterMs) => {
    answer = (response) =>
      response.writeHead(429, header === undefined ? {} : { 'retry-after': header }).end('{}')
    const { thrown } = await ask(modelOf(dialect), mode)
    expect(thrown).toMatchObject({ code: 'provider-rate-limit' })
    expect(thrown.retryAfterMs).toBe(retryAfterMs)
  })

  it.each([
    [200, 'text/html', 'invalid-response'],
    [200, 'application/json', 'invalid-response'],
    [502, 'text/html', 'provider-unavailable'],
  ])('a page with status %i as %s', async (status, type, code) => {
    answer = (response) =>
      response.writeHead(status, { 'content-type': type }).end('<!DOCTYPE html><p>Bad gateway')
    const { thrown, events } = await ask(modelOf(dialect), mode)
    expect(thrown).toMatchObject({ code, message: expect.stringContaining('an HTML page') })
    expect(events).toEqual([])
  })

  it('is asked nothing more after a redirect, wherever it leads', async () => {
    const other = createServer((request, response) => {
      asked.push(request)
      response.end('{}')
    })
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}/v1`
    for (const [location, where] of [
      [elsewhere, `${new URL(elsewhere).host}/v1`],
      ['http://user:hush@host.test/v1?key=hush', 'host.test/v1'],
      [`${origin()}/other`, `${new URL(origin()).host}/other`],
      ['/other?key=hush', '/other'],
    ] as const)
      for (const status of [301, 302, 303, 307, 308]) {
        asked = []
        answer = (response) => response.writeHead(status, { location }).end()
        const { thrown } = await ask(modelOf(dialect), mode)
        expect(thrown).toMatchObject({ code: 'provider-rejected', status, retryable: false })
        expect(thrown.message).toContain(`a redirect to ${where}, which is not followed`)
        expect(thrown.message).not.toContain('hush')
        expect(asked).toHaveLength(1)
      }
    other.close()
  })

  it('is given up when it stalls, before the answer and inside it', async () => {
    answer = () => {}
    const silent = await ask(modelOf(dialect, { idleTimeoutMs: 50 }), mode)
    expect(silent.thrown).toMatchObject({ code: 'provider-timeout', retryable: true })
    const { type, bytes } = await recorded(way)
    answer = (response) => {
      response.writeHead(200, { 'content-type': type }).write(bytes.slice(0, bytes.length / 2))
    }
    const timeouts = { firstByteTimeoutMs: 600_000, idleTimeoutMs: 50 }
    const { thrown, events } = await ask(modelOf(dialect, timeouts), mode)
    expect(thrown).toMatchObject({ code: 'provider-timeout', retryable: true })
    expect(events.filter((event) => event.type === 'tool-call')).toEqual([])
  })

  it.each(['ends', 'breaks'] as const)(
    'is whole or an error when it %s at any byte, of which each seventh is tried here',
    (end) => expectWholeOrError(way, end, 7),
  )

  it('is cut off in a line that never ends', async () => {
    const fault = await faultServer({ dialect, turns: [{ ending: 'endless-line' }] })
    const { thrown } = await ask(modelOf(dialect, { baseUrl: fault.baseUrl }), mode)
    expect(thrown).toMatchObject({ code: 'provider-too-large' })
    await fault.close()
  })
})
