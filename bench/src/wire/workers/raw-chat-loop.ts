/**
 * The tool loop on Chat Completions as a good engineer writes it by hand: no checks beyond the status,
 * no limits, no failure handling; tools serialised once, parallel calls run together.
 */
import { parseMockModel } from '../mock-model.ts'
import { perModel } from './per-model.ts'
import type { Answer, Post } from './post.ts'
import { readSse } from './read-sse.ts'
import type { Converse } from './serve-batches.ts'
import { INPUT_SCHEMA, QUESTION, TOOL_DESCRIPTION, toolNames, TOOLS } from './weather.ts'

interface WireCall {
  id: string
  type: 'function'
  function: { name: string; arguments: string }
}
interface AssistantMessage {
  role: 'assistant'
  content: string | null
  tool_calls?: WireCall[]
}
type WireMessage = AssistantMessage | { role: 'user'; content: string } | ToolMessage
interface ToolMessage {
  role: 'tool'
  tool_call_id: string
  content: string
}
interface WireAnswer {
  choices: { message: AssistantMessage }[]
}
interface WireChunk {
  choices: { delta: { content?: string | null; tool_calls?: WireCallDelta[] } }[]
}
interface WireCallDelta {
  index: number
  id?: string
  function?: { name?: string; arguments?: string }
}

const toolsJson = perModel((model) =>
  JSON.stringify(
    toolNames(parseMockModel(model).tools).map((name) => ({
      type: 'function',
      function: { name, description: TOOL_DESCRIPTION, parameters: INPUT_SCHEMA },
    })),
  ),
)

export function rawChatLoop(post: Post): Converse {
  return async ({ model, stream }) => {
    const messages: WireMessage[] = [{ role: 'user', content: QUESTION }]
    const tail = `,"tools":${toolsJson(model)}${stream ? ',"stream":true' : ''}}`
    for (;;) {
      const answer = await post(`{"model":"${model}","messages":${JSON.stringify(messages)}${tail}`)
      const message = stream ? await streamedMessage(answer) : await wholeMessage(answer)
      messages.push(message)
      if (message.tool_calls === undefined) return message.content ?? ''
      messages.push(...(await Promise.all(message.tool_calls.map(run))))
    }
  }
}

async function run(call: WireCall): Promise<ToolMessage> {
  const execute = TOOLS.get(call.function.name)
  if (execute === undefined) throw new Error(`Unknown tool ${call.function.name}`)
  const result = await execute(JSON.parse(call.function.arguments))
  return { role: 'tool', tool_call_id: call.id, content: JSON.stringify(result) }
}

async function wholeMessage(answer: Answer): Promise<AssistantMessage> {
  const { choices } = (await answer.json()) as WireAnswer
  return choices[0]!.message
}

async function streamedMessage(answer: Answer): Promise<AssistantMessage> {
  let text = ''
  const calls: WireCall[] = []
  await readSse(answer.chunks, (data) => {
    if (data === '[DONE]') return
    const delta = (JSON.parse(data) as WireChunk).choices[0]?.delta
    if (delta === undefined) return
    if (delta.content) text += delta.content
    if (delta.tool_calls) for (const piece of delta.tool_calls) addPiece(calls, piece)
  })
  return { role: 'assistant', content: text, ...(calls.length > 0 && { tool_calls: calls }) }
}

function addPiece(calls: WireCall[], piece: WireCallDelta): void {
  const call = (calls[piece.index] ??= {
    id: '',
    type: 'function',
    function: { name: '', arguments: '' },
  })
  if (piece.id) call.id = piece.id
  if (piece.function?.name) call.function.name = piece.function.name
  if (piece.function?.arguments) call.function.arguments += piece.function.arguments
}
