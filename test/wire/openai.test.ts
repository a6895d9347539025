/**
 * OpenAI's own client as the judge of our reader: the same bytes, written after the public documentation, are
 * read by both and must say the same. And every item and event that the client knows has a place here.
 */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import OpenAI from 'openai'
import type {
  Response,
  ResponseOutputItem,
  ResponseStreamEvent,
} from 'openai/resources/responses/responses'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { textOf, toolCallsOf, type ChatModel, type ChatResponse } from 'toolwright'
import { openai } from 'toolwright/openai'
import { EVENT_HANDLERS } from '../../packages/toolwright/src/providers/openai/stream-converter.ts'

let server: Server
let reply: { readonly type: string; readonly body: string }
let sent: any
let model: ChatModel
let client: OpenAI

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    sent = JSON.parse(body)
    response.writeHead(200, { 'content-type': reply.type }).end(reply.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  model = openai('gpt-test', { baseUrl, apiKey: 'k', retry: false })
  client = new OpenAI({ baseURL: baseUrl, apiKey: 'k', maxRetries: 0 })
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const question = { role: 'user', content: 'Hi' } as const

/** What an answer comes to, in the words of neither. */
interface Gist {
  readonly text: string
  readonly calls: readonly { readonly id: string; readonly name: string; readonly args: string }[]
  readonly thoughts: readonly unknown[]
  readonly usage: readonly unknown[]
}

function ourGist(response: ChatResponse): Gist {
  const { content } = response.results[0]!.message
  const { inputTokens, outputTokens, totalTokens, cacheReadTokens, reasoningTokens } =
    response.usage
  return {
    text: textOf(response),
    calls: toolCallsOf(response).map(({ id, name, arguments: args }) => ({ id, name, args })),
    thoughts: (typeof content === 'string' ? [] : content).flatMap((part) =>
      part.type === 'reasoning' ? [part.providerData] : [],
    ),
    usage: [inputTokens, outputTokens, totalTokens, cacheReadTokens, reasoningTokens],
  }
}

function theirGist({ output, output_text: text, usage }: Response): Gist {
  return {
    text,
    calls: output.flatMap((item) =>
      item.type === 'function_call'
        ? [{ id: item.call_id, name: item.name, args: item.arguments }]
        : [],
    ),
    thoughts: output.filter(({ type }) => type === 'reasoning'),
    usage: [
      usage?.input_tokens,
      usage?.output_tokens,
      usage?.total_tokens,
      usage?.input_tokens_details.cached_tokens,
      usage?.output_tokens_details.reasoning_tokens,
    ],
  }
}

type Item = Record<string, any>
const message = (id: string, ...content: Item[]): Item => ({
  id,
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content,
})
const outputText = (text: string, annotations: Item[] = []): Item => ({
  type: 'output_text',
  text,
  annotations,
})
const call = (n: number, args: string): Item => ({
  id: `fc_${n}`,
  type: 'function_call',
  status: 'completed',
  arguments: args,
  call_id: `call_${n}`,
  name: 'get_weather',
})
const reasoning = (...summary: string[]): Item => ({
  id: 'rs_1',
  type: 'reasoning',
  summary: summary.map((text) => ({ type: 'summary_text', text })),
  encrypted_content: 'gAAAAA==',
})

const FIXTURES: Record<string, { output: Item[]; fields?: Item }> = {
  'a text': { output: [message('msg_1', outputText('Hello! Grüße, 東京 🎉'))] },
  'a thought, then a text in two parts': {
    output: [
      reasoning('**Greeting**\n\nBe kind.', 'Be brief.'),
      message('msg_1', outputText('Hello, '), outputText('you.')),
    ],
  },
  'calls side by side': {
    output: [
      reasoning(),
      call(1, '{"location":"Paris, France"}'),
      call(2, '{"location":"Bogotá"}'),
    ],
  },
  'a web search with citations': {
    output: [
      {
        id: 'ws_1',
        type: 'web_search_call',
        status: 'completed',
        action: { type: 'search', query: 'news' },
      },
      message(
        'msg_1',
        outputText('It rains.', [
          { type: 'url_citation', start_index: 0, end_index: 9, url: 'https://x', title: 'X' },
        ]),
      ),
    ],
  },
  'a text between calls, cut at the token limit': {
    output: [call(1, '{}'), message('msg_1', outputText('Now the')), call(2, '{"location":"P')],
    fields: { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
  },
  nothing: { output: [] },
}

function responseOf(output: readonly Item[], fields: Item = {}): Item {
  return {
    id: 'resp_1',
    object: 'response',
    created_at: 1_741_476_542,
    status: 'completed',
    error: null,
    incomplete_details: null,
    instructions: null,
    model: 'gpt-test',
    output,
    parallel_tool_calls: true,
    tool_choice: 'auto',
    tools: [],
    usage: {
      input_tokens: 36,
      input_tokens_details: { cached_tokens: 12 },
      output_tokens: 87,
      output_tokens_details: { reasoning_tokens: 64 },
      total_tokens: 123,
    },
    ...fields,
  }
}

const halves = (text: string): string[] => [
  text.slice(0, text.length >> 1),
  text.slice(text.length >> 1),
]

function itemEvents(item: Item, output_index: number): Item[] {
  const at = { item_id: item.id, output_index }
  const texts = (kind: string, text: string, index: Item): Item[] => [
    ...halves(text).map((delta) => ({ type: `${kind}.delta`, ...at, ...index, delta })),
    { type: `${kind}.done`, ...at, ...index, text },
  ]
  const inside: Item[] = []
  for (const [n, part] of (item.summary ?? []).entries())
    inside.push(
      {
        type: 'response.reasoning_summary_part.added',
        ...at,
        summary_index: n,
        part: { ...part, text: '' },
      },
      ...texts('response.reasoning_summary_text', part.text, { summary_index: n }),
      { type: 'response.reasoning_summary_part.done', ...at, summary_index: n, part },
    )
  for (const [n, part] of (item.content ?? []).entries())
    inside.push(
      {
        type: 'response.content_part.added',
        ...at,
        content_index: n,
        part: { ...part, text: '', annotations: [] },
      },
      ...texts('response.output_text', part.text, { content_index: n }),
      { type: 'response.content_part.done', ...at, content_index: n, part },
    )
  if (item.type === 'function_call')
    inside.push(
      ...halves(item.arguments).map((delta) => ({
        type: 'response.function_call_arguments.delta',
        ...at,
        delta,
      })),
      { type: 'response.function_call_arguments.done', ...at, arguments: item.arguments },
    )
  const start = {
    ...item,
    ...(item.status && { status: 'in_progress' }),
    ...(item.content && { content: [] }),
    ...(item.summary && { summary: [] }),
    ...(item.type === 'function_call' && { arguments: '' }),
  }
  return [
    { type: 'response.output_item.added', output_index, item: start },
    ...inside,
    { type: 'response.output_item.done', output_index, item },
  ]
}

function streamOf(output: readonly Item[], fields: Item = {}): string {
  const begun = { ...responseOf([], fields), status: 'in_progress', usage: null }
  const events: Item[] = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    ...output.flatMap(itemEvents),
    { type: `response.${fields.status ?? 'completed'}`, response: responseOf(output, fields) },
  ]
  return events
    .map((event, sequence_number) => ({ ...event, sequence_number }) as Item)
    .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('')
}

async function streamed(): Promise<ChatResponse> {
  for await (const event of model.stream({ messages: [question] }))
    if (event.type === 'response') return event.response
  throw new Error('no response')
}

describe("the same bytes, read by OpenAI's client and by openai()", () => {
  it.each(Object.keys(FIXTURES))('say the same, whole: %s', async (name) => {
    const { output, fields } = FIXTURES[name]!
    reply = { type: 'application/json', body: JSON.stringify(responseOf(output, fields)) }
    const theirs = await client.responses.create({ model: 'gpt-test', input: [question] })
    expect(ourGist(await model.call({ messages: [question] }))).toEqual(theirGist(theirs))
  })

  it.each(Object.keys(FIXTURES))('say the same, streamed: %s', async (name) => {
    const { output, fields } = FIXTURES[name]!
    reply = { type: 'text/event-stream', body: streamOf(output, fields) }
    const theirs = await client.responses
      .stream({ model: 'gpt-test', input: [question] })
      .finalResponse()
    const ours = await streamed()
    expect(ourGist(ours)).toEqual(theirGist(theirs))
    expect(ourGist(ours).text).toBe(
      output
        .flatMap((item) => item.content ?? [])
        .map(({ text }) => text)
        .join(''),
    )
  })
})

/** Every event that the client knows: what it is to us. The compiler finds one that is missing. */
const EVENTS: Record<ResponseStreamEvent['type'], 'read' | 'an error' | 'nothing'> = {
  'response.created': 'read',
  'response.in_progress': 'read',
  'response.queued': 'read',
  'response.completed': 'read',
  'response.incomplete': 'read',
  'response.failed': 'an error',
  error: 'an error',
  'response.output_item.added': 'read',
  'response.output_item.done': 'read',
  'response.content_part.added': 'read',
  'response.content_part.done': 'read',
  'response.output_text.delta': 'read',
  'response.output_text.done': 'read',
  'response.output_text.annotation.added': 'read',
  'response.refusal.delta': 'read',
  'response.refusal.done': 'read',
  'response.reasoning_text.delta': 'read',
  'response.reasoning_text.done': 'read',
  'response.reasoning_summary_part.added': 'read',
  'response.reasoning_summary_part.done': 'read',
  'response.reasoning_summary_text.delta': 'read',
  'response.reasoning_summary_text.done': 'read',
  'response.function_call_arguments.delta': 'read',
  'response.function_call_arguments.done': 'read',
  'response.custom_tool_call_input.delta': 'read',
  'response.custom_tool_call_input.done': 'read',
  'response.mcp_call_arguments.delta': 'read',
  'response.mcp_call_arguments.done': 'read',
  'response.code_interpreter_call_code.delta': 'read',
  'response.code_interpreter_call_code.done': 'read',
  // Progress, previews and pieces of what the whole item brings.
  'response.audio.delta': 'nothing',
  'response.audio.done': 'nothing',
  'response.audio.transcript.delta': 'nothing',
  'response.audio.transcript.done': 'nothing',
  'response.code_interpreter_call.in_progress': 'nothing',
  'response.code_interpreter_call.interpreting': 'nothing',
  'response.code_interpreter_call.completed': 'nothing',
  'response.file_search_call.in_progress': 'nothing',
  'response.file_search_call.searching': 'nothing',
  'response.file_search_call.completed': 'nothing',
  'response.web_search_call.in_progress': 'nothing',
  'response.web_search_call.searching': 'nothing',
  'response.web_search_call.completed': 'nothing',
  'response.image_generation_call.in_progress': 'nothing',
  'response.image_generation_call.generating': 'nothing',
  'response.image_generation_call.partial_image': 'nothing',
  'response.image_generation_call.completed': 'nothing',
  'response.mcp_call.in_progress': 'nothing',
  'response.mcp_call.completed': 'nothing',
  'response.mcp_call.failed': 'nothing',
  'response.mcp_list_tools.in_progress': 'nothing',
  'response.mcp_list_tools.completed': 'nothing',
  'response.mcp_list_tools.failed': 'nothing',
  'response.compaction.compacting': 'nothing',
  'response.shell_call_command.added': 'nothing',
  'response.shell_call_command.delta': 'nothing',
  'response.shell_call_command.done': 'nothing',
  'response.shell_call_output_content.delta': 'nothing',
  'response.shell_call_output_content.done': 'nothing',
}

/** Every item that the client knows: what it becomes. */
const ITEMS: Record<ResponseOutputItem['type'], 'text' | 'reasoning' | 'tool-call' | 'provider'> = {
  message: 'text',
  reasoning: 'reasoning',
  function_call: 'tool-call',
  function_call_output: 'provider',
  file_search_call: 'provider',
  web_search_call: 'provider',
  computer_call: 'provider',
  computer_call_output: 'provider',
  program: 'provider',
  program_output: 'provider',
  tool_search_call: 'provider',
  tool_search_output: 'provider',
  additional_tools: 'provider',
  compaction: 'provider',
  image_generation_call: 'provider',
  code_interpreter_call: 'provider',
  local_shell_call: 'provider',
  local_shell_call_output: 'provider',
  shell_call: 'provider',
  shell_call_output: 'provider',
  apply_patch_call: 'provider',
  apply_patch_call_output: 'provider',
  mcp_call: 'provider',
  mcp_list_tools: 'provider',
  mcp_approval_request: 'provider',
  mcp_approval_response: 'provider',
  custom_tool_call: 'provider',
  custom_tool_call_output: 'provider',
}

describe('everything that the client knows', () => {
  it.each(Object.keys(EVENTS) as (keyof typeof EVENTS)[])('has its place: event %s', (type) => {
    expect(EVENT_HANDLERS.has(type)).toBe(EVENTS[type] === 'read')
  })

  it.each(Object.keys(ITEMS) as (keyof typeof ITEMS)[])(
    'is read and goes back: item %s',
    async (type) => {
      const item: Item = {
        id: 'x_1',
        type,
        ...(type === 'message' && { role: 'assistant', content: [outputText('Hi')] }),
        ...(type === 'reasoning' && { summary: [] }),
        ...(type === 'function_call' && { call_id: 'call_1', name: 'f', arguments: '{}' }),
        ...(type === 'compaction' && { encrypted_content: 'x' }),
      }
      const output = type === 'reasoning' ? [item, call(1, '{}')] : [item]
      reply = { type: 'application/json', body: JSON.stringify(responseOf(output)) }
      const response = await model.call({ messages: [question] })
      const answered = response.results[0]!.message
      expect((answered.content as readonly { type: string }[])[0]!.type).toBe(ITEMS[type])
      reply = { type: 'text/event-stream', body: streamOf(output) }
      expect(await streamed()).toEqual(response)
      for await (const event of model.stream({ messages: [question, answered] }))
        expect(event).toBeDefined()
      expect(sent.input.slice(1)).toEqual(output)
    },
  )
})
