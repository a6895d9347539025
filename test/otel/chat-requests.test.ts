/** What a `chat` span and the metrics say of one request: where it went, to whom, and with which options. */
import { otelObserver } from '@toolwright/otel'
import { describe, expect, it } from 'vitest'
import {
  ChatClient,
  fallbackModel,
  promptedTools,
  tool,
  withToolExecution,
  type ChatModel,
  type ChatOptions,
  type JsonObject,
} from 'toolwright'
import { anthropic } from 'toolwright/anthropic'
import { google } from 'toolwright/google'
import { ollama } from 'toolwright/ollama'
import { openai, openaiCompatible } from 'toolwright/openai'
import { manualClock, scriptedModel } from 'toolwright/testing'
import { telemetry } from './telemetry.ts'

const seen = telemetry()
const MODES = ['call', 'stream'] as const
type Mode = (typeof MODES)[number]

/** A server that answers what it is asked, whole or in pieces. */
function answering(baseUrl: string): ChatModel {
  const bytes = new TextEncoder()
  const choice = { index: 0, finish_reason: 'stop' }
  const whole = { id: 'x', model: 'm-1', choices: [{ ...choice, message: { content: 'Hi.' } }] }
  const piece = { id: 'x', model: 'm-1', choices: [{ ...choice, delta: { content: 'Hi.' } }] }
  return openaiCompatible('m', {
    baseUrl,
    clock: manualClock(),
    transport: async ({ body }) => {
      const { stream } = JSON.parse(body) as { readonly stream?: boolean }
      const text = stream
        ? `data: ${JSON.stringify(piece)}\n\ndata: [DONE]\n\n`
        : JSON.stringify(whole)
      const type = stream ? 'text/event-stream' : 'application/json'
      return {
        status: 200,
        header: (name) => (name === 'content-type' ? type : undefined),
        body: (async function* () {
          yield bytes.encode(text)
        })(),
      }
    },
  })
}

async function asked(
  model: ChatModel,
  mode: Mode,
  { content = false, ...options }: ChatOptions & { readonly content?: boolean } = {},
) {
  seen.reset()
  const client = ChatClient.create(model, {
    clock: manualClock(),
    observer: otelObserver({ content }),
  })
  await client.prompt('Go').options(options)[mode]().result()
  const [run] = seen.trees()
  return run!.children![0]!.attributes
}

describe('where a model is asked', () => {
  for (const mode of MODES)
    it(`is on its span and on its metrics, and no other part of the address: ${mode}`, async () => {
      const model = answering('https://user:geheim@models.example:8443/v1/geheim?key=geheim')
      const attributes = await asked(model, mode)
      const chat = {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'openai-compatible',
        'gen_ai.request.model': 'm',
        'server.address': 'models.example',
        'server.port': 8443,
      }
      expect(attributes).toEqual({
        ...chat,
        ...(mode === 'stream' && {
          'gen_ai.request.stream': true,
          'gen_ai.response.time_to_first_chunk': 0,
        }),
        'gen_ai.response.model': 'm-1',
        'gen_ai.response.id': 'x',
        'gen_ai.response.finish_reasons': ['stop'],
        'toolwright.run.id': expect.any(String),
        'toolwright.round': 1,
      })
      const point = { ...chat, 'gen_ai.response.model': 'm-1', is: { count: 1, sum: 0 } }
      const {
        'gen_ai.client.operation.duration': took,
        'gen_ai.client.operation.time_to_first_chunk': first,
      } = await seen.points()
      expect([took, first]).toEqual([[point], mode === 'stream' ? [point] : undefined])
      expect(await seen.everything()).not.toContain('geheim')
    })

  const at = (address: string, port: number): object => ({ address, port })
  const key = { apiKey: 'k' }
  const local = openaiCompatible('m', { baseUrl: 'http://[::1]/v1' })
  for (const [what, { server }, expected] of [
    ['openai', openai('m', key), at('api.openai.com', 443)],
    ['anthropic', anthropic('m', key), at('api.anthropic.com', 443)],
    ['google', google('m', key), at('generativelanguage.googleapis.com', 443)],
    ['ollama', ollama('m'), at('127.0.0.1', 11434)],
    ['IPv6 without a port', local, at('::1', 80)],
    ['with tools in words', promptedTools(local), at('::1', 80)],
    ['with tools that it runs', withToolExecution(local), at('::1', 80)],
    ['one of several', fallbackModel([local, ollama('m')]), undefined],
    ['none', scriptedModel(['Hi.']), undefined],
  ] as const)
    it(`is said by the model: ${what}`, () => expect(server).toEqual(expected))

  it('a model that says nonsense is no reason to lose its span', async () => {
    const server = { address: 7, port: 'x' } as never
    const attributes = await asked({ ...scriptedModel(['Hi.']), server }, 'call')
    expect(attributes).not.toHaveProperty(['server.address'])
    expect(attributes).not.toHaveProperty(['server.port'])
  })
})

