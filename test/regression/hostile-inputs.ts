/**
 * Every reader of what a model, a tool or a provider wrote, with each shape of input that is hard on it. One answer
 * must not stop the process, so none may do more work than in proportion to its input: `linear-readers.matrix.test.ts`
 * counts the steps of the library, `npm run bench -- readers` also measures what the engine does below them.
 */
import {
  ChatClient,
  loggingAdvisor,
  tool,
  type ChatModel,
  type Json,
  type Message,
  type ToolCall,
} from 'toolwright'
import { runAgent } from 'toolwright/agent'
import { anthropic } from 'toolwright/anthropic'
import { google } from 'toolwright/google'
import { openaiCompatible } from 'toolwright/openai'
import { scriptedModel, type ScriptedStep } from 'toolwright/testing'
import { keywordToolIndex, regexToolIndex } from 'toolwright/tool-search'
import { readTrace } from 'toolwright/trace'
import { FlowingText } from '../../packages/cli/src/terminal/flowing-text.ts'
import { printable } from '../../packages/cli/src/terminal/printable.ts'
import { parseMarkdown } from '../../packages/playground/page/src/parts/markdown.ts'
import { jsonIn } from '../../packages/toolwright/src/advisors/answer-format.ts'
import { OutputReader } from '../../packages/toolwright/src/agent/stream/output-reader.ts'
import { parseReference } from '../../packages/toolwright/src/agent/context/data-path.ts'
import { DataStore } from '../../packages/toolwright/src/agent/context/data-store.ts'
import { readContext } from '../../packages/toolwright/src/agent/context/read-message.ts'
import { renderContext } from '../../packages/toolwright/src/agent/context/render-context.ts'
import { fillTemplate } from '../../packages/toolwright/src/client/fill-template.ts'
import { redactKnown } from '../../packages/toolwright/src/errors/known-secrets.ts'
import { redact } from '../../packages/toolwright/src/errors/redact.ts'
import { canonicalJson } from '../../packages/toolwright/src/internal/canonical-json.ts'
import { nearestNames } from '../../packages/toolwright/src/internal/nearest-names.ts'
import { parseJson } from '../../packages/toolwright/src/internal/parse-json.ts'
import { CallIds } from '../../packages/toolwright/src/loop/call-ids.ts'
import { cleanHistory, isPaired } from '../../packages/toolwright/src/loop/history-builder.ts'
import { pairHistory } from '../../packages/toolwright/src/loop/pair-history.ts'
import { CallReader } from '../../packages/toolwright/src/model/prompted-tools/call-reader.ts'
import { AnswerEvents } from '../../packages/toolwright/src/providers/wire/answer-events.ts'
import { NdjsonParser } from '../../packages/toolwright/src/providers/wire/ndjson.ts'
import { SseParser } from '../../packages/toolwright/src/providers/wire/sse.ts'
import {
  ToolCallAssembler,
  type CallPiece,
} from '../../packages/toolwright/src/providers/wire/tool-call-assembler.ts'
import {
  argumentsOnWire,
  wellFormedJson,
} from '../../packages/toolwright/src/providers/wire/well-formed-json.ts'
import { FORMATS } from '../../packages/toolwright/src/schema/formats.ts'
import { compileInput } from '../../packages/toolwright/src/schema/input-schema.ts'
import type { JsonSchema } from '../../packages/toolwright/src/schema/json-schema.ts'
import { lowerFor } from '../../packages/toolwright/src/schema/lower-schema.ts'
import { JsonRaiser } from '../../packages/toolwright/src/schema/lowering/json-raiser.ts'
import { raiseText } from '../../packages/toolwright/src/schema/lowering/raise.ts'
import { raiseNulls } from '../../packages/toolwright/src/schema/raise-nulls.ts'
import { CallCounter } from '../../packages/toolwright/src/tool-calling/call-counter.ts'
import { cutOutput } from '../../packages/toolwright/src/tool-calling/cut-output.ts'
import { convertResult } from '../../packages/toolwright/src/tools/result-converter.ts'

/** A reader, and inputs that are hard on it. */
export interface HostileInput {
  readonly reader: string
  readonly name: string
  /** The smallest size worth looking at. */
  readonly from: number
  /** Makes an input of about this size. */
  readonly make: (size: number) => unknown
  readonly read: (input: unknown) => unknown
}

export const HOSTILE_INPUTS: HostileInput[] = []

type Row = Omit<HostileInput, 'reader'>

/** Characters; the largest text has sixteen times as many. */
const TEXT = 16_000
/** Pieces, calls or messages. */
const THINGS = 1_000

type MakeRow = <Input>(
  name: string,
  make: (size: number) => Input,
  read: (input: Input) => unknown,
) => Row

const rowFrom =
  (from: number): MakeRow =>
  (name, make, read) => ({ name, make, read: read as HostileInput['read'], from })

