/** The trace goes on elsewhere: to a model's server by headers, to MCP servers by `_meta`, and from MCP clients. */
import { trace } from '@opentelemetry/api'
import { fromAiSdk } from '@toolwright/ai-sdk'
import { faultServer, type FaultDialect } from '@toolwright/fault-server'
import { mcpTools, serveTools } from '@toolwright/mcp'
import { inTraceContext, otelObserver, traceContext } from '@toolwright/otel'
import { createOpenAICompatible } from 'ai-sdk-compatible-v4'
import { describe, expect, it } from 'vitest'
import { ChatClient, tool, type ChatModel } from 'toolwright'
import { anthropic } from 'toolwright/anthropic'
import { openaiCompatible } from 'toolwright/openai'
import { scriptedModel } from 'toolwright/testing'
import { telemetry } from './telemetry.ts'

const seen = telemetry()

const MODELS = {
  openaiCompatible: {
    dialect: 'openai-compatible',
    model: (baseUrl, given) => openaiCompatible('m', { baseUrl, ...given }),
  },
  anthropic: {
    dialect: 'anthropic',
    model: (baseUrl, given) => anthropic('m', { baseUrl, apiKey: 'none', ...given }),
  },
  fromAiSdk: {
    dialect: 'openai-compatible',
    model: (baseURL, given) =>
      fromAiSdk(createOpenAICompatible({ name: 'x', baseURL })('m'), given),
  },
} as const satisfies {
  readonly [name: string]: {
    readonly dialect: FaultDialect
    model(baseUrl: string, given: { readonly traceContext?: () => object | undefined }): ChatModel
  }
}
const HELLOS = Array.from({ length: 4 }, () => ({ text: ['Hi.'] }))

for (const [name, { dialect, model }] of Object.entries(MODELS))
  describe(`the trace goes out with a request of ${name}`, () => {
    for (const mode of ['call', 'stream'] as const)
      it(`if it is given traceContext, in each of two runs at once its own: ${mode}`, async () => {
        seen.reset()
        const server = await faultServer({ dialect, turns: HELLOS })
        const observer = otelObserver()
        const ask = (words: string, asked: ChatModel): Promise<unknown> =>
          ChatClient.create(asked, { observer }).prompt(words).conversation(words)[mode]().result()
        await ask('untold', model(server.baseUrl, {}))
        const told = model(server.baseUrl, { traceContext })
        await Promise.all(['first', 'second'].map((words) => ask(words, told)))
        await server.close()
        const sent = server.requests.map(({ text, headers }) => [
          ['untold', 'first', 'second'].find((words) => text.includes(`"${words}"`)),
          headers['traceparent'],
        ])
        const chats = seen.finished().filter((span) => span.name === 'chat m')
        const ids = chats.map((span) => {
          const { traceId, spanId } = span.spanContext()
          const words = span.attributes['gen_ai.conversation.id']
          return [words, words === 'untold' ? undefined : `00-${traceId}-${spanId}-01`]
        })
        expect(Object.fromEntries(ids)).toEqual(Object.fromEntries(sent))
        expect(new Set(ids.map(([, header]) => header)).size).toBe(3)
        expect(server.requests).toHaveLength(3)
      })

    it('one that throws, or gives what no header takes, costs nothing', async () => {
      const server = await faultServer({ dialect, turns: HELLOS })
      const bad = [
        () => {
          throw new Error('no')
        },
        () => ({ traceparent: 'a\nb', other: 'x' }),
        () => undefined,
      ]
      for (const traceContext of bad)
        await ChatClient.create(model(server.baseUrl, { traceContext }))
          .prompt('Go')
          .call()
          .content()
      await server.close()
      expect(server.requests.map(({ headers }) => headers['traceparent'])).toEqual([
        undefined,
        undefined,
        undefined,
      ])
      expect(() => model('http://127.0.0.1:1', { traceContext: 'x' as never })).toThrow(
        'traceContext takes a function',
      )
    })
  })

describe('the trace goes out', () => {
  for (const era of ['legacy', 'modern'] as const)
    it(`through MCP and on: one span for the call here, the server's run inside it (${era})`, async () => {
      seen.reset()
      const greet = tool({ name: 'greet', hints: { readOnly: true }, execute: () => 'Hello' })
      const served = serveTools(greet, {
        name: 'greeter',
        version: '1',
        observer: otelObserver({ agentName: 'greeter' }),
        inTrace: inTraceContext,
      })
      await using listening = await served.listen({ port: 0 })
      await using tools = mcpTools({ url: listening.url }, { trust: 'trusted', era, traceContext })
      await ChatClient.create(scriptedModel([{ toolCalls: [{ name: 'greet' }] }, 'Done.']), {
        observer: otelObserver({ agentName: 'here' }),
        tools: [tools],
      })
        .prompt('Go')
        .call()
        .content()
      await served.close()
      expect(seen.outline()).toEqual([
        'invoke_agent here',
        '  chat scripted',
        '  execute_tool greet',
        '    tools/call greet',
        '      execute_tool greet',
        '  chat scripted',
      ])
      expect(new Set(seen.finished().map((span) => span.spanContext().traceId)).size).toBe(1)
    })

  for (const inTrace of [
    () => {
      throw new Error('no')
    },
    () => undefined as never,
  ])
    it('an inTrace that fails costs a served call nothing', async () => {
      const greet = tool({ name: 'greet', hints: { readOnly: true }, execute: () => 'Hello' })
      const served = serveTools(greet, { name: 'greeter', version: '1', inTrace })
      await using listening = await served.listen({ port: 0 })
      await using tools = mcpTools({ url: listening.url }, { trust: 'trusted' })
      const [remote] = await tools.toolCallbacks()
      expect(JSON.stringify(await remote!.call('{}'))).toContain('Hello')
      await served.close()
    })

  it('the span of the request that brought the trace is linked, once', async () => {
    seen.reset()
    const client = ChatClient.create(scriptedModel(['Done.']), { observer: otelObserver() })
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
    await trace.getTracer('http').startActiveSpan('POST /mcp', async (request) => {
      await inTraceContext({ traceparent }, () => client.prompt('Go').call().content())
      request.end()
    })
    const [chat, run, request] = seen.finished()
    expect(run!.parentSpanContext?.spanId).toBe('b'.repeat(16))
    expect(run!.links.map(({ context }) => context)).toEqual([request!.spanContext()])
    expect(chat!.links).toEqual([])
  })
})
