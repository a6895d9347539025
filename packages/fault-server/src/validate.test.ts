/** The validators through the server's door: sound follow-ups get an answer, poisoned ones a 400. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { faultServer, type FaultServer } from './fault-server.ts'
import type { FaultDialect } from './dialects.ts'
import { signatureOfTurn } from './dialects/google/signature-of-turn.ts'
import type { FaultTurn } from './scenario.ts'
import { signatureOf } from './signature.ts'

const HEADERS = {
  'content-type': 'application/json',
  'anthropic-version': '2023-06-01',
  'x-goog-api-key': 'k',
}

interface Asked {
  readonly status: number
  readonly body: { readonly error?: { readonly type?: string; readonly message: string } }
}

/** What Ollama says is all in one word. */
interface AskedOllama {
  readonly status: number
  readonly body: { readonly error?: unknown }
}

const CALLING: FaultTurn = {
  reasoning: 'Hm.',
  toolCalls: [{ name: 'effect', arguments: ['{"n":1}'] }],
}
const ASKED = [{ role: 'user', content: 'go' }]
const FIRST = { model: 'm', max_tokens: 9, messages: ASKED, input: ASKED }

/** A server that has answered once, with a signed thought and a call. */
function conversation(dialect: FaultDialect, route: string, first: object = FIRST) {
  let server: FaultServer
  const send = async (body: string, headers: Record<string, string> = HEADERS): Promise<Asked> => {
    const response = await fetch(server.baseUrl + route, { method: 'POST', headers, body })
    return { status: response.status, body: (await response.json()) as Asked['body'] }
  }
  beforeAll(async () => {
    server = await faultServer({ dialect, turns: [CALLING, { text: ['done'] }] })
    expect((await send(JSON.stringify(first))).status).toBe(200)
  })
  afterAll(() => server.close())
  return { send, violations: () => server.violations }
}

const go = { role: 'user', content: 'go' }

