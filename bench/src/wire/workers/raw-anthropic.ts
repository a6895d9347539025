/** The hand-written loop on the Messages format, by the global fetch. */
import { BASE_URL } from './post.ts'
import { serveRawLoop, type RawRound } from './raw-loop.ts'
import { readSse } from './read-sse.ts'
import { INPUT_SCHEMA, QUESTION, TOOL_DESCRIPTION, type WeatherInput } from './weather.ts'

interface TextBlock {
  type: 'text'
  text: string
}
interface ToolUse {
  type: 'tool_use'
  id: string
  name: string
  input: WeatherInput
}
interface ToolResult {
  type: 'tool_result'
  tool_use_id: string
  content: string
}
type Block = TextBlock | ToolUse
interface Message {
  readonly role: 'user' | 'assistant'
  readonly content: string | readonly (Block | ToolResult)[]
}
interface Event {
  readonly type: string
  readonly content_block?: Block
  readonly delta?: { readonly text?: string; readonly partial_json?: string }
}

serveRawLoop<Message>({
  headers: { 'x-api-key': 'bench', 'anthropic-version': '2023-06-01' },
  url: () => `${BASE_URL}/messages`,
  tool: (name) => ({ name, description: TOOL_DESCRIPTION, input_schema: INPUT_SCHEMA }),
  question: { role: 'user', content: QUESTION },
  body: (messages, { model, stream, tools }) =>
    `{"model":"${model}","messages":${JSON.stringify(messages)},"max_tokens":4096,"tools":${tools},"stream":${stream}}`,
  whole: (answer) => roundOf((answer as { content: Block[] }).content),
  async streamed(chunks) {
    const blocks: Block[] = []
    let json = ''
    await readSse(chunks, (data) => {
      const event = JSON.parse(data) as Event
      const block = blocks.at(-1)
      if (event.type === 'content_block_start' && event.content_block) {
        blocks.push(event.content_block)
        json = ''
      } else if (event.type === 'content_block_delta' && block) {
        if (block.type === 'text') block.text += event.delta?.text ?? ''
        else json += event.delta?.partial_json ?? ''
      } else if (event.type === 'content_block_stop' && block?.type === 'tool_use') {
        block.input = JSON.parse(json)
      }
    })
    return roundOf(blocks)
  },
  results: (calls, outputs) => [
    {
      role: 'user',
      content: calls.map(({ id }, index) => ({
        type: 'tool_result',
        tool_use_id: id,
        content: JSON.stringify(outputs[index]),
      })),
    },
  ],
})

function roundOf(blocks: readonly Block[]): RawRound<Message> {
  return {
    items: [{ role: 'assistant', content: blocks }],
    calls: blocks.filter((block) => block.type === 'tool_use'),
    text: blocks.map((block) => (block.type === 'text' ? block.text : '')).join(''),
  }
}