describe('who is asked', () => {
  for (const [provider, expected] of [
    ['google', 'gcp.gemini'],
    ['openai', 'openai'],
    ['openai.responses', 'openai'],
    ['google.vertex.chat', 'gcp.vertex_ai'],
    ['google.generative-ai', 'gcp.gemini'],
    ['amazon-bedrock', 'aws.bedrock'],
    ['mistral.chat', 'mistral_ai'],
    ['ollama', 'ollama'],
    ['my.own', 'my.own'],
    ['constructor', 'constructor'],
  ] as const)
    it(`by the name that the conventions have: ${provider}`, async () => {
      const attributes = await asked({ ...scriptedModel(['Hi.']), provider }, 'call')
      expect(attributes['gen_ai.provider.name']).toBe(expected)
    })
})

describe('options of a request', () => {
  const LEVEL = 'gen_ai.request.reasoning.level'
  for (const [provider, own, expected] of [
    ['openai', { reasoning: { effort: 'high' } }, 'high'],
    ['openai-compatible', { reasoning_effort: 'low' }, 'low'],
    ['anthropic', { output_config: { effort: 'max' } }, 'max'],
    ['google', { generationConfig: { thinkingConfig: { thinkingLevel: 'LOW' } } }, 'LOW'],
    ['ollama', { think: 'medium' }, 'medium'],
    ['ollama', { think: true }, undefined],
    ['openai.responses', { reasoningEffort: 'minimal' }, 'minimal'],
    ['openai', { reasoning: { effort: 'as somebody wrote' } }, undefined],
    ['openai', { reasoning: null }, undefined],
  ] as const)
    it(`how much to think: ${provider} ${JSON.stringify(own)}`, async () => {
      const providerOptions = { [provider.split('.')[0]!]: own as object as JsonObject }
      const attributes = await asked({ ...scriptedModel(['Hi.']), provider }, 'call', {
        providerOptions,
      })
      expect(attributes[LEVEL]).toBe(expected)
    })

  for (const mode of MODES)
    it(`those of the model count where the request says nothing: ${mode}`, async () => {
      const own = { temperature: 0.5, maxTokens: 9, topK: 3, toolContext: { user: 'geheim' } }
      const model = { ...scriptedModel(['Hi.']), options: own }
      const attributes = await asked(model, mode, { maxTokens: 7, seed: 1 })
      expect(attributes).toMatchObject({
        'gen_ai.request.temperature': 0.5,
        'gen_ai.request.max_tokens': 7,
        'gen_ai.request.top_k': 3,
        'gen_ai.request.seed': 1,
      })
      expect(await seen.everything()).not.toContain('geheim')
    })

  const look = tool({
    name: 'look',
    description: 'Looks at password=hunter2secret',
    input: { type: 'object', properties: { at: { type: 'string' } } },
    execute: () => 'seen',
  })
  const offered = { tools: [look], stopSequences: ['END', 'password=hunter2secret'] }

  for (const mode of MODES) {
    it(`stop sequences and tools leave with content only, redacted: ${mode}`, async () => {
      const attributes = await asked(scriptedModel(['Hi.']), mode, { ...offered, content: true })
      expect(attributes['gen_ai.request.stop_sequences']).toEqual(['END', 'password=[redacted]'])
      expect(JSON.parse(String(attributes['gen_ai.tool.definitions']))).toEqual([
        {
          type: 'function',
          name: 'look',
          description: 'Looks at password=[redacted]',
          parameters: look.definition.inputSchema,
        },
      ])
    })

    it(`without content neither does: ${mode}`, async () => {
      const attributes = await asked(scriptedModel(['Hi.']), mode, offered)
      expect(Object.keys(attributes).filter((name) => /stop_seq|definitions/.test(name))).toEqual(
        [],
      )
      expect(await seen.everything()).not.toContain('END')
    })
  }
})