describe('a Chat Completions request', () => {
  const { send, violations } = conversation('openai-compatible', '/chat/completions')
  const call = (id: unknown, text: unknown = '{"n":1}'): object => ({
    id,
    type: 'function',
    function: { name: 'effect', arguments: text },
  })
  const calls = (...tool_calls: unknown[]): object => ({
    role: 'assistant',
    content: null,
    tool_calls,
  })
  const result = (tool_call_id: unknown, content: unknown = 'ok'): object => ({
    role: 'tool',
    tool_call_id,
    content,
  })
  const request = (messages: unknown[], rest: object = {}): string =>
    JSON.stringify({ model: 'm', messages, ...rest })

  const tool = (name: string, parameters: object = { type: 'object' }): object => ({
    type: 'function',
    function: { name, parameters },
  })
  const sound: Record<string, string> = {
    'one call and its result': request([go, calls(call('a')), result('a')]),
    'two results in another order': request([
      go,
      calls(call('a'), call('b')),
      result('b'),
      result('a'),
    ]),
    'an answer and a new question': request([
      { role: 'system', content: 'Be brief.' },
      go,
      calls(call('a', '{}')),
      result('a', [{ type: 'text', text: 'ok' }]),
      { role: 'assistant', content: 'done' },
      go,
    ]),
    'pairs of surrogates, escaped or not': request([
      go,
      calls(call('a')),
      result('a', '🎉'),
    ]).replace('"ok"', '"\\ud83c\\udf89"'),
    tools: request([go], { tools: [tool('effect'), tool('ping')] }),
  }
  it.each(Object.keys(sound))('is accepted: %s', async (name) => {
    const { status, body } = await send(sound[name]!)
    expect(body.error).toBeUndefined()
    expect(status).toBe(200)
  })

  const poisoned: Record<string, [string, string]> = {
    'no JSON': ['{', 'not a JSON object'],
    'no model': [request([go], { model: '' }), 'model'],
    'no messages': [request([]), 'non-empty'],
    'an unknown role': [request([{ role: 'robot', content: 'x' }]), 'unknown role'],
    'a question without content': [request([{ role: 'user' }]), 'missing'],
    'a call without type': [
      request([go, calls({ ...call('a'), type: undefined }), result('a')]),
      'no type',
    ],
    'a call without name': [
      request([go, calls({ ...call('a'), function: { arguments: '{}' } }), result('a')]),
      'is not valid',
    ],
    'an empty id': [request([go, calls(call('')), result('')]), 'no id'],
    'a blank id': [request([go, calls(call(' ')), result(' ')]), 'no id'],
    'no id': [request([go, calls(call(undefined)), result(undefined)]), 'no id'],
    'one id twice in a turn': [
      request([go, calls(call('a'), call('a')), result('a'), result('a')]),
      'used before',
    ],
    'one id again in a later turn': [
      request([go, calls(call('a')), result('a'), calls(call('a')), result('a')]),
      'used before',
    ],
    'no result': [request([go, calls(call('a'))]), 'no tool result'],
    'a missing result of two': [
      request([go, calls(call('a'), call('b')), result('a')]),
      'no tool result',
    ],
    'a result too many': [
      request([go, calls(call('a')), result('a'), result('a')]),
      'more than one',
    ],
    'a result of nothing': [
      request([go, calls(call('a')), result('a'), result('x')]),
      'not called',
    ],
    'a result that comes late': [
      request([go, calls(call('a')), go, result('a')]),
      'no tool result',
    ],
    'a result without a call': [request([go, result('a')]), 'must follow'],
    'a result without content': [request([go, calls(call('a')), result('a', null)]), 'missing'],
    'cut arguments': [
      request([go, calls(call('a', '{"n":1,"s":"un')), result('a')]),
      'no JSON object',
    ],
    'empty arguments': [request([go, calls(call('a', '')), result('a')]), 'no JSON object'],
    'arguments null': [request([go, calls(call('a', 'null')), result('a')]), 'no JSON object'],
    'arguments in an array': [
      request([go, calls(call('a', '[1]')), result('a')]),
      'no JSON object',
    ],
    'arguments as an object': [request([go, calls(call('a', {})), result('a')]), 'no JSON object'],
    'no calls in tool_calls': [request([go, calls()]), 'non-empty'],
    'an empty assistant message': [request([go, { role: 'assistant', content: null }]), 'missing'],
    'a lone surrogate': [request([go, calls(call('a')), result('a', 'x\ud83c')]), 'lone surrogate'],
    'a lone surrogate as an escape': [
      request([go, calls(call('a')), result('a')]).replace('"ok"', '"\\ud800x"'),
      'lone surrogate',
    ],
    'a lone surrogate in a key': [request([go], { metadata: { 'x\udc00': 1 } }), 'lone surrogate'],
    'two tools of one name': [request([go], { tools: [tool('a'), tool('a')] }), 'unique'],
    'a tool without object schema': [
      request([go], { tools: [tool('a', { type: 'string' })] }),
      'schema',
    ],
    'a tool with a strange name': [request([go], { tools: [tool('a b')] }), 'no valid name'],
  }
  it.each(Object.keys(poisoned))('is refused: %s', async (name) => {
    const [text, because] = poisoned[name]!
    const before = violations().length
    const { status, body } = await send(text)
    expect(status).toBe(400)
    expect(body.error?.type).toBe('invalid_request_error')
    expect(body.error?.message).toContain(because)
    expect(violations().length).toBeGreaterThan(before)
  })
})

