/**
 * One process that streams the same answer to a page through `toUiMessageStream` and through the AI SDK's own
 * `toUIMessageStreamResponse`. The models are arrays in memory, and the AI SDK's is the cheapest that it takes.
 */
import { streamText as streamText6 } from 'ai'
import { streamText as streamText7 } from 'ai-v7'
import { ChatClient, type ChatModel } from 'toolwright'
import { toUiMessageStream } from 'toolwright/ui'
import { answerQuestions } from '../../../test/processes/asked-process.ts'

export type Contender = 'toolwright' | 'toolwright again' | 'ai 6' | 'ai 7'

/** `at once`: as fast as they are read. `one by one`: each delta in a turn of the event loop of its own, as from a network. */
export type Arrival = 'at once' | 'one by one'

export interface Streaming {
  readonly of: Contender
  readonly arrival: Arrival
  readonly streams: number
}

export interface StreamTask {
  readonly deltas: number
}

export type StreamAnswers = {
  /** Microseconds of CPU time for one stream. */
  readonly cpu: (asked: Streaming) => Promise<number>
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

void answerQuestions(async () => {
  const { deltas } = JSON.parse(process.argv[2]!) as StreamTask
  const words = Array.from({ length: deltas }, (_, n) => `word${n} `)
  const length = words.join('').length

  const ours = (arrival: Arrival): Response => {
    const client = ChatClient.create(modelOf(words, arrival))
    return toUiMessageStream(client.prompt('Tell me').stream())
  }
  const theirs = (streamText: typeof streamText7, version: 'v3' | 'v4') => (arrival: Arrival) =>
    streamText({
      model: aiModelOf(words, { version, arrival }) as never,
      prompt: 'Tell me',
    }).toUIMessageStreamResponse()
  const contenders: { readonly [name in Contender]: (arrival: Arrival) => Response } = {
    toolwright: ours,
    'toolwright again': ours,
    'ai 6': theirs(streamText6 as never, 'v3'),
    'ai 7': theirs(streamText7, 'v4'),
  }
  return {
    cpu: async ({ of, arrival, streams }: Streaming) => {
      const before = process.cpuUsage()
      for (let stream = 0; stream < streams; stream++)
        await readAll(contenders[of](arrival), length)
      const { user, system } = process.cpuUsage(before)
      return (user + system) / streams
    },
  }
})

/** Reads as a server does: piece by piece. Half of a stream would be half of the work. */
async function readAll(response: Response, length: number): Promise<void> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const piece of response.body!) text += decoder.decode(piece, { stream: true })
  const said = Array.from(text.matchAll(/"delta":"([^"]*)"/g), ([, delta]) => delta!.length)
  const total = said.reduce((sum, each) => sum + each, 0)
  if (total !== length || !text.endsWith('data: [DONE]\n\n'))
    throw new Error(`The stream has ${total} characters of ${length}.`)
}

function modelOf(words: readonly string[], arrival: Arrival): ChatModel {
  const message = { role: 'assistant', content: words.join('') } as const
  const results = [{ message, finishReason: 'stop', metadata: {} }] as const
  const response = { results, usage: {}, metadata: {} }
  return {
    provider: 'memory',
    model: 'memory',
    capabilities: {},
    options: {},
    call: async () => response,
    async *stream() {
      for (const text of words) {
        if (arrival === 'one by one') await turn()
        yield { type: 'text-delta', text }
      }
      yield { type: 'response', response }
    },
  }
}

interface AiModelOf {
  readonly version: 'v3' | 'v4'
  readonly arrival: Arrival
}

function aiModelOf(words: readonly string[], { version, arrival }: AiModelOf): object {
  const count = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0, text: 1, reasoning: 0 }
  const parts = [
    { type: 'stream-start', warnings: [] },
    { type: 'text-start', id: '1' },
    ...words.map((delta) => ({ type: 'text-delta', id: '1', delta })),
    { type: 'text-end', id: '1' },
    {
      type: 'finish',
      finishReason: { unified: 'stop', raw: 'stop' },
      usage: { inputTokens: count, outputTokens: count },
    },
  ]
  const atOnce = (controller: ReadableStreamDefaultController): void => {
    for (const part of parts) controller.enqueue(part)
    controller.close()
  }
  let next = 0
  const oneByOne = async (controller: ReadableStreamDefaultController): Promise<void> => {
    await turn()
    controller.enqueue(parts[next++])
    if (next === parts.length) controller.close()
  }
  return {
    specificationVersion: version,
    provider: 'memory',
    modelId: 'memory',
    supportedUrls: {},
    doStream: async () => ({
      stream: new ReadableStream(arrival === 'at once' ? { start: atOnce } : { pull: oneByOne }),
    }),
  }
}
