/** A chat route and the page that reads it: text as it comes, the result of a tool, typed, and a failure. */
import assert from 'node:assert/strict'
import { ChatClient, fromUntrustedMessages, tool, type PublicEvent } from 'toolwright'
import { z } from 'zod'
import { toolwrightModel } from '../shared/models.ts'

// Both sides know what the tool returns.
const Weather = z.object({ city: z.string(), celsius: z.number() })

// The server.
const weather = tool({
  name: 'weather',
  description: 'The weather of a city',
  input: z.object({ city: z.string() }),
  output: Weather,
  execute: ({ city }) => ({ city, celsius: -3 }),
})
const asks = { call: 'weather', input: '{"city":"Oslo"}' }
const down = { fails: 'The provider is down.' }
const models = [toolwrightModel([asks, 'It is cold.']), toolwrightModel([asks, down])]

async function POST(request: Request): Promise<Response> {
  const { messages } = (await request.json()) as { messages: unknown }
  const run = ChatClient.create(models.shift()!, { tools: [weather] })
    .prompt(fromUntrustedMessages(messages))
    .signal(request.signal)
    .stream()
  return new Response(run.toReadableStream())
}

// The page.
async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<PublicEvent> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
    rest = lines.pop()!
    for (const line of lines) yield JSON.parse(line) as PublicEvent
  }
}

async function read(content: string): Promise<string[]> {
  const shown: string[] = []
  const body = JSON.stringify({ messages: [{ role: 'user', content }] })
  const response = await POST(new Request('http://page.test/chat', { method: 'POST', body }))
  let text = ''
  for await (const line of linesOf(response.body!)) {
    if (line.type === 'text-delta') text += line.text
    if (line.type === 'tool-result' && line.toolCall.name === 'weather') {
      const { city, celsius } = Weather.parse(JSON.parse(String(line.response.content)))
      shown.push(`${city} has ${celsius.toFixed(1)} °C`)
    }
    if (line.type === 'error') shown.push(`failed: ${line.code}`)
  }
  return text === '' ? shown : [...shown, text]
}

const shown = await read('How is Oslo?')
console.log(shown)
console.log(await read('And now?'))
assert.deepEqual(shown, ['Oslo has -3.0 °C', 'It is cold.'])
