/** What leaves the process for a provider: results with their media, and nothing of the tools' context. */
import { describe, expect, it } from 'vitest'
import { ChatClient, tool, type ChatModel, type Transport } from 'toolwright'
import { anthropic } from 'toolwright/anthropic'
import { google } from 'toolwright/google'
import { openaiCompatible } from 'toolwright/openai'
import { z } from 'zod'

type Answers = readonly [asking: object, answering: object]

/** Answers with each in turn and keeps what was sent. */
function recording(answers: Answers, sent: string[]): Transport {
  return async ({ url, headers, body }) => {
    sent.push(JSON.stringify({ url, headers, body: JSON.parse(body) as unknown }))
    const answer = new TextEncoder().encode(JSON.stringify(answers[sent.length - 1]))
    const pieces = (async function* () {
      yield answer
    })()
    return { status: 200, header: () => 'application/json', body: pieces }
  }
}

const chat = (message: object, finish_reason: string): object => ({
  id: 'x',
  object: 'chat.completion',
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason }],
})
const messages = (content: object[], stop_reason: string): object => ({
  id: 'x',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content,
  stop_reason,
})

interface Dialect {
  readonly answers: Answers
  readonly model: (transport: Transport) => ChatModel
  /** How a picture stands in the second request. */
  readonly picture: object
}

const gemini = (parts: readonly object[]): object => ({
  candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }],
})

const DIALECTS: { readonly [name: string]: Dialect } = {
  openaiCompatible: {
    answers: [
      chat(
        {
          content: null,
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'snap', arguments: '{}' } }],
        },
        'tool_calls',
      ),
      chat({ content: 'A cat.' }, 'stop'),
    ],
    model: (transport) => openaiCompatible('m', { baseUrl: 'https://x.test/v1', transport }),
    picture: { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORwEC' } },
  },
  anthropic: {
    answers: [
      messages([{ type: 'tool_use', id: 'c1', name: 'snap', input: {} }], 'tool_use'),
      messages([{ type: 'text', text: 'A cat.' }], 'end_turn'),
    ],
    model: (transport) => anthropic('m', { apiKey: 'k', transport }),
    picture: {
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: 'iVBORwEC' },
    },
  },
  google: {
    answers: [gemini([{ functionCall: { name: 'snap' } }]), gemini([{ text: 'A cat.' }])],
    model: (transport) => google('m', { apiKey: 'k', transport }),
    picture: { inlineData: { mimeType: 'image/png', data: 'iVBORwEC' } },
  },
}

describe('with a tool that uses its context and returns a picture', () => {
  for (const [name, { answers, model, picture }] of Object.entries(DIALECTS)) {
    const run = async (): Promise<readonly string[]> => {
      const sent: string[] = []
      const snap = tool({
        name: 'snap',
        context: z.object({ token: z.string() }),
        execute: (_input, { values }) => {
          expect(values.token).toBe('swordfish')
          return Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 1, 2)
        },
      })
      const client = ChatClient.create(model(recording(answers, sent)), {
        tools: [snap],
        toolContext: { tenant: 'atlantis' },
      })
      const request = client.prompt('What do you see?').toolContext({ token: 'swordfish' })
      expect(await request.call().content()).toBe('A cat.')
      return sent
    }

    it(`${name}: the model sees the picture`, async () => {
      const [, second] = await run()
      expect(second).toContain(JSON.stringify(picture))
    })

    it(`${name}: no request holds the context, by value or by key`, async () => {
      for (const each of await run())
        expect(each).not.toMatch(/swordfish|atlantis|tenant|toolContext/)
    })
  }
})
