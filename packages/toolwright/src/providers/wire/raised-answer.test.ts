/**
 * Answers to lowered schemas, through a whole adapter: what `call` gives, `stream` shows, however the text is cut. The
 * provider is a transport that answers the same question whole or in pieces.
 */
import { ChatClient, tool } from 'toolwright'
import { describe, expect, it } from 'vitest'
import type { ChatEvent } from '../../messages/chat-event.ts'
import type { ChatResponse } from '../../messages/chat-response.ts'
import type { ChatModel, ChatOptions } from '../../model/chat-model.ts'
import type { Transport } from '../../ports/transport.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import type { ToolDefinition } from '../../tools/tool-definition.ts'
import { openaiCompatible } from '../openai-compatible/openai-compatible.ts'

interface Said {
  readonly text?: string
  readonly call?: { readonly name: string; readonly arguments: string }
  readonly finishReason?: string
}

interface World {
  readonly model: ChatModel
  readonly bodies: any[]
}

/** A model that says these things, one per question; in a stream, in pieces of so many characters. */
function world(said: readonly Said[], size = 3): World {
  const bodies: any[] = []
  const transport: Transport = async ({ body }) => {
    const question = JSON.parse(body) as { stream?: boolean }
    const answer = said[bodies.length]!
    bodies.push(question)
    const isStream = question.stream === true
    const text = isStream ? streamOf(answer, size) : JSON.stringify(wholeOf(answer))
    const type = isStream ? 'text/event-stream' : 'application/json'
    return {
      status: 200,
      header: (name) => (name === 'content-type' ? type : undefined),
      body: (async function* () {
        yield new TextEncoder().encode(text)
      })(),
    }
  }
  const model = openaiCompatible('m', {
    baseUrl: 'http://127.0.0.1:1/v1',
    transport,
    retry: false,
    capabilities: { structuredOutput: true },
  })
  return { model, bodies }
}

const finish = ({ call, finishReason = call ? 'tool_calls' : 'stop' }: Said): string => finishReason

const wholeOf = (said: Said): object => ({
  choices: [
    {
      message: {
        role: 'assistant',
        content: said.text ?? null,
        ...(said.call && { tool_calls: [{ id: 'c1', type: 'function', function: said.call }] }),
      },
      finish_reason: finish(said),
    },
  ],
})

function streamOf(said: Said, size: number): string {
  const { text = '', call } = said
  const deltas: object[] = piecesOf(text, size).map((content) => ({ content }))
  if (call) {
    deltas.push({ tool_calls: [{ index: 0, id: 'c1', function: { name: call.name, arguments: '' } }] }) // prettier-ignore
    for (const piece of piecesOf(call.arguments, size))
      deltas.push({ tool_calls: [{ index: 0, function: { arguments: piece } }] })
  }
  const chunks = [
    ...deltas.map((delta) => ({ choices: [{ index: 0, delta }] })),
    { choices: [{ index: 0, delta: {}, finish_reason: finish(said) }] },
  ]
  return [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]']
    .map((data) => `data: ${data}\n\n`)
    .join('')
}

function piecesOf(text: string, size: number): string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, n) =>
    text.slice(n * size, (n + 1) * size),
  )
}

const prompt = (options: ChatOptions): { messages: []; options: ChatOptions } => ({
  messages: [],
  options,
})

async function streamed(model: ChatModel, options: ChatOptions): Promise<readonly ChatEvent[]> {
  const events: ChatEvent[] = []
  for await (const event of model.stream(prompt(options))) events.push(event)
  return events
}

const textOf = (events: readonly ChatEvent[]): string =>
  events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('')

const responseOf = (events: readonly ChatEvent[]): ChatResponse =>
  events.flatMap((event) => (event.type === 'response' ? [event.response] : []))[0]!

const contentOf = ({ results }: ChatResponse): unknown => results[0]!.message.content

const PERSON: JsonSchema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    nick: { type: 'string' },
    age: { type: 'number' },
    tags: { type: 'object', additionalProperties: { type: 'number' } },
    friends: {
      type: 'array',
      items: {
        type: 'object',
        properties: { name: { type: 'string' }, note: { type: 'string' } },
        required: ['name'],
        additionalProperties: false,
      },
    },
  },
  required: ['name', 'tags', 'friends'],
  additionalProperties: false,
}

