import { describe, expect, it } from 'vitest'
import { ModelResponseError, ProviderError } from '../../errors/errors.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Transport, TransportRequest, TransportResponse } from '../../ports/transport.ts'
import { EventBatches } from './event-batches.ts'
import { exchange, isJsonAnswer, readJson } from './exchange.ts'
import { type WireOptions, type WireSettings, wireSettings } from './wire-settings.ts'

const KEY = 'top-secret-key-123'
const NOW = Date.parse('2026-11-15T12:00:00Z')

interface Reply {
  readonly status?: number
  readonly headers?: { readonly [name: string]: string }
  readonly body?: string | readonly string[]
}

function respond({ status = 200, headers = {}, body = '' }: Reply): TransportResponse {
  const chunks = typeof body === 'string' ? [body] : body
  return {
    status,
    header: (name) => headers[name],
    body: (async function* () {
      for (const chunk of chunks) yield new TextEncoder().encode(chunk)
    })(),
  }
}

/** Every timer rings at once, and says how long it would have been. */
function instantClock(waits: number[]): Clock {
  return {
    now: () => NOW,
    monotonic: () => 0,
    timer: (ms, wake) => {
      waits.push(ms)
      queueMicrotask(wake)
      return () => {}
    },
  }
}

interface World {
  readonly settings: WireSettings
  readonly requests: TransportRequest[]
  readonly waits: number[]
}

/** A provider that gives these replies in turn, the last one for ever. */
function world(replies: readonly (Reply | Error)[], options: WireOptions = {}): World {
  const requests: TransportRequest[] = []
  const waits: number[] = []
  const transport: Transport = (request) => {
    const reply = replies[Math.min(requests.push(request), replies.length) - 1]!
    return reply instanceof Error ? Promise.reject(reply) : Promise.resolve(respond(reply))
  }
  const settings = wireSettings(
    {
      provider: 'acme',
      factory: 'acme',
      baseUrl: 'https://acme.test/v1',
      authHeaders: (key) => ({ authorization: `Bearer ${key}` }),
    },
    'm',
    {
      apiKey: KEY,
      transport,
      clock: instantClock(waits),
      random: { next: () => 0.5, bytes: () => new Uint8Array() },
      ...options,
    },
  )
  return { settings, requests, waits }
}

const question = { path: '/chat', body: '{"q":1}' }

async function failure(work: Promise<unknown>): Promise<ProviderError> {
  const thrown: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(thrown).toBeInstanceOf(Error)
  return thrown as ProviderError
}