describe('a Messages request', () => {
  const { send, violations } = conversation('anthropic', '/messages')
  const thought = { type: 'thinking', thinking: 'Hm.', signature: signatureOf('Hm.') }
  const call = (id: unknown, input: unknown = { n: 1 }): object => ({
    type: 'tool_use',
    id,
    name: 'effect',
    input,
  })
  const result = (tool_use_id: unknown, content: unknown = 'ok'): object => ({
    type: 'tool_result',
    tool_use_id,
    content,
  })
  const text = (words: string): object => ({ type: 'text', text: words })
  const said = (...content: unknown[]): object => ({ role: 'assistant', content })
  const told = (...content: unknown[]): object => ({ role: 'user', content })
  const request = (messages: unknown[], rest: object = {}): string =>
    JSON.stringify({ model: 'm', max_tokens: 9, messages, ...rest })

  const sound: Record<string, string> = {
    'one call and its result': request([go, said(thought, call('a')), told(result('a'))]),
    'results first, then text': request([
      go,
      said(thought, text('Let me.'), call('a'), call('b')),
      told(result('b'), result('a', [text('ok')]), text('Go on.')),
    ]),
    'an empty result': request([go, said(thought, call('a')), told(result('a', ''))]),
    'a later turn without its thought': request([
      go,
      said(thought, call('a')),
      told(result('a')),
      said(text('done')),
      go,
    ]),
    'a turn without calls may leave its thought out': request([go, said(text('Hello')), go]),
  }
  it.each(Object.keys(sound))('is accepted: %s', async (name) => {
    const { status, body } = await send(sound[name]!)
    expect(body.error).toBeUndefined()
    expect(status).toBe(200)
  })

  const after = (...blocks: unknown[]): string =>
    request([go, said(thought, call('a')), told(...blocks)])
  const called = (block: unknown, id: unknown = 'a'): string =>
    request([go, said(thought, block), told(result(id))])
  const poisoned: Record<string, [string, string]> = {
    'no JSON': ['{', 'not a JSON object'],
    'no model': [request([go], { model: '' }), 'model'],
    'a call without name': [called({ ...call('a'), name: '' }), 'is not valid'],
    'a result that is a number': [after(result('a', 7)), 'must be text or blocks'],
    'no max_tokens': [request([go], { max_tokens: undefined }), 'max_tokens'],
    'two user messages in a row': [request([go, go]), 'alternate'],
    'an assistant message first': [request([said(text('Hi'))]), 'alternate'],
    'a tool role': [request([go, said(text('Hi')), { role: 'tool', content: 'x' }]), 'alternate'],
    'no content': [request([go, said(), go]), 'empty'],
    'an empty text': [request([go, said(text('')), go]), 'non-empty'],
    'an empty string': [request([{ role: 'user', content: '' }]), 'non-empty'],
    'an empty text in a result': [after(result('a', [text('')])), 'non-empty'],
    'an empty id': [called(call(''), ''), 'not valid'],
    'no id': [called(call(undefined), undefined), 'not valid'],
    'one id twice': [
      request([go, said(thought, call('a'), call('a')), told(result('a'), result('a'))]),
      'unique',
    ],
    'one id again in a later turn': [
      request([
        go,
        said(thought, call('a')),
        told(result('a')),
        said(call('a')),
        told(result('a')),
      ]),
      'unique',
    ],
    'input as text': [called(call('a', '{"n":1}')), 'must be an object'],
    'input null': [called(call('a', null)), 'must be an object'],
    'input in an array': [called(call('a', [1])), 'must be an object'],
    'no result': [request([go, said(thought, call('a'))]), 'without tool_result'],
    'another message instead of the result': [after(text('Go on.')), 'no tool result'],
    'a result after text': [after(text('Here:'), result('a')), 'must come first'],
    'a result too many': [after(result('a'), result('a')), 'more than one'],
    'a result of nothing': [after(result('a'), result('x')), 'not called'],
    'a result without a call': [request([told(result('a'))]), 'not called'],
    'the thought left out': [request([go, said(call('a')), told(result('a'))]), 'must come first'],
    'the thought in another place': [
      request([go, said(call('a'), thought), told(result('a'))]),
      'must come first',
    ],
    'the thought changed': [
      request([go, said({ ...thought, thinking: 'Hm' }, call('a')), told(result('a'))]),
      'does not match',
    ],
    'the signature lost': [
      request([go, said({ type: 'thinking', thinking: 'Hm.' }, call('a')), told(result('a'))]),
      'does not match',
    ],
    'a lone surrogate': [after(result('a', 'x\ud83c')), 'lone surrogate'],
    'two tools of one name': [
      request([go], {
        tools: ['a', 'a'].map((name) => ({ name, input_schema: { type: 'object' } })),
      }),
      'unique',
    ],
  }
  it.each(Object.keys(poisoned))('is refused: %s', async (name) => {
    const [body, because] = poisoned[name]!
    const before = violations().length
    const answer = await send(body)
    expect(answer.status).toBe(400)
    expect(answer.body.error?.type).toBe('invalid_request_error')
    expect(answer.body.error?.message).toContain(because)
    expect(violations().length).toBeGreaterThan(before)
  })

  it('is refused without its version header', async () => {
    const { status } = await send(request([go]), { 'content-type': 'application/json' })
    expect(status).toBe(400)
  })
})

