/**
 * The model everybody talks to: a process of its own on 127.0.0.1 that reads from the model's name
 * what to answer. Answers are made once and kept as Buffers, so that its own work stays small; its CPU
 * time is not part of any figure.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { chatAnswer, chatEvents, chatRound } from './mock-chat-completions.ts'
import { geminiAnswer, geminiEvents, geminiRound } from './mock-gemini.ts'
import { messagesAnswer, messagesEvents, messagesRound } from './mock-messages.ts'
import type { MockModel } from './mock-model.ts'
import { parseMockModel } from './mock-model.ts'
import { ollamaAnswer, ollamaLines, ollamaRound } from './mock-ollama.ts'
import { responsesAnswer, responsesEvents, responsesRound } from './mock-responses.ts'

interface Asked {
  readonly model: string
  readonly stream: boolean
}

interface Format {
  /** The whole path of a request, with its query. */
  readonly path: RegExp
  /** Where the path does not say it, the body does. */
  asked?(path: RegExpExecArray): Asked
  round(request: never): number
  answer(model: MockModel, round: number): string
  events(model: MockModel, round: number): string[]
  readonly streamType?: string
}

const FORMATS: readonly Format[] = [
  { path: /^\/v1\/chat\/completions$/, round: chatRound, answer: chatAnswer, events: chatEvents },
  {
    path: /^\/v1\/messages$/,
    round: messagesRound,
    answer: messagesAnswer,
    events: messagesEvents,
  },
  {
    path: /^\/v1\/responses$/,
    round: responsesRound,
    answer: responsesAnswer,
    events: responsesEvents,
  },
  {
    path: /^\/v1\/models\/([^:]+):(generateContent|streamGenerateContent\?alt=sse)$/,
    asked: ([, model = '', method = '']) => ({ model, stream: method.startsWith('stream') }),
    round: geminiRound,
    answer: geminiAnswer,
    events: geminiEvents,
  },
  {
    path: /^\/api\/chat$/,
    round: ollamaRound,
    answer: ollamaAnswer,
    events: ollamaLines,
    streamType: 'application/x-ndjson',
  },
]

/** Key to the socket writes of one answer. */
const answers = new Map<string, readonly Buffer[]>()

const server = createServer((request, response) => {
  reply(request, response).catch((error: unknown) => {
    console.error(error)
    response.destroy()
  })
})
server.keepAliveTimeout = 0
server.requestTimeout = 0
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address === null || typeof address === 'string')
    throw new Error('The mock server has no port')
  process.send?.({ port: address.port })
})
process.on('disconnect', () => process.exit())

async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url ?? ''
  const format = FORMATS.find((each) => each.path.test(path))
  if (format === undefined) return void response.writeHead(404).end()
  const body: unknown = JSON.parse(await textOf(request))
  const { model, stream: streamed } = format.asked?.(format.path.exec(path)!) ?? (body as Asked)
  const round = format.round(body as never)
  const key = `${path} ${model} ${round} ${streamed}`
  let writes = answers.get(key)
  if (writes === undefined)
    answers.set(key, (writes = socketWrites(format, model, { round, streamed })))
  if (streamed) return stream(response, writes, format.streamType ?? 'text/event-stream')
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': writes[0]!.length,
  })
  response.end(writes[0])
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

function socketWrites(
  format: Format,
  name: string,
  { round, streamed }: { round: number; streamed: boolean },
): Buffer[] {
  const model = parseMockModel(name)
  if (!streamed) return [Buffer.from(format.answer(model, round))]
  const events = format.events(model, round)
  const perWrite = model.eventsPerWrite || events.length
  const writes: Buffer[] = []
  for (let start = 0; start < events.length; start += perWrite) {
    writes.push(Buffer.from(events.slice(start, start + perWrite).join('')))
  }
  return writes
}

function stream(response: ServerResponse, writes: readonly Buffer[], type: string): void {
  response.writeHead(200, { 'content-type': type, 'cache-control': 'no-cache' })
  let next = 0
  const write = (): void => {
    if (response.destroyed) return
    if (next === writes.length) return void response.end()
    response.write(writes[next++])
    setImmediate(write)
  }
  write()
}
