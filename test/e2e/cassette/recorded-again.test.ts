/** An unchanged conversation that is recorded again is the same file, whatever the provider says of its times. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { ChatClient, tool, type ChatModel, type Json } from 'toolwright'
import { ollama } from 'toolwright/ollama'
import { openaiCompatible } from 'toolwright/openai'
import { cassette } from 'toolwright/testing'
import { replyServer, type Reply } from '../../wire/reply-server.ts'

const server = replyServer()

/** What a provider says of an answer, the n-th it gives. */
interface Dialect {
  readonly model: () => ChatModel
  readonly reply: (n: number, isStream: boolean) => Reply
  /** What is kept of its metadata. */
  readonly metadata: Json
}

const json = (value: object): Reply => ({
  type: 'application/json',
  chunks: [JSON.stringify(value)],
})

const call = { name: 'look', arguments: {} }

const DIALECTS: { readonly [name: string]: Dialect } = {
  ollama: {
    model: () => ollama('m', { baseUrl: server.origin, retry: false }),
    reply: (n, isStream) => {
      const message =
        n % 2 === 1 ? { tool_calls: [{ id: 'a', function: call }] } : { content: 'Sunny.' }
      const line = {
        model: 'm',
        created_at: `2026-01-01T00:00:0${n}.123Z`,
        message: { role: 'assistant', content: '', ...message },
        done: true,
        done_reason: 'stop',
        total_duration: 1_000_000 + n,
        load_duration: 10 + n,
        prompt_eval_count: 5,
        prompt_eval_duration: 20 + n,
        eval_count: 3,
        eval_duration: 30 + n,
        remote_host: 'https://ollama.com:443',
      }
      return isStream
        ? { type: 'application/x-ndjson', chunks: [`${JSON.stringify(line)}\n`] }
        : json(line)
    },
    metadata: { remote_host: 'https://ollama.com:443' },
  },
  'Chat Completions': {
    model: () => openaiCompatible('m', { baseUrl: server.origin, retry: false }),
    reply: (n, isStream) => {
      const calls = [
        { index: 0, id: 'a', type: 'function', function: { ...call, arguments: '{}' } },
      ]
      const message = n % 2 === 1 ? { content: null, tool_calls: calls } : { content: 'Sunny.' }
      const said = { role: 'assistant', ...message }
      const finish_reason = n % 2 === 1 ? 'tool_calls' : 'stop'
      const answer = {
        id: 'chatcmpl-1',
        created: 1_770_000_000 + n,
        model: 'm',
        system_fingerprint: `fp_${n}`,
        service_tier: 'default',
        usage: { prompt_tokens: 5, completion_tokens: 3 },
        choices: [{ index: 0, [isStream ? 'delta' : 'message']: said, finish_reason }],
      }
      return isStream
        ? { chunks: [`data: ${JSON.stringify(answer)}\n\ndata: [DONE]\n\n`] }
        : json(answer)
    },
    metadata: { service_tier: 'default' },
  },
}

for (const [name, { model, reply, metadata }] of Object.entries(DIALECTS))
  for (const mode of ['call', 'stream'] as const)
    it(`${name}, ${mode}`, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'again-'))
      onTestFinished(() => rmSync(folder, { recursive: true }))
      const file = join(folder, 'one.cassette.json')
      let answers = 0
      const look = tool({
        name: 'look',
        execute() {
          server.reply = reply(++answers, mode === 'stream')
          return 'sun'
        },
      })
      const recorded = async (): Promise<string> => {
        server.reply = reply(++answers, mode === 'stream')
        const tape = cassette(file, { model: model(), tools: [look], mode: 'record' })
        const client = ChatClient.create(tape.model, { tools: tape.tools })
        await client.prompt('How is it?')[mode]().result()
        await tape.finish()
        return readFileSync(file, 'utf8')
      }
      const first = await recorded()
      expect(answers).toBe(2)
      expect(await recorded()).toBe(first)
      const { exchanges } = JSON.parse(first) as { exchanges: any[] }
      expect(exchanges.map(({ kind }) => kind)).toEqual(['model', 'tool', 'model'])
      expect(exchanges[2].response.metadata).toEqual(metadata)
      expect(exchanges[2].response.usage).toMatchObject({ inputTokens: 5, outputTokens: 3 })
    })
