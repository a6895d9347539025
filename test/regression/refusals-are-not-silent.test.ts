/** A refusal once was an empty answer, or half of one. It rejects with the model's words, and is never asked for again. */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  ChatClient,
  chatMemoryAdvisor,
  clientTool,
  fallbackModel,
  messageWindowMemory,
  ModelResponseError,
  textOf,
  tool,
  withToolExecution,
  type AssistantPart,
  type ChatModel,
} from 'toolwright'
import { Agent, agentRegistry, requestAgent, runAgent, streamAgent } from 'toolwright/agent'
import { scriptedModel, type ScriptedStep } from 'toolwright/testing'
import { scenario, toldByTools } from '../e2e/scenario.ts'
import { loopback, sse, type DialectName, type Mode } from './loopback.ts'

const WORDS = 'I will not help with that.'
const refusal = (data: unknown = WORDS): AssistantPart =>
  ({ type: 'provider', kind: 'refusal', data }) as AssistantPart
const CITY = z.object({ city: z.string() })

const SAID: Record<string, { step: ScriptedStep; refusal: string; partial: string }> = {
  'a refusal part, with "stop"': { step: { parts: [refusal()] }, refusal: WORDS, partial: '' },
  'a refusal part as an object': {
    step: { parts: [refusal({ type: 'refusal', refusal: WORDS })] },
    refusal: WORDS,
    partial: '',
  },
  'a refusal part after text': {
    step: { parts: [{ type: 'text', text: 'First, ' }, refusal()] },
    refusal: WORDS,
    partial: 'First, ',
  },
  'a filter before any word': {
    step: { text: '', finishReason: 'content-filter' },
    refusal: '',
    partial: '',
  },
  'a filter after some words': {
    step: { text: 'First, take', finishReason: 'content-filter' },
    refusal: 'First, take',
    partial: 'First, take',
  },
}

for (const [what, { step, refusal: words, partial }] of Object.entries(SAID))
  describe(what, () => {
    scenario('rejects content() with its words; the response ends with content-filter', {
      script: [step],
      check({ result, textError, error }) {
        expect(error).toBeUndefined()
        expect(result.status).toBe('done')
        expect(result.response.results[0]!.finishReason).toBe('content-filter')
        expect(textError).toBeInstanceOf(ModelResponseError)
        expect(textError).toMatchObject({
          code: 'refused',
          refusal: words,
          partial,
          retryable: false,
        })
        expect((textError as Error).message).toContain(words)
        expect((textError as ModelResponseError).result).toBeDefined()
      },
    })

    it('rejects entity(), which does not ask again, asked first or later', async () => {
      const model = scriptedModel([step, '{"city":"Paris"}', step])
      const failure = { code: 'refused', refusal: words }
      await expect(ChatClient.create(model).prompt('Go').call().entity(CITY)).rejects.toMatchObject(
        failure,
      )
      expect(model.prompts).toHaveLength(1)
      const run = ChatClient.create(scriptedModel([step]))
        .prompt('Go')
        .call()
      await expect(run.content()).rejects.toMatchObject(failure)
      await expect(run.entity(CITY)).rejects.toMatchObject(failure)
    })

    it('shows a stream its text, and rejects it at its end', async () => {
      const run = ChatClient.create(scriptedModel([step]))
        .prompt('Go')
        .stream()
      let shown = ''
      const reading = (async () => {
        for await (const piece of run.content()) shown += piece
      })()
      await expect(reading).rejects.toMatchObject({ code: 'refused', refusal: words })
      expect(shown).toBe(partial)
      expect((await run.chatResponse()).results[0]!.finishReason).toBe('content-filter')
    })

    it('rejects an agent, in one step and in the loop', async () => {
      const failure = { code: 'refused', refusal: words }
      const context = [{ type: 'text', text: 'Go' }] as const
      const model = (): ChatModel => scriptedModel([step, '{"meta":{},"output":"x"}'])
      await expect(runAgent({ model: model() }, { type: 'string' }, context)).rejects.toMatchObject(
        failure,
      )
      await expect(
        requestAgent({ model: model() }, { type: 'string' }, context),
      ).rejects.toMatchObject(failure)
      const streamed = streamAgent({ model: model() }, { type: 'string' }, context)
      await expect(streamed.result()).rejects.toMatchObject(failure)
      await expect(Agent({ model: model() }, { type: 'string' }, context)).rejects.toMatchObject(
        failure,
      )
    })

    it('is an answer like any other to a model, a fallback and withToolExecution()', async () => {
      const prompt = { messages: [{ role: 'user', content: 'Go' }] } as const
      const other = scriptedModel(['Other.'])
      const fallback = fallbackModel([scriptedModel([step]), other])
      await expect(ChatClient.create(fallback).prompt('Go').call().content()).rejects.toMatchObject(
        { code: 'refused' },
      )
      expect(other.prompts).toEqual([])
      const { results } = await withToolExecution(scriptedModel([step])).call(prompt)
      expect(results[0]!.finishReason).toBe('content-filter')
    })
  })