describe('a Responses request', () => {
  const { send, violations } = conversation('openai', '/responses')
  const thought = {
    type: 'reasoning',
    id: 'rs_1',
    summary: [{ type: 'summary_text', text: 'Hm.' }],
    encrypted_content: signatureOf('Hm.'),
  }
  const call = (call_id: unknown, text: unknown = '{"n":1}'): object => ({
    type: 'function_call',
    call_id,
    name: 'effect',
    arguments: text,
  })
  const result = (call_id: unknown, output: unknown = 'ok'): object => ({
    type: 'function_call_output',
    call_id,
    output,
  })
  const said = {
    type: 'message',
    role: 'assistant',
    content: [{ type: 'output_text', text: 'Hi' }],
  }
  const request = (input: unknown, rest: object = {}): string =>
    JSON.stringify({ model: 'm', input, ...rest })
  const tool = (name: string, rest: object = {}): object => ({
    type: 'function',
    name,
    parameters: { type: 'object' },
    strict: false,
    ...rest,
  })
  const closed = (required: string[]): object => ({
    type: 'object',
    properties: { n: { type: 'number' } },
    required,
    additionalProperties: false,
  })

  const sound: Record<string, string> = {
    'one text': request('go'),
    'one call and its result': request([go, thought, call('a'), result('a')]),
    'two results in another order, and a text between': request([
      go,
      thought,
      said,
      call('a'),
      call('b'),
      result('b', [{ type: 'input_text', text: 'ok' }]),
      result('a'),
    ]),
    'an answer without its thought, and a new question': request([go, said, go]),
    'a tool of the provider, and an item of it': request([go, { type: 'web_search_call' }], {
      tools: [{ type: 'web_search' }, tool('a', { strict: true, parameters: closed(['n']) })],
    }),
  }
  it.each(Object.keys(sound))('is accepted: %s', async (name) => {
    const { status, body } = await send(sound[name]!)
    expect(body.error).toBeNull()
    expect(status).toBe(200)
  })

  const after = (...items: unknown[]): string => request([go, thought, call('a'), ...items])
  const called = (item: unknown, id: unknown = 'a'): string =>
    request([go, thought, item, result(id)])
  const poisoned: Record<string, [string, string]> = {
    'no JSON': ['{', 'not a JSON object'],
    'no model': [request([go], { model: '' }), 'model'],
    'no input': [request([]), 'non-empty'],
    'an item without a type': [request([go, { text: 'x' }]), 'no content'],
    'an unknown role': [request([{ role: 'robot', content: 'x' }]), 'unknown role'],
    'a question without content': [request([{ role: 'user', content: [] }]), 'no content'],
    'content of another dialect': [
      request([{ role: 'user', content: [{ type: 'text', text: 'x' }] }]),
      'content of type "text"',
    ],
    'a text without text': [
      request([{ role: 'user', content: [{ type: 'input_text' }] }]),
      'without text',
    ],
    'an empty id': [called(call(''), ''), 'not valid'],
    'no id': [called(call(undefined), undefined), 'not valid'],
    'a long id': [called(call('x'.repeat(65)), 'x'.repeat(65)), 'not valid'],
    'one id twice': [after(call('a'), result('a'), result('a')), 'used before'],
    'one id again in a later turn': [after(result('a'), call('a'), result('a')), 'used before'],
    'no result': [after(), 'no tool result'],
    'a question instead of the result': [after(go, result('a')), 'no tool result'],
    'a result too many': [after(result('a'), result('a')), 'more than one'],
    'a result of nothing': [after(result('a'), result('x')), 'not called'],
    'a result before its call': [request([go, result('a'), thought, call('a')]), 'before its call'],
    'a result without output': [after(result('a', null)), 'no output'],
    'cut arguments': [called(call('a', '{"n":1,"s":"un')), 'no JSON object'],
    'arguments as an object': [called(call('a', {})), 'no JSON object'],
    'a call without a name': [called({ ...call('a'), name: '' }), 'no name'],
    'the thought left out': [request([go, call('a'), result('a')]), 'must come first'],
    'the thought in another place': [request([go, call('a'), thought, said, result('a')]), 'first'],
    'the thought changed': [
      request([go, { ...thought, summary: [] }, call('a'), result('a')]),
      'does not match',
    ],
    'a thought that leads to nothing': [request([go, thought, go]), 'has to follow'],
    'a thought at the end': [after(result('a'), thought), 'has to follow'],
    'a lone surrogate': [after(result('a', 'x\ud83c')), 'lone surrogate'],
    'two tools of one name': [request([go], { tools: [tool('a'), tool('a')] }), 'unique'],
    'a tool with a strange name': [request([go], { tools: [tool('a b')] }), 'no valid name'],
    'a tool without a schema': [
      request([go], { tools: [tool('a', { parameters: {} })] }),
      'schema',
    ],
    'a tool that does not say whether it is strict': [
      request([go], { tools: [tool('a', { strict: undefined })] }),
      'strict',
    ],
    'a strict tool with an optional property': [
      request([go], { tools: [tool('a', { strict: true, parameters: closed([]) })] }),
      'its schema is not',
    ],
    'a strict tool with an open object': [
      request([go], { tools: [tool('a', { strict: true })] }),
      'its schema is not',
    ],
  }
  it.each(Object.keys(poisoned))('is refused: %s', async (name) => {
    const [body, because] = poisoned[name]!
    const before = violations().length
    const answer = await send(body)
    expect(answer.status).toBe(400)
    expect(answer.body.error?.type).toBe('invalid_request_error')
    expect(answer.body.error?.message).toContain(because)
    expect(violations().length).toBeGreaterThan(before)
  })
})

