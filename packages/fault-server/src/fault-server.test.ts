import { describe, expect, it, onTestFinished } from 'vitest'
import { faultServer, type FaultServer, type FaultServerOptions } from './fault-server.ts'
import { FAULT_DIALECTS, type FaultDialect } from './dialects.ts'
import type { FaultTurn } from './scenario.ts'

const OPENAI = 'openai-compatible'
const ANTHROPIC = 'anthropic'
const RESPONSES = 'openai'
const GOOGLE = 'google'
type Options = Partial<FaultServerOptions>

async function start(options: Options & { readonly turns: FaultServerOptions['turns'] }) {
  const server = await faultServer({ dialect: OPENAI, ...options })
  onTestFinished(() => server.close())
  return server
}

const user = { role: 'user', content: 'go' }

function post(server: FaultServer, path: string, body: object | string): Promise<Response> {
  return fetch(server.baseUrl + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'anthropic-version': '2023-06-01',
      'x-goog-api-key': 'k',
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}
const chat = (server: FaultServer, body: object = {}): Promise<Response> =>
  post(server, '/chat/completions', { model: 'm', messages: [user], ...body })
const messages = (server: FaultServer, body: object = {}): Promise<Response> =>
  post(server, '/messages', { model: 'm', max_tokens: 9, messages: [user], ...body })
const responses = (server: FaultServer, body: object = {}): Promise<Response> =>
  post(server, '/responses', { model: 'm', input: [user], ...body })
const generate = (server: FaultServer, method: string): Promise<Response> =>
  post(server, `/models/m:${method}`, { contents: [{ role: 'user', parts: [{ text: 'go' }] }] })

const turn: FaultTurn = {
  reasoning: 'Hm.',
  text: ['Hel', 'lo'],
  toolCalls: [{ name: 'effect', arguments: ['{"n"', ':1}'] }],
}

describe('one turn in each dialect', () => {
  it('is one chat completion', async () => {
    const body = await (await chat(await start({ turns: [turn] }))).json()
    expect(body).toMatchObject({
      choices: [
        {
          message: {
            content: 'Hello',
            reasoning_content: 'Hm.',
            tool_calls: [{ id: 'call_1_0', function: { name: 'effect', arguments: '{"n":1}' } }],
          },
          finish_reason: 'tool_calls',
        },
      ],
      usage: { total_tokens: 30 },
    })
  })

  it('is a stream of chat completion chunks', async () => {
    const response = await chat(await start({ turns: [turn] }), { stream: true })
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const events = dataOf(await response.text())
    expect(events.at(-1)).toBe('[DONE]')
    const chunks = events.slice(0, -1).map((data) => JSON.parse(data))
    const deltas = chunks.flatMap((chunk) => chunk.choices).map((choice) => choice.delta)
    expect(deltas.map((delta) => delta.content ?? '').join('')).toBe('Hello')
    const pieces = deltas.flatMap((delta) => delta.tool_calls ?? [])
    expect(pieces.map((piece) => piece.function.arguments).join('')).toBe('{"n":1}')
  })

  it('is one Anthropic message, its thought signed', async () => {
    const body = await (await messages(await start({ dialect: ANTHROPIC, turns: [turn] }))).json()
    expect(body).toMatchObject({
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: expect.stringMatching(/.{20}/) },
        { type: 'text', text: 'Hello' },
        { type: 'tool_use', id: 'toolu_1_0', name: 'effect', input: { n: 1 } },
      ],
      stop_reason: 'tool_use',
    })
  })

  it('is a stream of Anthropic events', async () => {
    const server = await start({ dialect: ANTHROPIC, turns: [turn] })
    const text = await (await messages(server, { stream: true })).text()
    const types = [...text.matchAll(/^event: (.*)$/gm)].map((match) => match[1])
    const block = ['content_block_start', 'content_block_delta']
    const twice = [...block, 'content_block_delta', 'content_block_stop']
    expect(types.slice(0, 2)).toEqual(['message_start', 'ping'])
    expect(types.slice(2, -2)).toEqual([...twice, ...twice, ...twice])
    expect(types.slice(-2)).toEqual(['message_delta', 'message_stop'])
  })

  it('is one response of OpenAI, its thought encrypted', async () => {
    const body = await (await responses(await start({ dialect: RESPONSES, turns: [turn] }))).json()
    expect(body).toMatchObject({
      object: 'response',
      output: [
        {
          type: 'reasoning',
          summary: [{ type: 'summary_text', text: 'Hm.' }],
          encrypted_content: expect.stringMatching(/.{20}/),
        },
        { type: 'message', content: [{ type: 'output_text', text: 'Hello' }] },
        { type: 'function_call', call_id: 'call_1_0', name: 'effect', arguments: '{"n":1}' },
      ],
      status: 'completed',
      usage: { total_tokens: 30 },
    })
  })

  it('is a stream of response events', async () => {
    const server = await start({ dialect: RESPONSES, turns: [{ ...turn, finish: 'length' }] })
    const events = dataOf(await (await responses(server, { stream: true })).text())
    expect(events.at(-1)).toBe('[DONE]')
    const parsed = events.slice(0, -1).map((data) => JSON.parse(data))
    const joined = (type: string): string =>
      parsed.map((event) => (event.type === type ? event.delta : '')).join('')
    expect(joined('response.output_text.delta')).toBe('Hello')
    expect(joined('response.function_call_arguments.delta')).toBe('{"n":1}')
    expect(parsed.at(-1)).toMatchObject({
      type: 'response.incomplete',
      response: { incomplete_details: { reason: 'max_output_tokens' } },
    })
  })

  it('is one Gemini answer, its first call signed', async () => {
    const server = await start({ dialect: GOOGLE, turns: [turn] })
    const body = await (await generate(server, 'generateContent')).json()
    const thoughtSignature = expect.stringMatching(/.{20}/)
    expect(body).toMatchObject({
      candidates: [
        {
          content: {
            role: 'model',
            parts: [
              { text: 'Hm.', thought: true },
              { text: 'Hello' },
              { functionCall: { id: 'fc_1_0', name: 'effect', args: { n: 1 } }, thoughtSignature },
            ],
          },
          finishReason: 'STOP',
        },
      ],
      usageMetadata: { totalTokenCount: 30 },
    })
  })

  it('is a stream of Gemini chunks, with arguments by path where names are repeated', async () => {
    const turns = [turn, { ...turn, repeatedNames: true }]
    const server = await start({ dialect: GOOGLE, turns })
    const parts = async (): Promise<any[]> => {
      const response = await generate(server, 'streamGenerateContent?alt=sse')
      const chunks = dataOf(await response.text()).map((data) => JSON.parse(data))
      expect(chunks.at(-1).candidates[0].finishReason).toBe('STOP')
      return chunks.flatMap((chunk) => chunk.candidates[0].content.parts)
    }
    const whole = await parts()
    expect(whole.map((part) => part.text ?? '').join('')).toBe('Hm.Hello')
    expect(whole.find((part) => part.functionCall).functionCall.args).toEqual({ n: 1 })
    const pieces = (await parts()).flatMap((part) => part.functionCall ?? [])
    expect(pieces.slice(1)).toEqual([
      {
        name: 'effect',
        partialArgs: [{ jsonPath: '$.n', numberValue: 1 }],
        willContinue: true,
      },
      {},
    ])
  })
})

