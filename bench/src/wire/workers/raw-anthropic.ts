/** The hand-written loop on the Messages format, by the global fetch. */
import { parseMockModel } from '../mock-model.ts'
import { perModel } from './per-model.ts'
import type { Answer } from './post.ts'
import { BASE_URL, postByFetch } from './post.ts'
import { readSse } from './read-sse.ts'
import type { Converse } from './serve-batches.ts'
import { serveBatches } from './serve-batches.ts'
import type { WeatherInput } from './weather.ts'
import { INPUT_SCHEMA, QUESTION, TOOL_DESCRIPTION, toolNames, TOOLS } from './weather.ts'

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
interface WireMessage {
  role: 'user' | 'assistant'
  content: string | (TextBlock | ToolUse | ToolResult)[]
}
type Block = TextBlock | ToolUse
interface WireEvent {
  type: string
  content_block?: Block
  delta?: { type?: string; text?: string; partial_json?: string }
}

const toolsJson = perModel((model) =>
  JSON.stringify(
    toolNames(parseMockModel(model).tools).map((name) => ({
      name,
      description: TOOL_DESCRIPTION,
      input_schema: INPUT_SCHEMA,
    })),
  ),
)

const post = postByFetch(`${BASE_URL}/messages`, {
  'x-api-key': 'bench',
  'anthropic-version': '2023-06-01',
})

const converse: Converse = async ({ model, stream }) => {
  const messages: WireMessage[] = [{ role: 'user', content: QUESTION }]
  const tail = `,"max_tokens":4096,"tools":${toolsJson(model)}${stream ? ',"stream":true' : ''}}`
  for (;;) {
    const answer = await post(`{"model":"${model}","messages":${JSON.stringify(messages)}${tail}`)
    const blocks = stream ? await streamedBlocks(answer) : await wholeBlocks(answer)
    messages.push({ role: 'assistant', content: blocks })
    const uses = blocks.filter((block) => block.type === 'tool_use')
    if (uses.length === 0)
      return blocks.map((block) => (block.type === 'text' ? block.text : '')).join('')
    messages.push({ role: 'user', content: await Promise.all(uses.map(run)) })
  }
}

async function run(use: ToolUse): Promise<ToolResult> {
  const execute = TOOLS.get(use.name)
  if (execute === undefined) throw new Error(`Unknown tool ${use.name}`)
  return {
    type: 'tool_result',
    tool_use_id: use.id,
    content: JSON.stringify(await execute(use.input)),
  }
}

async function wholeBlocks(answer: Answer): Promise<Block[]> {
  return ((await answer.json()) as { content: Block[] }).content
}

async function streamedBlocks(answer: Answer): Promise<Block[]> {
  const blocks: Block[] = []
  let json = ''
  await readSse(answer.chunks, (data) => {
    const event = JSON.parse(data) as WireEvent
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
  return blocks
}

serveBatches(converse)