describe('exchange', () => {
  it('posts to the route below the base URL, with the key and the caller’s headers', async () => {
    const { settings, requests } = world([{ body: '{}' }], {
      headers: { 'X-Trace': '7', Authorization: 'Basic abc' },
    })
    expect((await exchange(settings, question)).status).toBe(200)
    expect(requests).toMatchObject([
      {
        url: 'https://acme.test/v1/chat',
        body: '{"q":1}',
        idleTimeoutMs: 60_000,
        headers: { 'content-type': 'application/json', 'x-trace': '7', authorization: 'Basic abc' },
      },
    ])
  })

  it.each([408, 429, 500, 502, 503, 529])('asks again after %i', async (status) => {
    const { settings, requests, waits } = world([{ status }, { status }, { body: 'ok' }])
    expect((await exchange(settings, question)).status).toBe(200)
    expect(requests).toHaveLength(3)
    expect(waits).toEqual([250, 500])
  })

  it.each([
    [400, 'provider-rejected'],
    [401, 'provider-auth'],
    [403, 'provider-auth'],
    [404, 'provider-not-found'],
    [413, 'provider-rejected'],
    [422, 'provider-rejected'],
    [307, 'provider-rejected'],
  ])('never asks again after %i, which is %s', async (status, code) => {
    const { settings, requests } = world([{ status }])
    expect(await failure(exchange(settings, question))).toMatchObject({
      code,
      status,
      retryable: false,
      provider: 'acme',
    })
    expect(requests).toHaveLength(1)
  })

  it.each([
    [408, 'provider-unavailable'],
    [429, 'provider-rate-limit'],
    [500, 'provider-unavailable'],
  ])('gives up after three tries of %i', async (status, code) => {
    const { settings, requests } = world([{ status }])
    expect(await failure(exchange(settings, question))).toMatchObject({
      code,
      status,
      retryable: true,
    })
    expect(requests).toHaveLength(3)
  })

  it('asks again when there was no connection, but not after silence', async () => {
    const refused = new ProviderError('provider-unreachable', 'No.', {
      provider: 'acme',
      retryable: true,
    })
    const lost = world([refused, { body: 'ok' }])
    expect((await exchange(lost.settings, question)).status).toBe(200)
    const certificate = new ProviderError('provider-unreachable', 'No.', {
      provider: 'acme',
      retryable: false,
    })
    const silence = new ProviderError('provider-timeout', 'No.', {
      provider: 'acme',
      retryable: true,
    })
    for (const error of [certificate, silence]) {
      const { settings, requests } = world([error])
      expect(await failure(exchange(settings, question))).toBe(error)
      expect(requests).toHaveLength(1)
    }
  })

  it('asks once with retry: false', async () => {
    const { settings, requests } = world([{ status: 503 }], { retry: false })
    await failure(exchange(settings, question))
    expect(requests).toHaveLength(1)
  })

  it.each([
    ['seconds', { 'retry-after': '2' }, 2500],
    ['milliseconds', { 'retry-after-ms': '40', 'retry-after': '9' }, 540],
    ['a date', { 'retry-after': 'Sun, 15 Nov 2026 12:00:05 GMT' }, 5500],
    ['nothing', { 'retry-after': '0' }, 500],
    ['a past date', { 'retry-after': 'Sun, 15 Nov 2026 11:00:00 GMT' }, 250],
    ['a negative number', { 'retry-after': '-5' }, 250],
    ['words', { 'retry-after': 'soon' }, 250],
    ['infinity', { 'retry-after': '1e999' }, 250],
    ['ten days', { 'retry-after': '864000' }, 250],
  ])('waits as the provider asks: %s', async (_what, headers, expected) => {
    const { settings, waits } = world([{ status: 429, headers }, { body: 'ok' }])
    await exchange(settings, question)
    expect(waits).toEqual([expected])
  })

  it('tells how long to wait when it gives up', async () => {
    const { settings } = world([{ status: 429, headers: { 'retry-after': '864000' } }])
    expect(await failure(exchange(settings, question))).toMatchObject({ retryAfterMs: 864_000_000 })
  })

  it.each(['x-request-id', 'request-id', 'x-goog-request-id'])(
    'names the request as the provider does in %s',
    async (header) => {
      const headers = { [header]: 'req_011CSHoEeqs5C35K2UUqR7Fy' }
      const { settings } = world([{ status: 400, headers, body: '{"error":"No"}' }])
      const refused = await failure(exchange(settings, question))
      expect(refused).toMatchObject({ requestId: 'req_011CSHoEeqs5C35K2UUqR7Fy' })
      expect(refused.message).toMatch(
        /^acme answered 400 to request req_011CSHoEeqs5C35K2UUqR7Fy: No\./,
      )
      const inside = respond({ headers, body: '{"error":{"message":"No"}}' })
      expect(await failure(readJson(inside, settings))).toMatchObject({
        requestId: 'req_011CSHoEeqs5C35K2UUqR7Fy',
        message: expect.stringContaining('to request req_011CSHoEeqs5C35K2UUqR7Fy: No.'),
      })
    },
  )

  it('takes no id that is more than a word', async () => {
    const headers = { 'x-request-id': 'ignore all that', 'request-id': 'x'.repeat(1000) }
    const { settings } = world([{ status: 400, headers }])
    expect(await failure(exchange(settings, question))).not.toHaveProperty('requestId')
  })

  it('stops waiting when aborted', async () => {
    const controller = new AbortController()
    const clock: Clock = {
      ...instantClock([]),
      timer: () => (queueMicrotask(() => controller.abort('enough')), () => {}),
    }
    const { settings, requests } = world([{ status: 503 }], { clock })
    await expect(exchange(settings, { ...question, signal: controller.signal })).rejects.toBe(
      'enough',
    )
    expect(requests).toHaveLength(1)
  })

  it.each([
    ['{"error":{"message":"Bad model."}}', 'Bad model.'],
    ['{"error":"Bad model"}', 'Bad model.'],
    ['{"message":"Bad model"}', 'Bad model.'],
    ['{"detail":[{"msg":"Bad model"}]}', 'Bad model.'],
    ['[{"error":{"message":"Bad model"}}]', 'Bad model.'],
    ['<!DOCTYPE html><html>', 'an HTML page.'],
    ['', 'an empty body.'],
    ['plain words', '"plain words".'],
  ])('finds the provider’s words in %s', async (body, words) => {
    const { settings } = world([{ status: 400, body }])
    const { message } = await failure(exchange(settings, question))
    expect(message).toBe(`acme answered 400: ${words} Correct the request as the provider says.`)
  })

  it('names the place of a redirect, without its query', async () => {
    const { settings } = world([
      { status: 302, headers: { location: 'https://evil.test/x?key=1' } },
    ])
    expect((await failure(exchange(settings, question))).message).toContain(
      'a redirect to evil.test/x,',
    )
  })

  it('shows the start of the body, without the key or the caller’s header values', async () => {
    const body = JSON.stringify({
      error: { message: `Bad key ${KEY} and hush-hush`, more: 'x'.repeat(100_000) },
    })
    const { settings } = world([{ status: 401, body }], { headers: { 'x-other': 'hush-hush' } })
    const error = await failure(exchange(settings, question))
    expect(error.body!.length).toBeLessThanOrEqual(2048)
    expect(error.body).toContain('Bad key')
    expect(JSON.stringify([error, error.message, error.stack])).not.toMatch(/top-secret|hush/)
  })
})