const ROWS: readonly (readonly [string, JsonSchema, string, string])[] = [
  [
    'nulls for what is missing',
    PERSON,
    '{"nick": null, "name": "A \\"b\\" }", "age": null, "tags": [], "friends": [{"name": "x", "note": null}, {"name": "y", "note": "null"}]}',
    '{ "name": "A \\"b\\" }", "tags": {}, "friends": [{"name": "x"}, {"name": "y", "note": "null"}]}',
  ],
  [
    'a map, with every digit',
    PERSON,
    '{"name":"a","nick":"b","age":1.50,"tags":[{"key":"k","value":12345678901234567890}],"friends":[]}',
    '{"name":"a","nick":"b","age":1.50,"tags":{"k":12345678901234567890},"friends":[]}',
  ],
  [
    'a list at the top',
    { type: 'array', items: { type: 'string' } },
    '{"value": ["a", "b"]}\n',
    '["a", "b"]\n',
  ],
  [
    'an alternative',
    {
      type: 'object',
      properties: {
        shape: {
          anyOf: [
            { type: 'object', properties: { kind: { const: 'a' }, size: { type: 'number' } }, required: ['kind'], additionalProperties: false }, // prettier-ignore
            { type: 'object', properties: { kind: { const: 'b' }, size: { type: ['number', 'null'] } }, required: ['kind', 'size'], additionalProperties: false }, // prettier-ignore
          ],
        },
      },
      required: ['shape'],
      additionalProperties: false,
    },
    '{"shape":{"kind":"a","size":null}}',
    '{"shape":{"kind":"a"}}',
  ],
  [
    'an answer without the wrapper that was asked for',
    { anyOf: [{ type: 'string' }, { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false }] }, // prettier-ignore
    '{"a": "x"}',
    '{"a": "x"}',
  ],
  ['words instead of JSON', PERSON, 'I cannot "tell", null.', 'I cannot "tell", null.'],
  ['half an answer', PERSON, '{"nick":null,"name":"a', '{"name":"a'],
  ['an answer that breaks off in a map', PERSON, '{"tags":[{"key":"a"', '{"tags":[{"key":"a"'],
  ['what is no JSON any more', PERSON, '{"nick":null,"name" "a"}', '{"name" "a"}'],
]

describe('a structured answer', () => {
  it.each(ROWS)('%s: called and streamed alike', async (...row) => {
    const [, outputSchema, said, meant] = row
    const { model, bodies } = world([{ text: said }])
    expect(contentOf(await model.call(prompt({ outputSchema })))).toBe(meant)
    expect(bodies[0].response_format.json_schema.strict).toBe(true)
    for (const size of [1, 2, 7, 1000]) {
      const events = await streamed(world([{ text: said }], size).model, { outputSchema })
      expect(textOf(events)).toBe(meant)
      expect(contentOf(responseOf(events))).toBe(meant)
    }
  })

  it('is shown as it grows, and held back only where it must be', async () => {
    const text = '{"name":"Ada","nick":null,"age":1,"tags":[],"friends":[]}'
    const events = await streamed(world([{ text }], 5).model, { outputSchema: PERSON })
    const pieces = events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : []))
    expect(pieces.slice(0, 3)).toEqual(['{', '"name":"A', 'da"'])
    expect(pieces.length).toBeGreaterThan(5)
  })

  it('has as content() the same, called and streamed', async () => {
    const [, , said, meant] = ROWS[0]!
    const options = { outputSchema: PERSON }
    const ask = () => ChatClient.create(world([{ text: said }]).model).prompt('Who?').options(options) // prettier-ignore
    expect(await ask().call().content()).toBe(meant)
    let joined = ''
    for await (const piece of ask().stream().content()) joined += piece
    expect(joined).toBe(meant)
  })

  it('that breaks off carries what was shown', async () => {
    const broken: Transport = async () => ({
      status: 200,
      header: (name) => (name === 'content-type' ? 'text/event-stream' : undefined),
      body: (async function* () {
        const delta = { content: '{"nick":null,"name":"a' }
        yield new TextEncoder().encode(`data: ${JSON.stringify({ choices: [{ delta }] })}\n\n`)
      })(),
    })
    const model = openaiCompatible('m', {
      baseUrl: 'http://127.0.0.1:1/v1',
      transport: broken,
      retry: false,
      capabilities: { structuredOutput: true },
    })
    await expect(streamed(model, { outputSchema: PERSON })).rejects.toMatchObject({
      code: 'incomplete-stream',
      partial: '{"name":"a',
    })
  })

  it('to a schema that would lose something is asked for without strict, and left alone', async () => {
    const outputSchema: JsonSchema = { type: 'object', properties: { any: {} } }
    const { model, bodies } = world([{ text: '{"any":null}' }])
    expect(contentOf(await model.call(prompt({ outputSchema })))).toBe('{"any":null}')
    expect(bodies[0].response_format.json_schema).toEqual({ name: 'answer', schema: outputSchema })
  })
})