describe('a Gemini request', () => {
  const asked = { role: 'user', parts: [{ text: 'go' }] }
  const first = { contents: [asked] }
  const { send, violations } = conversation('google', '/models/m:generateContent', first)
  const thoughtSignature = signatureOfTurn(CALLING)
  const call = (fields: object = {}): object => ({
    functionCall: { name: 'effect', args: { n: 1 }, ...fields },
  })
  const signed = (fields: object = {}): object => ({ ...call(fields), thoughtSignature })
  const foreign = signatureOfTurn({ toolCalls: [{ name: 'effect', arguments: ['{"n":2}'] }] })
  const result = (fields: object = {}): object => ({
    functionResponse: { name: 'effect', response: { output: 'ok' }, ...fields },
  })
  const said = (...parts: unknown[]): object => ({ role: 'model', parts })
  const told = (...parts: unknown[]): object => ({ role: 'user', parts })
  const request = (contents: unknown[], rest: object = {}): string =>
    JSON.stringify({ contents, ...rest })
  const round = (calls: readonly unknown[], results: readonly unknown[]): string =>
    request([asked, said(...calls), told(...results)])
  const tool = (name: string, parametersJsonSchema: object = { type: 'object' }): object => ({
    tools: [{ functionDeclarations: [{ name, parametersJsonSchema }] }],
  })

  const sound: Record<string, string> = {
    'one call and its result': round([signed()], [result()]),
    'a call and its result by id': round([signed({ id: 'a' })], [result({ id: 'a' })]),
    'two calls, of which the first is signed': round([signed(), call()], [result(), result()]),
    'results first, then text': round([signed()], [result(), { text: 'Go on.' }]),
    'a thought of this turn': round([{ text: 'Hm.', thought: true }, signed()], [result()]),
    'a call of somebody else, said to be so': request([
      asked,
      said(signed()),
      told(result()),
      said({ ...call(), thoughtSignature: 'skip_thought_signature_validator' }),
      told(result()),
    ]),
    'calls that another server signed': request([
      asked,
      said({ ...call(), thoughtSignature: foreign }),
      told(result()),
      said(signed()),
      told(result()),
      said({ ...call(), thoughtSignature: foreign }),
      told(result()),
    ]),
    'a call that two servers signed alike': request([
      asked,
      said(signed()),
      told(result()),
      said(signed()),
      told(result()),
    ]),
    'tools with dots in their names': request([asked], tool('shop.orders:list')),
    'all that may be said about a request': request([asked], {
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      generationConfig: { temperature: 0 },
      safetySettings: [],
    }),
  }
  it.each(Object.keys(sound))('is accepted: %s', async (name) => {
    const { status, body } = await send(sound[name]!)
    expect(body.error).toBeUndefined()
    expect(status).toBe(200)
  })

  const poisoned: Record<string, [string, string]> = {
    'no JSON': ['{', 'not a JSON object'],
    'no contents': [request([]), 'non-empty'],
    'an unknown field': [request([asked], { stream: true }), 'unknown field "stream"'],
    'two user contents in a row': [request([asked, asked]), 'alternate'],
    'the model first': [request([said({ text: 'Hi' })]), 'alternate'],
    'no parts': [request([asked, said(), asked]), 'must not be empty'],
    'an empty part': [request([told({})]), 'no data'],
    'an empty text': [request([told({ text: '' })]), 'must not be empty'],
    'no result': [request([asked, said(signed())]), 'without a result'],
    'another text instead of the result': [
      round([signed()], [{ text: 'Go on.' }]),
      '1 calls, but 0',
    ],
    'a result after text': [round([signed()], [{ text: 'x' }, result()]), 'must come first'],
    'a result too many': [round([signed()], [result(), result()]), '1 calls, but 2'],
    'a result of another name': [round([signed()], [result({ name: 'ping' })]), 'does not answer'],
    'a result of another id': [
      round([signed({ id: 'a' })], [result({ id: 'b' })]),
      'does not answer',
    ],
    'a result without its id': [round([signed({ id: 'a' })], [result()]), 'does not answer'],
    'a result that is text': [round([signed()], [result({ response: 'ok' })]), 'must be an object'],
    'one id twice': [
      round([signed({ id: 'a' }), call({ id: 'a' })], [result({ id: 'a' }), result({ id: 'a' })]),
      'unique',
    ],
    'an empty id': [round([signed({ id: '' })], [result({ id: '' })]), 'empty id'],
    'a call without name': [round([signed({ name: '' })], [result({ name: '' })]), 'no name'],
    'args as text': [round([signed({ args: '{}' })], [result()]), 'must be an object'],
    'the signature left out': [round([call()], [result()]), 'missing its thoughtSignature'],
    'the signature changed': [
      round([{ ...call(), thoughtSignature: 'x' }], [result()]),
      'a wrong thoughtSignature',
    ],
    'the signature of another server, changed': [
      round([{ ...call(), thoughtSignature: `${foreign.slice(0, -2)}a=` }], [result()]),
      'a wrong thoughtSignature',
    ],
    'the signature on another part': [
      round([{ text: 'Hm.', thoughtSignature }, call()], [result()]),
      'moved',
    ],
    'a lone surrogate': [round([signed()], [result({ response: { output: 'x\ud83c' } })]), 'lone'],
    'a tool with a strange name': [request([asked], tool('1st')), 'no valid name'],
    'a tool without object schema': [request([asked], tool('a', { type: 'string' })), 'schema'],
  }
  it.each(Object.keys(poisoned))('is refused: %s', async (name) => {
    const [text, because] = poisoned[name]!
    const before = violations().length
    const { status, body } = await send(text)
    expect(status).toBe(400)
    expect(body.error).toMatchObject({ status: 'INVALID_ARGUMENT' })
    expect(body.error?.message).toContain(because)
    expect(violations().length).toBeGreaterThan(before)
  })

  it('is refused without a key', async () => {
    const { status } = await send(request([asked]), { 'content-type': 'application/json' })
    expect(status).toBe(400)
  })
})