describe('readJson', () => {
  const read = (reply: Reply): Promise<unknown> => readJson(respond(reply), world([]).settings)

  it('reads a body in any number of pieces', async () => {
    expect(await read({ body: '{"a":"ä"}' })).toEqual({ a: 'ä' })
    expect(await read({ body: ['\ufeff', '{"a":', '"ä"}'] })).toEqual({ a: 'ä' })
    expect(await read({ body: '{"error":null,"a":1}' })).toEqual({ error: null, a: 1 })
  })

  it.each([
    ['<html><body>502</body></html>', 'acme sent an HTML page instead of JSON.'],
    ['', 'acme sent an empty body instead of JSON.'],
    ['Bad gateway', 'acme sent "Bad gateway" instead of JSON.'],
    ['{"a":1', 'acme sent "{\\"a\\":1" instead of JSON.'],
  ])('says what came instead of JSON: %s', async (body, words) => {
    const error = await failure(read({ body }))
    expect(error).toBeInstanceOf(ModelResponseError)
    expect(error.code).toBe('invalid-response')
    expect(error.message).toContain(words)
  })

  it.each([
    [{ type: 'server_error', message: 'x' }, 'provider-unavailable', true],
    [{ code: 429 }, 'provider-rate-limit', true],
    [{ type: 'overloaded_error' }, 'provider-unavailable', true],
    [{ message: 'something' }, 'provider-unavailable', true],
    ['something', 'provider-unavailable', true],
    [{ type: 'invalid_request_error' }, 'provider-rejected', false],
    [{ type: 'invalid_request_error', code: 'invalid_api_key' }, 'provider-auth', false],
    [{ code: 404, type: 'not_found_error' }, 'provider-not-found', false],
  ])('turns an error inside a good answer into ours: %j', async (error, code, retryable) => {
    expect(await failure(read({ body: JSON.stringify({ error }) }))).toMatchObject({
      code,
      retryable,
    })
  })

  it('stops at a body that is too large', async () => {
    const body = Array<string>(65).fill('x'.repeat(1024 * 1024))
    expect(await failure(read({ body }))).toMatchObject({ code: 'provider-too-large' })
  })
})

describe('EventBatches', () => {
  async function read(
    response: TransportResponse,
    end?: string,
    clock?: Clock,
  ): Promise<string[][]> {
    const batches: string[][] = []
    let ended = false
    const { settings } = world([], clock && { clock })
    const options = { framing: 'sse', hasEnded: () => ended, isComplete: () => ended } as const
    for await (const batch of new EventBatches(response, settings, options)) {
      batches.push(batch.map((event) => event.data))
      ended ||= batch.some((event) => event.data === end)
    }
    return batches
  }

  it('gives the events of each piece as one batch', async () => {
    const body = ['data: 1\n\ndata: 2\n\nda', 'ta: 3\n', '\n', 'data: 4']
    expect(await read(respond({ body }))).toEqual([['1', '2'], ['3'], ['4']])
  })

  it('reads on after the end, only to see the body end', async () => {
    let finished = false
    const response = respond({ body: [] })
    const body = (async function* () {
      yield new TextEncoder().encode('data: 1\n\ndata: end\n\n')
      yield new TextEncoder().encode('data: late\n\n')
      finished = true
    })()
    const later: Clock = { ...instantClock([]), timer: () => () => {} }
    expect(await read({ ...response, body }, 'end', later)).toEqual([['1', 'end']])
    expect(finished).toBe(true)
  })

  it('does not wait for ever for a body that does not end', async () => {
    let closed = false
    const chunks = [new TextEncoder().encode('data: end\n\n')]
    const body: AsyncIterable<Uint8Array> = {
      [Symbol.asyncIterator]: () => ({
        next: () =>
          chunks.length > 0
            ? Promise.resolve({ value: chunks.pop()!, done: false })
            : new Promise(() => {}),
        return: () => ((closed = true), Promise.resolve({ value: undefined, done: true })),
      }),
    }
    expect(await read({ ...respond({}), body }, 'end')).toEqual([['end']])
    expect(closed).toBe(true)
  })

  it('says that a page came instead of events', async () => {
    const error = await failure(read(respond({ body: '<!doctype html><p>Login</p>' })))
    expect(error).toMatchObject({ code: 'invalid-response' })
    expect(error.message).toContain('an HTML page')
  })

  it('knows an answer in one piece by its type', () => {
    const typed = (type?: string): TransportResponse =>
      respond(type === undefined ? {} : { headers: { 'content-type': type } })
    expect(isJsonAnswer(typed('application/json; charset=utf-8'))).toBe(true)
    expect(isJsonAnswer(typed('application/problem+json'))).toBe(true)
    expect(isJsonAnswer(typed('text/event-stream'))).toBe(false)
    expect(isJsonAnswer(typed())).toBe(false)
  })
})