const row = rowFrom(THINGS)
const textRow = rowFrom(TEXT)

/** A row for each text that is repeated until it has the size. */
const texts = (
  name: string,
  repeated: readonly string[],
  read: (text: string) => unknown,
): readonly Row[] =>
  repeated.map((piece) => textRow(`${name} ${JSON.stringify(piece)}`, filledWith(piece), read))

const filledWith =
  (piece: string) =>
  (size: number): string =>
    piece.repeat(Math.ceil(size / piece.length))

const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_none, index) => make(index))

const settled = (work: Promise<unknown>): Promise<unknown> => work.catch(() => {})

function readers(reader: string, rows: readonly (Row | readonly Row[])[]): void {
  HOSTILE_INPUTS.push(...rows.flat().map((each) => ({ reader, ...each })))
}

readers('redaction', [
  texts(
    'reads',
    [
      '\n', ' ', 'a', '-', '"', '\\', '\\"', '\\n', 'sk-', 'sk-a ', 'key-', 'eyJ-', 'eyJ', 'eyJaaaaaaaa.', 'Bearer ',
      'Basic ', 'Basic a', 'password', 'password ', 'password=', 'password\\"', 'secret: "', 'Authorization: ', 'cookie:',
      '://', '://a:', '://a:b', ':a', '@', '&key=', '-----BEGIN PRIVATE KEY-----', 'xoxb-',
    ],
    redact,
  ), // prettier-ignore
  texts('follows', [' ', 'secret', '://a:', 'Bearer', 'eyJ'], (text) => redact(`secret${text} x`)),
  texts('takes known secrets out of', ['a', 'aaaaaaaaa ', 'a\n', 'a\\n', '\n', ' '], (text) =>
    redactKnown(text, ['aaaaaaaaaaaaaaaaaaaaaaaaaaab', 'a\nb']),
  ),
])

/** What is hard on a reader of calls in text. */
const CALL_TEXTS = [
  '<', '`', '[', ' ', '\n', '<tool_call>', '<tool_call>{', '<tool_call>{"', '<tool_call>{}', '<tool_call> ', '</tool_call>',
  '```', '```json\n', '```json\n<tool_', '[TOOL_CALLS]', '[TOOL_CALLS] [', '<tool_call>{"name":"a"}', '{', '\\', ',',
  '<tool_call>{"name":"a"}</tool_call>',
] // prettier-ignore

readers('calls written into text', [
  texts('in one piece:', CALL_TEXTS, (text) => {
    const reader = new CallReader()
    return [reader.push(text), reader.end()]
  }),
  texts('in small pieces:', CALL_TEXTS, (text) => {
    const reader = new CallReader()
    return [(text.match(/[^]{1,3}/g) ?? []).map((each) => reader.push(each)), reader.end()]
  }),
  texts('behind a call:', [' ', '\n', '`', ',', '<', '</', ' `'], (text) => {
    const reader = new CallReader()
    return [reader.push(`<tool_call>{"name":"a"}${text}x`), reader.end()]
  }),
  texts('inside a call:', ['[', '{', '"', '\\', '\\"', ':', ','], (text) => {
    const reader = new CallReader()
    return [reader.push(`<tool_call>{"name":"a","arguments":${text}}</tool_call>`), reader.end()]
  }),
])

readers('the answer parser', [
  texts(
    'reads',
    [
      '[', '{', ']', '}', '{[', '[1', '{"a":', '[[1,2', '{"', '"', '"a', '\\', '```', '```a', '<think>', ' ', '\n', 'a', '0',
    ],
    jsonIn,
  ), // prettier-ignore
  row('reads an escape after another', (n) => `["${'\\u0041'.repeat(n)}"]`, jsonIn),
  row(
    'reads one key after another',
    (n) => JSON.stringify(Object.fromEntries(many(n, (i) => [`k${i}`, i]))),
    jsonIn,
  ),
  textRow('reads long numbers', (n) => `[${'1'.repeat(n)}, 0.${'0'.repeat(n)}1]`, jsonIn),
  texts('stands behind entity():', ['[', '{', '```', '{"a":'], (text) =>
    settled(
      ChatClient.create(scriptedModel([text, text, text]))
        .prompt('Go')
        .call()
        .entity({ type: 'object', properties: { a: { type: 'string' } } }),
    ),
  ),
  texts('stands behind agents:', ['[', '{', '{"calls":['], (text) =>
    settled(
      runAgent({ model: scriptedModel([text, text, text]), maxTurns: 3 }, ANSWER, [
        { type: 'text', text: 'Go' },
      ]),
    ),
  ),
])

const ANSWER = { type: 'object', properties: { a: { type: 'string' } } } as const

