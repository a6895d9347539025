/** A chat route and the page that reads it: text as it comes, the result of a tool, typed, and a failure. */
import assert from 'node:assert/strict'
import {
  convertToModelMessages,
  DefaultChatTransport,
  readUIMessageStream,
  stepCountIs,
  streamText,
  tool,
  type InferUITools,
  type UIDataTypes,
  type UIMessage,
} from 'ai'
import { z } from 'zod'
import { aiSdkModel } from '../shared/models.ts'

// The server.
const weather = tool({
  description: 'The weather of a city',
  inputSchema: z.object({ city: z.string() }),
  execute: ({ city }) => ({ city, celsius: -3 }),
})
const tools = { weather }
const asks = { call: 'weather', input: '{"city":"Oslo"}' }
const down = { fails: 'The provider is down.' }
const models = [aiSdkModel([asks, 'It is cold.']), aiSdkModel([asks, down])]

async function POST(request: Request): Promise<Response> {
  const { messages } = (await request.json()) as { messages: UIMessage[] }
  const result = streamText({
    model: models.shift()!,
    messages: await convertToModelMessages(messages),
    tools,
    stopWhen: stepCountIs(20),
    abortSignal: request.signal,
    onError: () => {},
  })
  return result.toUIMessageStreamResponse()
}

// The page. In React, useChat<PageMessage>() reads the stream.
type PageMessage = UIMessage<unknown, UIDataTypes, InferUITools<typeof tools>>

const transport = new DefaultChatTransport<PageMessage>({
  api: 'http://page.test/chat',
  fetch: (url, init) => POST(new Request(url, init)),
})

async function read(prompt: string): Promise<string[]> {
  const shown: string[] = []
  const message: PageMessage = { id: '1', role: 'user', parts: [{ type: 'text', text: prompt }] }
  const stream = await transport.sendMessages({
    trigger: 'submit-message',
    chatId: '1',
    messageId: undefined,
    messages: [message],
    abortSignal: undefined,
  })
  let answer: PageMessage | undefined
  const onError = (error: unknown): void => void shown.push(`failed: ${String(error)}`)
  for await (const now of readUIMessageStream<PageMessage>({ stream, onError })) answer = now
  for (const part of answer?.parts ?? []) {
    if (part.type === 'text') shown.push(part.text)
    if (part.type === 'tool-weather' && part.state === 'output-available')
      shown.push(`${part.output.city} has ${part.output.celsius.toFixed(1)} °C`)
  }
  return shown
}

const shown = await read('How is Oslo?')
console.log(shown)
console.log(await read('And now?'))
assert.deepEqual(shown, ['Oslo has -3.0 °C', 'It is cold.'])