describe('a call of a lowered tool', () => {
  const definition: ToolDefinition = {
    name: 'save',
    description: 'Saves',
    inputSchema: PERSON,
    providerOptions: { 'openai-compatible': { strict: true } },
  }
  const save = { definition, call: async () => '' }
  const said =
    '{"name":"a","nick":null,"age":9007199254740991,"tags":[{"key":"k","value":1.10}],"friends":[]}'
  const meant = '{"name":"a","age":9007199254740991,"tags":{"k":1.10},"friends":[]}'
  const callsOf = ({ results }: ChatResponse): unknown =>
    (results[0]!.message.content as readonly { type: string; arguments?: string }[]).flatMap(
      (part) => (part.type === 'tool-call' ? [part.arguments] : []),
    )

  it('has the arguments that the tool declared, called and streamed', async () => {
    const { model, bodies } = world([{ call: { name: 'save', arguments: said } }])
    expect(callsOf(await model.call(prompt({ tools: [save] })))).toEqual([meant])
    expect(bodies[0].tools[0].function).toMatchObject({
      strict: true,
      parameters: { required: ['name', 'nick', 'age', 'tags', 'friends'] },
    })
    const events = await streamed(world([{ call: { name: 'save', arguments: said } }]).model, {
      tools: [save],
    })
    expect(callsOf(responseOf(events))).toEqual([meant])
    const told = events.flatMap((event) => (event.type === 'tool-call' ? [event.toolCall] : []))
    expect(told.map((call) => call.arguments)).toEqual([meant])
    // The deltas are what the model writes.
    const deltas = events.map((event) => (event.type === 'tool-call-delta' ? event.delta : ''))
    expect(deltas.join('')).toBe(said)
  })

  it.each([
    ['cut off', '{"name":"a","nick":null'],
    ['with a number that would be rounded', '{"name":"a","nick":null,"age":9007199254740993}'],
    ['with a key twice', '{"nick":null,"nick":null}'],
    ['of another shape', '[null]'],
  ])('keeps arguments as they came that its own check refuses: %s', async (_what, json) => {
    const call = { name: 'save', arguments: json }
    const { model } = world([{ call }])
    expect(callsOf(await model.call(prompt({ tools: [save] })))).toEqual([json])
    const events = await streamed(world([{ call }]).model, { tools: [save] })
    expect(callsOf(responseOf(events))).toEqual([json])
  })

  it('reaches the tool, and is sent as declared where strict was not asked for', async () => {
    const inputs: unknown[] = []
    const make = (strict: boolean) =>
      tool({
        name: 'save',
        description: 'Saves',
        input: PERSON,
        ...(strict && { providerOptions: { 'openai-compatible': { strict: true } } }),
        execute: (input: unknown) => {
          inputs.push(input)
          return 'ok'
        },
      })
    for (const [strict, json] of [
      [true, said],
      [false, meant],
    ] as const) {
      // prettier-ignore
      for (const mode of ['call', 'stream'] as const) {
        const { model, bodies } = world([{ call: { name: 'save', arguments: json } }, { text: 'done' }]) // prettier-ignore
        const request = ChatClient.create(model).prompt('Save').tools(make(strict))
        if (mode === 'call') await request.call().content()
        else for await (const _piece of request.stream().content());
        expect(bodies[0].tools[0].function.strict).toBe(strict ? true : undefined)
      }
    }
    expect(inputs).toHaveLength(4)
    for (const input of inputs) expect(input).toEqual(JSON.parse(meant))
  })
})