readers('parsing arguments', [
  row('with keys', (n) => JSON.stringify(Object.fromEntries(many(n, (i) => [`k${i}`, i]))), parsed),
  textRow('with a long integer', (n) => `{"a":${'9'.repeat(n)}}`, parsed),
  textRow('with a small number', (n) => `{"a":0.${'0'.repeat(n)}1}`, parsed),
  row('with large exponents', (n) => `[${many(n, () => '1e-400').join()}]`, parsed),
  row('with strings', (n) => JSON.stringify(many(n, () => 'a"\\')), parsed),
  texts('that are no JSON:', ['[', '{', '"', '\\', ' '], parsed),
])

function parsed(text: string): unknown {
  return parseJson(text, { maxBytes: Infinity, maxDepth: 64 })
}

readers('putting calls together', [
  row('from pieces', (n) => many(n, (i) => piece(i === 0 && { id: 'a', name: 'x' })), assembled),
  row(
    'from pieces that all have the name',
    (n) => many(n, (i) => piece({ name: 'x', arguments: i === 0 ? '{"a":[' : '{"b":1}' })),
    assembled,
  ),
  row(
    'from pieces that all have the name and no index',
    (n) => many(n, (i) => ({ name: 'x', arguments: i === 0 ? '{"a":[' : '{"b":1}' })),
    assembled,
  ),
  row(
    'from pieces with other names',
    (n) => many(n, (i) => piece({ name: `x${i % 2}`, arguments: '' })),
    assembled,
  ),
  row('of many ids', (n) => [...many(n, idPiece('{')), ...many(n, idPiece('}'))], assembled),
  row(
    'of many indexes',
    (n) => many(n, (index) => ({ index, id: `i${index}`, name: 'x', arguments: '{}' })),
    assembled,
  ),
])

const piece = (more: Partial<CallPiece> | false): CallPiece => ({
  index: 0,
  arguments: '"aa":[1],',
  ...(more || {}),
})

const idPiece =
  (text: string) =>
  (index: number): CallPiece => ({
    id: `i${index}`,
    name: text === '{' ? 'x' : undefined,
    arguments: text,
  })

function assembled(pieces: readonly CallPiece[]): unknown {
  const assembler = new ToolCallAssembler(new AnswerEvents())
  for (const each of pieces) assembler.take(each)
  return assembler.finish()
}

/** A model whose provider sends these records as server-sent events. */
const streaming = (
  make: (options: { apiKey: string; baseUrl: string; transport: never }) => ChatModel,
  records: readonly object[],
): ChatModel =>
  make({
    apiKey: 'k',
    baseUrl: 'http://localhost:1/v1',
    transport: (async () => ({
      status: 200,
      header: () => undefined,
      body: bytesOf(records.map((record) => `data: ${JSON.stringify(record)}\n\n`)),
    })) as never,
  })

async function* bytesOf(lines: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const line of lines) yield new TextEncoder().encode(line)
}

async function readAll(model: ChatModel): Promise<void> {
  for await (const _event of model.stream({ messages: [{ role: 'user', content: 'Go' }] }));
}

