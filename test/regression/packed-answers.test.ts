/** A server may pack its answer although it was asked for plain, and name the encoding in any case, in a list. */
import { deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { ChatClient } from 'toolwright'
import { loopback, sse, WIRE, type Mode } from './loopback.ts'

const server = loopback()

const PACKED: Record<string, (plain: string) => Buffer> = {
  GZIP: gzipSync,
  ' Gzip ': gzipSync,
  'X-GZIP': gzipSync,
  Deflate: deflateSync,
  'gzip, identity': gzipSync,
  'Deflate,GZIP': (plain) => gzipSync(deflateSync(plain)),
  IDENTITY: Buffer.from,
  '': Buffer.from,
  ' , ': Buffer.from,
}

for (const dialect of ['openai-compatible', 'anthropic'] as const)
  describe(dialect, () => {
    const { whole, events, end } = WIRE[dialect]
    const ask = async (mode: Mode): Promise<string> => {
      const request = ChatClient.create(server.model(dialect)).prompt('Go')
      if (mode === 'call') return request.call().content()
      let text = ''
      for await (const piece of request.stream().content()) text += piece
      return text
    }
    const answerWith = (encoding: string, body: Buffer, type: string): void => {
      server.answer = (response) => {
        response.writeHead(200, { 'content-type': type, 'content-encoding': encoding }).end(body)
      }
    }

    for (const [encoding, pack] of Object.entries(PACKED))
      it(`reads content-encoding ${JSON.stringify(encoding)}`, async () => {
        answerWith(encoding, pack(whole('Hi')), 'application/json')
        expect(await ask('call')).toBe('Hi')
        answerWith(encoding, pack(sse(...events('Hi'), end)), 'text/event-stream')
        expect(await ask('stream')).toBe('Hi')
      })

    for (const encoding of ['snappy', 'gzip, snappy', 'constructor', 'gzip,'.repeat(50)])
      it(`names content-encoding ${encoding.slice(0, 20)}, which it cannot read`, async () => {
        answerWith(encoding, gzipSync(whole('Hi')), 'application/json')
        await expect(ask('call')).rejects.toMatchObject({
          code: 'provider-unreachable',
          message: expect.stringContaining(`the encoding "${encoding.slice(0, 40)}"`),
        })
      })

    it('says so when the body is not what its encoding says', async () => {
      answerWith('GZIP', Buffer.from(whole('Hi')), 'application/json')
      await expect(ask('call')).rejects.toMatchObject({ code: 'provider-unreachable' })
    })
  })
