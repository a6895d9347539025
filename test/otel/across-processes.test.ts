/** The trace goes on elsewhere: to a model's server by headers, to MCP servers by `_meta`, and from MCP clients. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { trace } from '@opentelemetry/api'
import { mcpTools, serveTools } from '@toolwright/mcp'
import { inTraceContext, otelObserver, traceContext } from '@toolwright/otel'
import { describe, expect, it } from 'vitest'
import { ChatClient, tool } from 'toolwright'
import { openaiCompatible } from 'toolwright/openai'
import { scriptedModel } from 'toolwright/testing'
import { telemetry } from './telemetry.ts'

const seen = telemetry()
async function modelServer() {
  const headers: unknown[] = []
  const server = createServer((request, response) => {
    headers.push(request.headers['traceparent'])
    request.resume().on('end', () => {
      const message = { role: 'assistant', content: 'Hi.' }
      const choices = [{ index: 0, message, finish_reason: 'stop' }]
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ id: 'x', object: 'chat.completion', model: 'm', choices }))
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return { headers, baseUrl, close: () => server.close() }
}

describe('the trace goes out', () => {
  it('with a request to a model, if the model is given traceContext', async () => {
    seen.reset()
    const { headers, baseUrl, close } = await modelServer()
    const observer = otelObserver()
    for (const options of [{}, { traceContext }])
      await ChatClient.create(openaiCompatible('m', { baseUrl, ...options }), { observer })
        .prompt('Go')
        .call()
        .content()
    close()
    const chats = seen.finished().filter(({ name }) => name === 'chat m')
    const { traceId, spanId } = chats[1]!.spanContext()
    expect(headers).toEqual([undefined, `00-${traceId}-${spanId}-01`])
  })

  it('a traceContext that throws, or gives what no header takes, costs nothing', async () => {
    const { headers, baseUrl, close } = await modelServer()
    const bad = [
      () => {
        throw new Error('no')
      },
      () => ({ traceparent: 'a\nb', other: 'x' }),
      () => undefined,
    ]
    for (const traceContext of bad)
      await ChatClient.create(openaiCompatible('m', { baseUrl, traceContext }))
        .prompt('Go')
        .call()
        .content()
    close()
    expect(headers).toEqual([undefined, undefined, undefined])
    expect(() => openaiCompatible('m', { baseUrl, traceContext: 'x' as never })).toThrow(
      'traceContext takes a function',
    )
  })

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