describe('in a conversation', () => {
  const run = tool({ name: 'run', execute: () => 'ran' })

  scenario('calls beside a refusal never run; the model is asked again', {
    script: [
      { parts: [refusal(), { type: 'tool-call', id: 'c', name: 'run', arguments: '{}' }] },
      'Sorry.',
    ],
    tools: ({ log }) => [tool({ name: 'run', execute: () => void log.push('ran') })],
    check({ log, prompts, result }) {
      expect(log).toEqual([])
      expect(toldByTools(prompts[1])).toMatchObject([{ isError: true }])
      expect(textOf(result.response)).toBe('Sorry.')
    },
  })

  scenario('a refusal after tools rejects too', {
    script: [{ toolCalls: [{ name: 'run' }] }, { parts: [refusal()] }],
    tools: () => [run],
    check: ({ textError, result }) => {
      expect(textError).toMatchObject({ code: 'refused', refusal: WORDS })
      expect(result.rounds).toHaveLength(2)
    },
  })

  it('a refused turn stays in memory as it was said, and the next turn is valid', async () => {
    for (const step of Object.values(SAID).map((each) => each.step)) {
      const memory = messageWindowMemory()
      const model = scriptedModel([step, 'Gladly.'])
      const client = ChatClient.create(model, { advisors: [chatMemoryAdvisor(memory)] })
      const ask = (text: string): Promise<string> =>
        client.prompt(text).conversation('c').call().content()
      await expect(ask('Something bad')).rejects.toMatchObject({ code: 'refused' })
      expect(await ask('Something good')).toBe('Gladly.')
      const roles = model.prompts[1]!.messages.map(({ role }) => role)
      const saidSomething = typeof step === 'object' && !('text' in step && step.text === '')
      expect(roles).toEqual(saidSomething ? ['user', 'assistant', 'user'] : ['user', 'user'])
    }
  })

  it('a client that is a tool tells its caller', async () => {
    const inner = ChatClient.create(scriptedModel([{ parts: [refusal()] }]))
    const model = scriptedModel([
      { toolCalls: [{ name: 'expert', arguments: { prompt: 'x' } }] },
      'Ok.',
    ])
    const expert = clientTool(inner, { name: 'expert', description: 'Knows.' })
    await ChatClient.create(model).prompt('Go').tools(expert).call().content()
    expect(toldByTools(model.prompts[1])).toMatchObject([
      { isError: true, content: expect.stringContaining(WORDS) },
    ])
  })

  it('calls of an agent beside a refusal never run', async () => {
    const ran: unknown[] = []
    const registry = agentRegistry()
    registry.tool('run', { type: 'object', properties: {} })
    registry.activity('run', (call) => void ran.push(call))
    const calls = '{"meta":{"version":"1"},"calls":[{"_tool":"run"}],"output":null}'
    const model = scriptedModel([
      { text: calls, finishReason: 'content-filter' },
      '{"meta":{"version":"2"},"calls":[],"output":"x"}',
    ])
    const context = [{ type: 'text', text: 'Go' }] as const
    const { output } = await runAgent({ model, registry }, { type: 'string' }, context)
    expect([output, ran]).toEqual(['x', []])
  })
})