const dataOf = (text: string): string[] =>
  [...text.matchAll(/^data: ?(.*)$/gm)].map((match) => match[1]!)

describe('the faults', () => {
  const streamed = async (broken: FaultTurn): Promise<Response> =>
    chat(await start({ turns: [broken] }), { stream: true })

  it('lays the bytes out as asked', async () => {
    const framing = {
      newline: '\r',
      byteOrderMark: true,
      comments: true,
      withoutSpace: true,
    } as const
    const bytes = await (await streamed({ ...turn, framing })).arrayBuffer()
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
    expect(text).toMatch(/^\uFEFF: keep-alive\r\r:\rdata:\{/)
    expect(text).not.toContain('\n')
  })

  it('breaks off before the finish reason, in both forms', async () => {
    const text = await (await streamed({ ...turn, ending: 'eof' })).text()
    expect(text).toContain(':1}')
    expect(text).not.toContain('"finish_reason":"tool_calls"')
    const whole = await chat(await start({ turns: [{ ...turn, ending: 'eof' }] }))
    await expect(whole.json()).rejects.toThrow(SyntaxError)
  })

  it('leaves out only the end marker', async () => {
    const text = await (await streamed({ ...turn, ending: 'no-end-marker' })).text()
    expect(text).toContain('"finish_reason":"tool_calls"')
    expect(text).not.toContain('[DONE]')
  })

  it('resets the connection in the middle', async () => {
    const response = await streamed({ ...turn, ending: 'reset' })
    await expect(response.text()).rejects.toThrow('terminated')
  })

  it('reports an error inside the answer', async () => {
    const server = await start({ dialect: ANTHROPIC, turns: [{ ...turn, ending: 'error-event' }] })
    const text = await (await messages(server, { stream: true })).text()
    expect(text).toMatch(/event: error\ndata: .*overloaded_error/)
    expect(await (await messages(server)).json()).toMatchObject({ type: 'error' })
  })

  it('falls silent, says so, and notices that the client has gone', async () => {
    const server = await start({ turns: [{ ...turn, ending: 'stall' }] })
    const leave = new AbortController()
    const body = JSON.stringify({ model: 'm', stream: true, messages: [user] })
    const url = `${server.baseUrl}/chat/completions`
    const response = await fetch(url, { method: 'POST', body, signal: leave.signal })
    await server.stalled
    expect(server.openResponses).toBe(1)
    leave.abort()
    await expect(response.text()).rejects.toThrow()
    await expect.poll(() => server.openResponses).toBe(0)
  })

  it('sends a line without end', async () => {
    const response = await streamed({ ending: 'endless-line' })
    let bytes = 0
    for await (const chunk of response.body!) {
      bytes += chunk.length
      if (bytes > 5_000_000) break
    }
    expect(bytes).toBeGreaterThan(5_000_000)
  })

  it('sends what nobody should read any more', async () => {
    const late = { toolCalls: [{ name: 'late', arguments: ['{}'] }] }
    const text = await (await streamed({ ...turn, late })).text()
    expect(text.indexOf('"late"')).toBeGreaterThan(text.indexOf('[DONE]'))
  })

  it('refuses until the time it named has passed', async () => {
    const server = await start({ turns: [{ status: 429, retryAfterSeconds: 30 }, turn] })
    const [first, second] = [await chat(server), await chat(server)]
    expect([first.status, first.headers.get('retry-after')]).toEqual([429, '30'])
    expect(second.status).toBe(429)
    expect(server.requests).toHaveLength(2)
  })

  it('goes through the script and repeats its end, or asks a function', async () => {
    const listed = await start({ turns: [turn, { text: ['end'] }] })
    const asked = await start({ turns: (step) => ({ text: [`step ${step}`] }) })
    const answers = async (server: FaultServer): Promise<unknown[]> => {
      const bodies: any[] = []
      for (let count = 0; count < 3; count += 1) bodies.push(await (await chat(server)).json())
      return bodies.map((body) => body.choices[0].message.content)
    }
    expect(await answers(listed)).toEqual(['Hello', 'end', 'end'])
    expect(await answers(asked)).toEqual(['step 1', 'step 2', 'step 3'])
  })

  it('does not know other routes, and wants either a scenario or turns', async () => {
    const server = await start({ turns: [turn] })
    expect((await post(server, '/elsewhere', {})).status).toBe(404)
    await expect(faultServer({ dialect: OPENAI })).rejects.toMatchObject({ code: 'invalid-option' })
    await expect(
      faultServer({ dialect: 'toString' as FaultDialect, turns: [turn] }),
    ).rejects.toThrow(`Use one of: ${FAULT_DIALECTS.join(', ')}.`)
  })
})

describe('one turn in the language of Ollama', () => {
  const asked = (server: FaultServer, body: object = {}): Promise<Response> =>
    post(server, '/api/chat', { model: 'm', messages: [user], ...body })
  const started = (broken: FaultTurn = turn) => start({ dialect: 'ollama', turns: [broken] })
  const call = { function: { index: 0, name: 'effect', arguments: { n: 1 } } }

  it('is one answer, without an id that nobody named', async () => {
    const body = await (await asked(await started(), { stream: false })).json()
    expect(body).toMatchObject({
      message: { role: 'assistant', content: 'Hello', thinking: 'Hm.', tool_calls: [call] },
      done: true,
      done_reason: 'stop',
      prompt_eval_count: 20,
      eval_count: 10,
    })
    expect(JSON.stringify(body)).not.toContain('"id"')
  })

  it('is a stream of lines, unless something else is asked for; a call is whole in its line', async () => {
    const response = await asked(await started())
    expect(response.headers.get('content-type')).toBe('application/x-ndjson')
    const lines = (await response.text()).trim().split('\n')
    const records = lines.map((line) => JSON.parse(line))
    expect(records.map(({ done }) => done)).toEqual([false, false, false, false, true])
    expect(records.map(({ message }) => message.content).join('')).toBe('Hello')
    expect(records[3].message.tool_calls).toEqual([call])
    expect(new Set(records.map(({ created_at }) => created_at)).size).toBe(records.length)
  })

  it('breaks off before its last line, repeats a line, reports an error as a line', async () => {
    const textOf = async (broken: FaultTurn): Promise<string> =>
      (await asked(await started({ ...turn, ...broken }))).text()
    expect(await textOf({ ending: 'eof' })).not.toContain('"done":true')
    expect((await textOf({ repeatedNames: true })).match(/"effect"/g)).toHaveLength(2)
    const lines = (await textOf({ ending: 'error-event' })).trim().split('\n')
    expect(JSON.parse(lines.at(-1)!)).toEqual({ error: 'The model is overloaded.' })
    const spaced = await textOf({ framing: { newline: '\r\n', comments: true } })
    expect(spaced).toMatch(/^\r\n\r\n\{.*\}\r\n\r\n\r\n\{/)
    const whole = await asked(await started({ ...turn, ending: 'eof' }), { stream: false })
    await expect(whole.json()).rejects.toThrow(SyntaxError)
  })
})