const chatCompletions = (name: string, delta: (index: number) => object): Row =>
  row(
    `of chat completions: ${name}`,
    (n) => [
      ...many(n, (index) => ({ choices: [{ index: 0, ...delta(index) }] })),
      { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    ],
    (records) => settled(readAll(streaming((options) => openaiCompatible('m', options), records))),
  )

const messagesApi = (name: string, block: object, delta: (index: number) => object): Row =>
  row(
    `of messages: ${name}`,
    (n) => [
      { type: 'message_start', message: { id: 'm', content: [] } },
      { type: 'content_block_start', index: 0, content_block: block },
      ...many(n, (index) => delta(index)),
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
      { type: 'message_stop' },
    ],
    (records) => settled(readAll(streaming((options) => anthropic('m', options), records))),
  )

const gemini = (name: string, chunk: (index: number) => object): Row =>
  row(
    `of gemini: ${name}`,
    (n) => [
      { responseId: 'r', candidates: [{ content: { parts: [{ text: 'a' }] } }] },
      ...many(n, (index) => chunk(index)),
      { candidates: [{ finishReason: 'STOP' }] },
    ],
    (records) => settled(readAll(streaming((options) => google('m', options), records))),
  )
const saying = (part: object): object => ({ candidates: [{ content: { parts: [part] } }] })
const streamedArgument = (jsonPath: string): object =>
  saying({
    functionCall: {
      name: 'x',
      partialArgs: [{ jsonPath, stringValue: 'word ', willContinue: true }],
      willContinue: true,
    },
  })

const blockDelta = (delta: object): object => ({ type: 'content_block_delta', index: 0, delta })
const TEXT_BLOCK = { type: 'text', text: '' }

readers('a stream', [
  chatCompletions('text', () => ({ delta: { content: 'word ' } })),
  chatCompletions('a refusal', (i) => ({ delta: { refusal: `no ${i}` } })),
  chatCompletions('annotations', (i) => ({ delta: { annotations: [{ i }] } })),
  chatCompletions('fields of audio', (i) => ({
    delta: { audio: { data: `a${i}`, [`k${i}`]: 1 } },
  })),
  chatCompletions('log probabilities', (i) => ({ delta: {}, logprobs: { content: [{ i }] } })),
  chatCompletions('items of content', (i) => ({ delta: { content: [{ type: 'x', i }] } })),
  chatCompletions('custom calls', (i) => ({
    delta: { tool_calls: [{ type: 'custom', custom: { input: `${i}` } }] },
  })),
  chatCompletions('a name in every piece', (i) => ({
    delta: {
      tool_calls: [
        { index: 0, function: { name: 'x', arguments: i === 0 ? '{"a":[' : '{"b":1}' } },
      ],
    },
  })),
  chatCompletions('many calls', (i) => ({
    delta: { tool_calls: [{ index: i, id: `i${i}`, function: { name: 'x', arguments: '{}' } }] },
  })),
  messagesApi('text', TEXT_BLOCK, () => blockDelta({ type: 'text_delta', text: 'word ' })),
  messagesApi('citations', TEXT_BLOCK, (i) => blockDelta({ type: 'citations_delta', citation: i })),
  messagesApi('unknown deltas', TEXT_BLOCK, (i) => blockDelta({ type: 'x', list: [i], text: 'a' })),
  messagesApi('input', { type: 'tool_use', id: 'a', name: 'x', input: {} }, () =>
    blockDelta({ type: 'input_json_delta', partial_json: '"a":1,' }),
  ),
  messagesApi('fields of the message', TEXT_BLOCK, (i) => ({
    type: 'message_delta',
    delta: { [`k${i}`]: 1 },
    usage: { [`u${i}`]: 1 },
  })),
  messagesApi('blocks', TEXT_BLOCK, (i) => ({
    type: 'content_block_start',
    index: i + 1,
    content_block: TEXT_BLOCK,
  })),
  gemini('text', () => saying({ text: 'word ' })),
  gemini('signed text', (i) => saying({ text: 'word ', thoughtSignature: `${i}` })),
  gemini('calls', (i) => saying({ functionCall: { name: 'x', args: { i } } })),
  gemini('a streamed argument', () => streamedArgument('$.a')),
  gemini('streamed arguments', (i) => streamedArgument(`$.list[${i}]`)),
  gemini('counts and findings', (i) => ({
    usageMetadata: { [`u${i}`]: 1 },
    candidates: [{ [`k${i}`]: 1, groundingMetadata: { [`g${i}`]: 1 } }],
  })),
  gemini('candidates', (i) => ({ responseId: `${i}`, candidates: [{ index: i }] })),
  gemini('other answers after the end', (i) =>
    i === 0
      ? { candidates: many(1000, (index) => ({ index, finishReason: 'STOP' })) }
      : { responseId: `${i}`, candidates: [] },
  ),
])

const LIMITS = { provider: 'p', maxEventLength: 1e9, maxBodyBytes: 1e9 }

function lines(Parser: typeof SseParser | typeof NdjsonParser) {
  return (text: string): unknown => {
    const parser = new Parser(LIMITS)
    const bytes = new TextEncoder().encode(text)
    for (let at = 0; at < bytes.length; at += 3) parser.push(bytes.subarray(at, at + 3))
    return parser.end()
  }
}

readers('lines in tiny chunks', [
  texts(
    'of events:',
    ['a', 'ж', '\r', '\n', '\r\n', 'data: a\n', 'data: {}\n\n'],
    lines(SseParser),
  ),
  texts('of JSON:', ['a', 'ж', '\r', '\n', '{}\n'], lines(NdjsonParser)),
])

/** A provider that answers a question with this body. */
const answering = (status: number, body: string): ChatModel =>
  openaiCompatible('m', {
    baseUrl: 'http://localhost:1/v1',
    retry: false,
    transport: async () => ({ status, header: () => undefined, body: bytesOf([body]) }),
  })

const asked = (model: ChatModel): Promise<unknown> =>
  settled(model.call({ messages: [{ role: 'user', content: 'Go' }] }))

readers('a failure of a provider', [
  texts('with the body', ['\n', ' ', '[', '{', '"', '<', '<html>', 'a '], (text) =>
    asked(answering(500, text)),
  ),
  texts('with an answer that is no JSON:', ['\n', '[', '<', 'a '], (text) =>
    asked(answering(200, text)),
  ),
  texts('with the message', ['\n', 'a ', 'eyJ-', 'rate'], (text) =>
    asked(answering(200, JSON.stringify({ error: { message: text, type: text } }))),
  ),
  row(
    'with fields',
    (n) => JSON.stringify(Object.fromEntries(many(n, (i) => [`k${i}`, i]))),
    (text) => asked(answering(200, text)),
  ),
  row(
    'with extra items',
    (n) => many(n, (i) => ({ type: 'custom', id: `${i}` })),
    (calls) =>
      asked(answering(200, JSON.stringify({ choices: [{ message: { tool_calls: calls } }] }))),
  ),
])

const call = (id: number, more: Partial<ToolCall> = {}): ToolCall => ({
  type: 'tool-call',
  id: `c${id}`,
  name: 'x',
  arguments: '{}',
  ...more,
})

const fresh = (messages: readonly Message[]): readonly Message[] =>
  messages.map((message) => ({ ...message }))

readers('the history', [
  textRow(
    'with half characters',
    (n): Message[] => [{ role: 'user', content: '\ud800'.repeat(n) }],
    (messages) => cleanHistory(fresh(messages)),
  ),
  row(
    'with half characters in many messages',
    (n) => many(n, (): Message => ({ role: 'user', content: '\ud800' })),
    (messages) => cleanHistory(fresh(messages)),
  ),
  row(
    'with half characters in a deep value',
    (n): Message[] => [{ role: 'user', content: 'a', more: nested(n / 20) } as Message],
    (messages) => cleanHistory(fresh(messages)),
  ),
  row(
    'with escapes in arguments',
    (n): Message[] => [
      { role: 'assistant', content: [call(1, { arguments: `{"a":"${'\\u0041'.repeat(n)}"}` })] },
    ],
    (messages) => cleanHistory(fresh(messages)),
  ),
  row(
    'with many calls',
    (n): Message[] => [
      { role: 'assistant', content: many(n, (i) => call(i)) },
      { role: 'tool', responses: many(n, (i) => ({ id: `c${i}`, name: 'x', content: '' })) },
    ],
    isPaired,
  ),
  row(
    'with results that slipped',
    (n): Message[] => [
      { role: 'assistant', content: many(n, (i) => call(i)) },
      { role: 'tool', responses: many(n, (i) => ({ id: `c${n - i}`, name: 'x', content: '' })) },
    ],
    (messages) => pairHistory(messages),
  ),
  row(
    'with calls that all have one id',
    (n): Message[] => [{ role: 'assistant', content: many(n, () => call(1)) }],
    (messages) => pairHistory(messages),
  ),
  row(
    'with calls without results',
    (n) => many(n, (i): Message => ({ role: 'assistant', content: [call(i)] })),
    (messages) => pairHistory(messages),
  ),
  textRow('as JSON with half characters', filledWith('\ud800'), wellFormedJson),
  row(
    'as JSON with escapes',
    (n): ToolCall => ({ ...call(0), arguments: `{"a":"${'\\u0041'.repeat(n)}"}` }),
    argumentsOnWire,
  ),
])

const nested = (depth: number): Json =>
  many(Math.ceil(depth), String).reduce<Json>((inner) => ({ inner }), '\ud800')

/** One answer, and then a closing word. */
const run = (first: ScriptedStep, mode: 'call' | 'stream' = 'call'): Promise<unknown> => {
  const model = scriptedModel([first, 'Done.'])
  const client = ChatClient.create(model, { tools: [echo], limits: { callsTotal: 'unlimited' } })
  return settled(client.prompt('Go')[mode]().result())
}

const echo = tool({
  name: 'echo',
  input: { type: 'object', properties: { a: { type: 'array', items: { type: 'integer' } } } },
  execute: () => 'ok',
})

readers('a call', [
  texts('of a tool called', ['ab', 'A-', 'é'], (name) => run({ toolCalls: [{ name }] })),
  texts('with the arguments', ['[', '{', '"', '\\', '{"a":', '\n'], (rawArguments) =>
    run({ toolCalls: [{ name: 'echo', rawArguments }] }),
  ),
  row('beside many others', (n) => many(n, (i) => call(i)), named),
  row('beside others of its id', (n) => many(n, () => call(1)), named),
  row(
    'beside calls of tools that there are not',
    (n) => many(n, (i) => call(i, { name: `n${i}` })),
    counted,
  ),
  textRow('whose result is long', filledWith('ж'), (text) => cutOutput(text, 65_536)),
  textRow(
    'whose result has edges',
    (n) => `a${'\ufffd'.repeat(n)}a${'b'.repeat(n)}`,
    (text) => cutOutput(text, text.length),
  ),
  row(
    'whose result has parts',
    (n) => many(n, () => ({ type: 'text' as const, text: 'ж' })),
    (parts) => cutOutput(parts, 1e9),
  ),
  row('whose result is a list', (n) => many(n, (i) => ({ i, text: 'a' })), convertResult),
  textRow('whose result is bytes', (n) => new Uint8Array(n), convertResult),
  texts('whose error says', ['\n', ' ', 'eyJ-', 'a'], (message) =>
    settled(
      ChatClient.create(scriptedModel([{ toolCalls: [{ name: 'fail' }] }, 'Done.']), {
        tools: [
          tool({
            name: 'fail',
            execute() {
              throw new Error(message)
            },
          }),
        ],
      })
        .prompt('Go')
        .call()
        .result(),
    ),
  ),
])

function named(calls: readonly ToolCall[]): unknown {
  let made = 0
  const ids = new CallIds({ next: () => `made_${made++}` }, () => new Set())
  for (const { id, name } of calls) {
    ids.event({ type: 'tool-call-start', id, name })
    ids.event({ type: 'tool-call-delta', id, delta: '{}' })
  }
  for (const toolCall of calls) ids.event({ type: 'tool-call', toolCall })
  const message = { role: 'assistant' as const, content: calls }
  const results = [{ message, finishReason: 'tool-calls' as const, metadata: {} }]
  return ids.response({ results, usage: {}, metadata: {} })
}

function counted(calls: readonly ToolCall[]): unknown {
  const counter = new CallCounter({ callsPerTool: 40, callsTotal: 150, identicalCalls: 3 } as never)
  for (const each of calls) counter.refusal(each)
  return counter.counters
}

const coerced = (schema: JsonSchema) => (value: unknown) => compileInput(schema).coerce(value)
const LIST: JsonSchema = {
  type: 'object',
  properties: {
    a: { type: 'array', items: { type: 'object', properties: { n: { type: 'integer' } } } },
  },
}

readers('checking arguments', [
  row(
    'that are a list as text',
    (n) => ({ a: `[${many(n, () => '{"n":"1"}').join()}]` }),
    coerced(LIST),
  ),
  row('that are a list of texts', (n) => ({ a: many(n, () => '{"n":"1"}') }), coerced(LIST)),
  row('with unknown keys', (n) => Object.fromEntries(many(n, (i) => [`k${i}`, i])), coerced(LIST)),
  row(
    'with items that must differ',
    (n) => ({ a: many(n, (i) => ({ i })) }),
    coerced({ type: 'object', properties: { a: { type: 'array', uniqueItems: true } } }),
  ),
  row(
    'with alternatives',
    (n) => ({ a: many(n, () => ({ x: 1 })) }),
    coerced({
      type: 'object',
      properties: { a: { type: 'array', items: { anyOf: [{ type: 'string' }, LIST] } } },
    }),
  ),
  row(
    'with nulls',
    (n) => ({ a: many(n, () => ({ n: null })) }),
    (value) => raiseNulls(LIST, value),
  ),
  row(
    'by their canonical text',
    (n) => Object.fromEntries(many(n, (i) => [`k${i}`, i])),
    canonicalJson,
  ),
  Object.entries({
    email: ['a', 'a.', 'a@a.', 'a-', 'a@a-'],
    hostname: ['a', 'a.', 'a-'],
    uri: ['a', 'a:', '%41'],
    'date-time': ['0', '2020-01-01T00:00:00.0'],
    duration: ['P1', '1'],
    ipv6: ['a:', '::'],
    regex: ['(', 'a*'],
  }).flatMap(([format, pieces]) => texts(format, pieces, (text) => FORMATS[format]!(`${text}!`))),
])

const SHAPE: JsonSchema = {
  type: 'object',
  properties: {
    list: { type: 'array', items: { $ref: '#/$defs/node' } },
    map: { type: 'object', additionalProperties: { type: 'string' } },
    text: { type: 'string' },
  },
  additionalProperties: false,
  $defs: {
    node: {
      anyOf: [
        { type: 'object', properties: { kind: { const: 'a' }, x: { type: 'string' } }, required: ['kind'], additionalProperties: false }, // prettier-ignore
        { type: 'object', properties: { kind: { const: 'b' }, x: { type: ['string', 'null'] }, inner: { type: 'array', items: { $ref: '#/$defs/node' } } }, required: ['kind', 'x'], additionalProperties: false }, // prettier-ignore
      ],
    },
  },
}
const { raising: SHAPED } = lowerFor(SHAPE, 'openai-strict')
const inPieces = (text: string): string => {
  const raiser = new JsonRaiser(SHAPED)
  return Array.from(text, (piece) => raiser.push(piece)).join('') + raiser.end()
}

readers('raising what a model gave', [
  texts('as it comes', ['[', '{', '{"list":[', '{"map":', '{"text":"', '\\', '"', ' ', 'a', ',', 'null', ']', '}'], inPieces), // prettier-ignore
  row(
    'with alternatives',
    (n) => JSON.stringify({ list: many(n, () => ({ kind: 'a', x: null })), map: [], text: null }),
    (text) => [inPieces(text), raiseText(SHAPED, text)],
  ),
  row(
    'with alternatives inside each other',
    (n) => {
      const last = `{"kind":"b","x":null,"inner":null}`
      const deep = Math.min(n, 200)
      const one = `{"kind":"b","x":null,"inner":[`.repeat(deep) + last + ']}'.repeat(deep)
      return `{"list":[${many(n / 50, () => one).join()}],"map":null,"text":null}`
    },
    (text) => [inPieces(text), raiseText(SHAPED, text)],
  ),
  row(
    'with a map',
    (n) => JSON.stringify({ list: [], map: many(n, (i) => ({ key: `k${i}`, value: 'v' })), text: null }), // prettier-ignore
    (text) => [inPieces(text), raiseText(SHAPED, text)],
  ),
])

const data = (index: number, more: object = {}) =>
  ({ type: 'data', kind: 'k', data: { [`x${index}`]: index }, ...more }) as never

readers('the data of an agent', [
  texts('by the reference', ['†a', '†a.', '†a||', '†a.b||', '†a&& ', ' '], (text) =>
    parseReference(`†${text}`),
  ),
  row(
    'merged',
    (n) => readContext(many(n, (i) => data(i))),
    (entries) => new DataStore(entries).fold('k'),
  ),
  row(
    'pushed',
    (n) =>
      readContext(
        many(n, (i) =>
          data(i, {
            _outputMethod: 'push',
            data: { a: i },
            _call: { _tool: 'x', _outputPath: '†k.a' },
          }),
        ),
      ),
    (entries) => new DataStore(entries).fold('k'),
  ),
  texts(
    'in an output that streams:',
    ['[', '{', '"', '\\', '\\"', '{"a":', '1', '<think>', '"a",'],
    streamedOutput,
  ),
  row(
    'in an output that streams items',
    (n) => JSON.stringify(many(n, (i) => ({ i }))).slice(1, -1),
    streamedOutput,
  ),
  row('rendered, of one kind', (n) => readContext(many(n, (i) => data(i))), rendered),
  row(
    'rendered, of many kinds',
    (n) => readContext(many(n, (i) => data(i, { kind: `k${i}` }))),
    rendered,
  ),
  row(
    'rendered, of results',
    (n) => readContext(many(n, (i) => data(i, { kind: 'result' }))),
    rendered,
  ),
  row(
    'in an answer with many calls',
    (n) =>
      JSON.stringify({
        calls: many(n, (i) => ({ _tool: 'x', a: `†a.x${i}`, _outputPath: `†a.x${i + 1}` })),
        output: null,
      }),
    (answer) =>
      settled(
        runAgent({ model: scriptedModel([answer, answer, answer]), maxTurns: 3 }, ANSWER, [
          { type: 'tool', tool: { x: { type: 'object', properties: { a: {} }, _output: {} } } },
        ] as never),
      ),
  ),
])

function streamedOutput(text: string): void {
  const reader = new OutputReader({
    type: 'object',
    properties: { output: { type: 'array', items: {} } },
  })
  for (const piece of `{"output":[${text}`.match(/[^]{1,8}/g) ?? []) {
    reader.write(piece)
    reader.take()
  }
}

function rendered(entries: ReturnType<typeof readContext>): unknown {
  return renderContext(entries, 1000)
}

const REFERENCES = many(20, (i) => ({
  name: `get_weather_${i}`,
  description: 'The weather. '.repeat(40),
}))

const searched = (make: () => ReturnType<typeof keywordToolIndex>) => async (query: string) => {
  const index = make()
  await index.index('s', REFERENCES)
  return index.search({ session: 's', query })
}

readers('a search for tools', [
  texts('by words:', ['a ', 'aB', 'AAa', 'weather ', 'жЖ', '中', 'á '], searched(keywordToolIndex)),
  texts('by a pattern:', ['a', '*', '(a*)*', 'a b ', '\\', '[', 'a|'], searched(regexToolIndex)),
  texts('near to', ['ab', 'A-', 'é'], (text) => nearestNames(text, ['getWeather', 'abab'])),
])

/** A trace of one run, whose time moves on by 1 with each line. */
function traceOf(more: readonly (object | string)[]): string {
  const lines = [
    { type: 'trace', version: 1, content: false },
    { type: 'start', id: 0, kind: 'client', name: 'm', runId: 'r' },
    ...more,
  ]
  return lines
    .map((line, at) =>
      typeof line === 'string' ? line : JSON.stringify({ at, writer: 'w', ...line }),
    )
    .join('\n')
}

/** Of the client around it. */
const told = (event: object): object => ({ type: 'event', id: 0, event })

/** A call with what is told of it; the second half of them is made by the first. */
const tracedCall = (id: number, parent: number): readonly object[] => [
  { type: 'start', id, parent, kind: 'tool', name: 'x', callId: `c${id}` },
  told({ type: 'tool-execution-start', callId: `c${id}`, round: 1 }),
  told({ type: 'tool-progress', callId: `c${id}`, round: 1 }),
  told({ type: 'notice', code: 'a', callId: `c${id}`, parentCallId: `c${parent}`, round: 1 }),
  { type: 'end', id },
]

const tracedModel = (id: number, parent: number, round: number): readonly object[] => [
  { type: 'start', id, parent, kind: 'model', name: 'm', mode: 'stream', round },
  told({ type: 'deltas', of: 'text-delta', count: 2, round }),
]

readers('a trace', [
  row('of calls', (n) => traceOf(many(n, (i) => tracedCall(i + 1, 0)).flat()), readTrace),
  row(
    'of calls that one call made',
    (n) => traceOf(many(n, (i) => tracedCall(i + 1, i === 0 ? 0 : 1)).flat()),
    readTrace,
  ),
  row('of calls in calls', (n) => traceOf(many(n, (i) => tracedCall(i + 1, i)).flat()), readTrace),
  row(
    'of rounds',
    (n) =>
      traceOf(
        many(n, (i) => [
          { type: 'start', id: 2 * i + 1, parent: 0, kind: 'round', name: `${i}`, round: i },
          ...tracedModel(2 * i + 2, 2 * i + 1, i),
        ]).flat(),
      ),
    readTrace,
  ),
  row(
    'of rounds that all have one number',
    (n) =>
      traceOf(
        many(n, (i) => [
          { type: 'start', id: 2 * i + 1, parent: 0, kind: 'round', name: '1', round: 1 },
          ...tracedModel(2 * i + 2, 2 * i + 1, 1),
        ]).flat(),
      ),
    readTrace,
  ),
  row(
    'of models that are asked in one round',
    (n) => traceOf(many(n, (i) => tracedModel(i + 1, 0, 1)).flat()),
    readTrace,
  ),
  row(
    'of runs',
    (n) =>
      traceOf(
        many(n, (i) => [
          { type: 'start', id: i + 1, kind: 'client', name: 'm', runId: `r${i}` },
          { type: 'end', id: i + 1 },
        ]).flat(),
      ),
    readTrace,
  ),
  row(
    'of legs',
    (n) =>
      traceOf(
        many(n, (i) => ({ type: 'start', id: i + 1, kind: 'client', name: 'm', runId: 'r' })),
      ),
    readTrace,
  ),
  row('of torn lines', (n) => traceOf(many(n, () => '{"type":"start","id":1,"a":"b')), readTrace),
  texts('with a line of', ['\n', '{', '[', '"', '\\', ' ', '{"type":"trace",'], (text) =>
    readTrace(traceOf([text])),
  ),
])

const chunks = (text: string): ScriptedStep => ({ chunks: text.match(/[^]{1,8}/g) ?? [] })

readers('showing text', [
  texts('in the log:', ['\n', 'eyJ-', 'a'], (text) =>
    settled(
      ChatClient.create(scriptedModel([text]), {
        advisors: [loggingAdvisor({ logger: { debug() {}, info() {}, warn() {}, error() {} } })],
      })
        .prompt(text)
        .call()
        .content(),
    ),
  ),
  texts('in a template:', ['{', '{a', '{a}', '}'], (text) => fillTemplate(text, { a: 1 })),
  texts('as it streams:', ['a', '\n'], async (text) => {
    const client = ChatClient.create(scriptedModel([chunks(text)]), {
      toolCalling: { streamToolCallResponses: true },
    })
    for await (const _piece of client.prompt('Go').stream().content());
  }),
  texts('on a terminal:', ['\x1b[', '\x1b[0', '\r', '\n', '\x00', 'a', '\x9b1'], printable),
  texts('wrapped:', ['a', ' ', 'a ', '中', '\n', 'é'], (text) => {
    const flowing = new FlowingText({ width: () => 80, write() {} })
    for (const each of text.match(/[^]{1,8}/gu) ?? []) flowing.add(each)
    flowing.endLine()
  }),
])

/** A row for each shape of a line: what stands before, what is repeated, what stands behind. */
const lineRows = (shapes: readonly (readonly [string, string, string])[]): readonly Row[] =>
  shapes.map(([before, piece, behind]) =>
    textRow(
      `with a line of ${JSON.stringify(before)}, ${JSON.stringify(piece)} and ${JSON.stringify(behind)}`,
      (size) => `${before}${filledWith(piece)(size)}${behind}`,
      parseMarkdown,
    ),
  )

readers('Markdown in the page', [
  texts(
    'of',
    ['*', '`', '[', '[a', '](', '_', '> ', '- ', '**a', '|-\n', '1. ', '#', '~'],
    (text) => parseMarkdown(text),
  ),
  lineRows([
    ['# a', ' ', 'b'],
    ['# ', '#', 'b'],
    ['```', ' ', '`'],
    ['~', '~', '`'],
    ['```', '`', '\na\n```'],
    ['|\n-', ' ', 'x'],
    ['|\n', '-|', 'x'],
    ['- ', ' ', 'a\u2028'],
    ['-', ' ', 'x'],
    ['', '[a', '](b)'],
  ]),
  textRow(
    'with a table as wide as it is long',
    (size) => `${'|'.repeat(size / 4)}\n-\n${'|\n'.repeat(size / 4)}`,
    parseMarkdown,
  ),
])