describe('over HTTP', () => {
  const server = loopback()
  const completion = (message: object, finish_reason = 'stop'): string =>
    JSON.stringify({ choices: [{ message, finish_reason }] })
  const chunks = (...deltas: readonly [delta: object, finish_reason?: string][]): string =>
    sse(
      ...deltas.map(([delta, finish_reason]) => ({
        choices: [{ index: 0, delta, finish_reason }],
      })),
      '[DONE]',
    )
  const message = (content: readonly object[], more: object = {}): string =>
    JSON.stringify({ content, stop_reason: 'refusal', ...more })
  const blocks = (text: string, delta: object = {}): string =>
    sse(
      { type: 'message_start', message: { id: 'm', content: [] } },
      ...(text === ''
        ? []
        : [
            { type: 'content_block_start', index: 0, content_block: { type: 'text', text } },
            { type: 'content_block_stop', index: 0 },
          ]),
      { type: 'message_delta', delta: { stop_reason: 'refusal', ...delta } },
      { type: 'message_stop' },
    )
  const details = { stop_details: { type: 'refusal', category: 'cyber', explanation: WORDS } }

  const CASES: readonly [
    what: string,
    dialect: DialectName,
    mode: Mode,
    body: string,
    refusal: string,
    raw: string,
  ][] = [
    [
      'the refusal field',
      'openai-compatible',
      'call',
      completion({ content: null, refusal: WORDS }),
      WORDS,
      'stop',
    ],
    [
      'the refusal field in pieces',
      'openai-compatible',
      'stream',
      chunks(
        [{ role: 'assistant', refusal: 'I will not ' }],
        [{ refusal: 'help with' }],
        [{ refusal: ' ' }],
        [{ refusal: 'that.' }],
        [{}, 'stop'],
      ),
      WORDS,
      'stop',
    ],
    [
      'content_filter',
      'openai-compatible',
      'call',
      completion({ content: '' }, 'content_filter'),
      '',
      'content_filter',
    ],
    [
      'content_filter',
      'openai-compatible',
      'stream',
      chunks([{ content: '' }], [{}, 'content_filter']),
      '',
      'content_filter',
    ],
    [
      'content_filter after text',
      'openai-compatible',
      'stream',
      chunks([{ content: 'First' }], [{}, 'content_filter']),
      'First',
      'content_filter',
    ],
    [
      'an item of the content',
      'openai-compatible',
      'call',
      completion({ content: [{ type: 'refusal', refusal: WORDS }] }),
      WORDS,
      'stop',
    ],
    ['stop_reason refusal', 'anthropic', 'call', message([]), '', 'refusal'],
    [
      'stop_reason refusal with text',
      'anthropic',
      'call',
      message([{ type: 'text', text: 'No' }]),
      'No',
      'refusal',
    ],
    ['stop_reason refusal, explained', 'anthropic', 'call', message([], details), WORDS, 'refusal'],
    ['stop_reason refusal', 'anthropic', 'stream', blocks(''), '', 'refusal'],
    ['stop_reason refusal with text', 'anthropic', 'stream', blocks('No'), 'No', 'refusal'],
    [
      'stop_reason refusal, explained',
      'anthropic',
      'stream',
      blocks('', details),
      WORDS,
      'refusal',
    ],
  ]

  for (const [what, dialect, mode, body, words, raw] of CASES)
    it(`${dialect}, ${mode}: ${what}`, async () => {
      server.answer = (response) => {
        const type = mode === 'call' ? 'application/json' : 'text/event-stream'
        response.writeHead(200, { 'content-type': type }).end(body)
      }
      const request = ChatClient.create(server.model(dialect)).prompt('Go')
      const run = mode === 'call' ? request.call() : request.stream()
      const content = run.content()
      const reading =
        typeof content === 'object' && Symbol.asyncIterator in content
          ? (async () => {
              for await (const _piece of content);
            })()
          : content
      await expect(reading).rejects.toMatchObject({ code: 'refused', refusal: words })
      const { finishReason, rawFinishReason } = (await run.chatResponse()).results[0]!
      expect([finishReason, rawFinishReason]).toEqual(['content-filter', raw])
    })

  it('a blank or null refusal is none', async () => {
    for (const nothing of [null, '', ' ', false]) {
      server.answer = (response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(completion({ content: 'Hi', refusal: nothing }))
      }
      const client = ChatClient.create(server.model('openai-compatible'))
      expect(await client.prompt('Go').call().content()).toBe('Hi')
    }
  })
})
