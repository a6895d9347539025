/**
 * An answer that is complete once waited for the idle timeout when its server kept the connection open: behind
 * fetch, when packed, and wherever the end marker or the end of the body never came. The clock is the test's,
 * and the idle timeout ten minutes: nothing here passes by waiting.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createGzip, type Gzip } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { ChatClient, type ChatModel, type Transport } from 'toolwright'
import { manualClock, type ManualClock } from 'toolwright/testing'
import { fetchTransport } from '../../packages/toolwright/src/providers/wire/fetch-transport.ts'
import { loopback, sse, WIRE, type DialectName, type Mode } from './loopback.ts'

const server = loopback()
const TRANSPORTS: Record<string, Transport | undefined> = {
  'node:http': undefined,
  fetch: fetchTransport(),
}
const DIALECTS = ['openai-compatible', 'anthropic'] as const

const asked = (model: ChatModel, mode: Mode): Promise<string> => {
  const request = ChatClient.create(model).prompt('Go')
  return mode === 'call' ? request.call().content() : joined(request.stream().content())
}

async function joined(pieces: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const piece of pieces) text += piece
  return text
}

/** Lets time pass, three seconds of it in all, whenever something waits for it. */
async function settled<T>(work: Promise<T>, clock: ManualClock): Promise<T> {
  let isOver = false
  const watched = work.finally(() => (isOver = true))
  watched.catch(() => {})
  for (let passed = 0; !isOver; await nextTurn())
    if (clock.waiting > 0 && passed < 3000) {
      passed += 100
      await clock.advance(100)
    }
  return watched
}

for (const [way, transport] of Object.entries(TRANSPORTS))
  for (const dialect of DIALECTS) {
    const { events, end, whole } = WIRE[dialect]
    const ask = (mode: Mode): Promise<string> => {
      const clock = manualClock()
      const model = server.model(dialect, { clock, ...(transport && { transport }) })
      return settled(asked(model, mode), clock)
    }

    describe(`${dialect} over ${way}`, () => {
      it('a stream with its end marker, on a connection that stays open', async () => {
        server.answer = (response) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' })
          response.write(sse(...events('Hi'), end))
        }
        expect(await ask('stream')).toBe('Hi')
      })

      it('a stream with its finish reason and no end marker, on a connection that stays open', async () => {
        server.answer = (response) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' })
          response.write(sse(...events('Hi')))
        }
        expect(await ask('stream')).toBe('Hi')
      })

      it('a whole answer of a given length', async () => {
        server.answer = (response) => {
          const body = whole('Hi')
          response.writeHead(200, {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
            // Node's server would not read a second request before it has ended the first answer.
            connection: 'close',
          })
          response.write(body)
        }
        expect(await ask('call')).toBe('Hi')
        expect(await ask('stream')).toBe('Hi')
      })

      it('a whole answer whose body never ends', async () => {
        server.answer = (response) => {
          response.writeHead(200, { 'content-type': 'application/json' })
          response.write(`${whole('Hi {"a":1}')}\n`)
        }
        expect(await ask('call')).toBe('Hi {"a":1}')
        expect(await ask('stream')).toBe('Hi {"a":1}')
      })

      it('a refusal whose body never ends', async () => {
        server.answer = (response) => {
          response.writeHead(400, { 'content-type': 'application/json' })
          response.write('{"error":{"message":"Too many tools."}}')
        }
        await expect(ask('call')).rejects.toThrow('Too many tools.')
        await expect(ask('stream')).rejects.toThrow('Too many tools.')
      })
    })
  }

describe('packed', () => {
  /** What has been written so far, readable at once. */
  const flushed = (gzip: Gzip): Promise<void> =>
    new Promise((resolve) => gzip.flush(() => resolve()))

  for (const dialect of DIALECTS)
    it(`${dialect}: a stream with its end marker, on a connection that stays open`, async () => {
      server.answer = async (response) => {
        response.writeHead(200, {
          'content-type': 'text/event-stream',
          'content-encoding': 'gzip',
        })
        const gzip = createGzip()
        gzip.pipe(response)
        gzip.write(sse(...WIRE[dialect as DialectName].events('Hi'), WIRE[dialect].end))
        await flushed(gzip)
      }
      const clock = manualClock()
      expect(await settled(asked(server.model(dialect, { clock }), 'stream'), clock)).toBe('Hi')
    })
})

it('what follows the finish reason in time still counts: the token counts of a stream', async () => {
  const clock = manualClock()
  server.answer = async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(sse(...WIRE['openai-compatible'].events('Hi')))
    while (clock.waiting === 0) await nextTurn()
    response.end(sse({ id: 'x', choices: [], usage: { total_tokens: 7 } }, '[DONE]'))
  }
  const run = ChatClient.create(server.model('openai-compatible', { clock })).prompt('Go').stream()
  const { usage } = await run.chatResponse()
  expect(usage).toEqual({ totalTokens: 7 })
})