describe('a request to Ollama', () => {
  const { send, violations } = conversation('ollama', '/api/chat', {
    model: 'm',
    stream: false,
    messages: ASKED,
  })
  const call = (fields: object = {}, rest: object = {}): object => ({
    ...rest,
    function: { name: 'effect', arguments: { n: 1 }, ...fields },
  })
  const calls = (...tool_calls: unknown[]): object => ({
    role: 'assistant',
    content: '',
    thinking: 'Hm.',
    tool_calls,
  })
  const result = (rest: object = {}): object => ({
    role: 'tool',
    content: 'ok',
    tool_name: 'effect',
    ...rest,
  })
  const request = (messages: unknown[], rest: object = {}): string =>
    JSON.stringify({ model: 'm', stream: false, messages, ...rest })
  const tool = (name: string, parameters: object = { type: 'object' }): object => ({
    type: 'function',
    function: { name, parameters },
  })
  const asked = async (text: string): Promise<AskedOllama> => send(text)

  const sound: Record<string, string> = {
    'one call and its result': request([go, calls(call()), result()]),
    'calls with ids, answered in order': request([
      go,
      calls(call({}, { id: 'a' }), call({}, { id: 'b' })),
      result({ tool_call_id: 'a' }),
      result({ tool_call_id: 'b' }),
    ]),
    'an answer, an image and a new question': request([
      { role: 'system', content: 'Be brief.' },
      go,
      calls(call()),
      result({ images: ['aGk='] }),
      { role: 'assistant', content: 'done' },
      { ...go, images: ['aGk='] },
    ]),
    'everything it takes': request([go], {
      tools: [tool('effect'), tool('ping')],
      format: { type: 'object' },
      options: { temperature: 0 },
      think: 'low',
      keep_alive: '5m',
    }),
  }
  it.each(Object.keys(sound))('is accepted: %s', async (name) => {
    const { status, body } = await asked(sound[name]!)
    expect(body.error).toBeUndefined()
    expect(status).toBe(200)
  })

  const poisoned: Record<string, [string, string]> = {
    'no JSON': ['{', 'not a JSON object'],
    'no model': [request([go], { model: '' }), 'model: missing'],
    'no messages': [request([]), 'non-empty'],
    'a field of another API': [request([go], { tool_choice: 'auto' }), 'no such field'],
    'a stream that is a word': [request([go], { stream: 'yes' }), 'stream'],
    'a format that is a word': [request([go], { format: 'xml' }), 'format'],
    'options in a list': [request([go], { options: [] }), 'options'],
    'an unknown role': [request([{ role: 'robot', content: 'x' }]), 'unknown role'],
    'content in parts': [request([{ role: 'user', content: [] }]), 'content must be a string'],
    'content null': [request([go, { ...calls(call()), content: null }, result()]), 'content'],
    'an image with its type': [
      request([{ ...go, images: ['data:image/png;base64,aGk='] }]),
      'base64',
    ],
    'an image alone': [request([{ ...go, images: 'aGk=' }]), 'base64'],
    'arguments as text': [request([go, calls(call({ arguments: '{}' })), result()]), 'an object'],
    'arguments null': [request([go, calls(call({ arguments: null })), result()]), 'an object'],
    'a call without name': [request([go, calls(call({ name: '' })), result()]), 'no name'],
    'no calls in tool_calls': [request([go, calls()]), 'non-empty'],
    'no result': [request([go, calls(call())]), 'no tool result for effect'],
    'a result that comes late': [request([go, calls(call()), go, result()]), 'no tool result'],
    'a result too many': [request([go, calls(call()), result(), result()]), 'no call waits for'],
    'a result without a call': [request([go, result()]), 'no call waits for'],
    'a result of another tool': [
      request([go, calls(call()), result({ tool_name: 'ping' })]),
      'tool_name must be "effect"',
    ],
    'a result of another call': [
      request([go, calls(call({}, { id: 'a' })), result({ tool_call_id: 'b' })]),
      'tool_call_id must be "a"',
    ],
    'the thought left out': [
      request([go, { ...calls(call()), thinking: undefined }, result()]),
      'must come back',
    ],
    'a lone surrogate': [request([{ ...go, content: 'x\ud83c' }]), 'lone surrogate'],
    'an empty list of tools': [request([go], { tools: [] }), 'non-empty'],
    'two tools of one name': [request([go], { tools: [tool('a'), tool('a')] }), 'unique'],
    'a tool without object schema': [request([go], { tools: [tool('a', {})] }), 'schema'],
  }
  it.each(Object.keys(poisoned))('is refused: %s', async (name) => {
    const [text, because] = poisoned[name]!
    const before = violations().length
    const { status, body } = await asked(text)
    expect(status).toBe(400)
    expect(body.error).toContain(because)
    expect(violations().length).toBeGreaterThan(before)
  })
})
