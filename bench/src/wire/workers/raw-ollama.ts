/** The hand-written loop on the format of Ollama's /api/chat, by the global fetch. */
import { ORIGIN, serveRawLoop, type RawRound } from './raw-loop.ts'
import { INPUT_SCHEMA, QUESTION, TOOL_DESCRIPTION, type WeatherInput } from './weather.ts'

interface Call {
  readonly function: { readonly name: string; readonly arguments: WeatherInput }
}
interface Message {
  readonly role: string
  readonly content: string
  readonly tool_calls?: readonly Call[]
  readonly tool_name?: string
}
interface Line {
  readonly message: Message
}

serveRawLoop<Message>({
  url: () => `${ORIGIN}/api/chat`,
  tool: (name) => ({
    type: 'function',
    function: { name, description: TOOL_DESCRIPTION, parameters: INPUT_SCHEMA },
  }),
  question: { role: 'user', content: QUESTION },
  body: (messages, { model, stream, tools }) =>
    `{"model":"${model}","messages":${JSON.stringify(messages)},"tools":${tools},"stream":${stream}}`,
  whole: (answer) => roundOf((answer as Line).message),
  async streamed(chunks) {
    const calls: Call[] = []
    let content = ''
    for await (const line of linesOf(chunks)) {
      const { message } = JSON.parse(line) as Line
      content += message.content
      if (message.tool_calls) calls.push(...message.tool_calls)
    }
    return roundOf({ role: 'assistant', content, tool_calls: calls })
  },
  results: (calls, outputs) =>
    calls.map(({ name }, index) => ({
      role: 'tool',
      tool_name: name,
      content: JSON.stringify(outputs[index]),
    })),
})

async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}

function roundOf(message: Message): RawRound<Message> {
  const calls = (message.tool_calls ?? []).map(({ function: called }) => ({
    id: '',
    name: called.name,
    input: called.arguments,
  }))
  return { items: [message], calls, text: message.content }
}
