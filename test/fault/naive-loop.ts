/**
 * The control of the fault matrix: a tool-calling loop over fetch as it is usually written by hand. It
 * works on a good day. It is here to show what the matrix can tell apart, and is not to be repaired.
 */
import { EFFECT_SCHEMAS, type EffectTools } from './effect-tools.ts'
import type { Contender, Question } from './run-scenario.ts'

interface NaiveCall {
  id: string
  name: string
  args: string
}
interface NaiveTurn {
  text: string
  calls: NaiveCall[]
  /** What goes into the history. */
  message: unknown
}
// Written by hand, such loops trust the wire.
type Wire = any

export const naiveLoop: Contender = (question) => LOOPS[question.dialect](question)

const LOOPS = {
  'openai-compatible': naiveOpenAi,
  anthropic: naiveAnthropic,
  ollama: naiveOllama,
} as const

async function post(question: Question, path: string, body: object): Promise<Response> {
  const response = await fetch(`${question.baseUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
    body: JSON.stringify({ model: 'naive', stream: question.mode === 'stream', ...body }),
    signal: question.signal,
  })
  if (!response.ok) throw new Error(`HTTP ${response.status}: ${await response.text()}`)
  return response
}

async function* events(response: Response): AsyncGenerator<Wire> {
  const decoder = new TextDecoder()
  let buffer = ''
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    buffer += decoder.decode(chunk, { stream: true })
    const lines = buffer.split('\n')
    buffer = lines.pop()!
    for (const line of lines) {
      if (line.startsWith('{')) yield JSON.parse(line)
      if (!line.startsWith('data: ')) continue
      const data = line.slice(6).trim()
      if (data === '[DONE]') continue
      yield JSON.parse(data)
    }
  }
}

async function runTool(tools: EffectTools, call: NaiveCall): Promise<string> {
  try {
    const input = JSON.parse(call.args || '{}')
    if (call.name !== 'effect' && call.name !== 'ping') return `Unknown tool ${call.name}`
    const result = await tools[call.name](input)
    return typeof result === 'string' ? result : JSON.stringify(result)
  } catch (error) {
    return `Error: ${(error as Error).message}`
  }
}

async function naiveOpenAi(question: Question): Promise<string> {
  const messages: unknown[] = [{ role: 'user', content: 'go' }]
  const tools = Object.entries(EFFECT_SCHEMAS).map(([name, parameters]) => ({
    type: 'function',
    function: { name, description: name, parameters },
  }))
  while (true) {
    const response = await post(question, '/chat/completions', { messages, tools })
    const turn =
      question.mode === 'stream' ? await openAiStream(response) : openAiWhole(await response.json())
    if (turn.calls.length === 0) return turn.text
    messages.push(turn.message)
    for (const call of turn.calls)
      messages.push({
        role: 'tool',
        tool_call_id: call.id,
        content: await runTool(question.tools, call),
      })
  }
}

function openAiWhole(body: Wire): NaiveTurn {
  const message = body.choices[0].message
  const calls = (message.tool_calls ?? []).map((call: Wire) => ({
    id: call.id,
    name: call.function.name,
    args: call.function.arguments,
  }))
  return { text: message.content ?? '', calls, message }
}

async function openAiStream(response: Response): Promise<NaiveTurn> {
  let text = ''
  const calls: NaiveCall[] = []
  for await (const event of events(response)) {
    const delta = event.choices?.[0]?.delta
    if (delta?.content) text += delta.content
    for (const piece of delta?.tool_calls ?? []) {
      const call = (calls[piece.index] ??= { id: '', name: '', args: '' })
      if (piece.id) call.id = piece.id
      if (piece.function?.name) call.name += piece.function.name
      if (piece.function?.arguments) call.args += piece.function.arguments
    }
  }
  const tool_calls = calls.map(({ id, name, args }) => ({
    id,
    type: 'function',
    function: { name, arguments: args },
  }))
  return { text, calls, message: { role: 'assistant', content: text || null, tool_calls } }
}

async function naiveAnthropic(question: Question): Promise<string> {
  const messages: unknown[] = [{ role: 'user', content: 'go' }]
  const tools = Object.entries(EFFECT_SCHEMAS).map(([name, input_schema]) => ({
    name,
    description: name,
    input_schema,
  }))
  while (true) {
    const response = await post(question, '/messages', { max_tokens: 1024, messages, tools })
    const turn =
      question.mode === 'stream'
        ? await anthropicStream(response)
        : anthropicWhole(await response.json())
    if (turn.calls.length === 0) return turn.text
    messages.push(turn.message)
    const content: unknown[] = []
    for (const call of turn.calls)
      content.push({
        type: 'tool_result',
        tool_use_id: call.id,
        content: await runTool(question.tools, call),
      })
    messages.push({ role: 'user', content })
  }
}

function anthropicWhole(body: Wire): NaiveTurn {
  return anthropicTurn(body.content)
}

async function anthropicStream(response: Response): Promise<NaiveTurn> {
  const blocks: Wire[] = []
  for await (const event of events(response)) {
    if (event.type === 'content_block_start')
      blocks[event.index] = { ...event.content_block, json: '' }
    if (event.type !== 'content_block_delta') continue
    const block = blocks[event.index]
    if (event.delta.type === 'text_delta') block.text += event.delta.text
    if (event.delta.type === 'thinking_delta') block.thinking += event.delta.thinking
    if (event.delta.type === 'signature_delta') block.signature = event.delta.signature
    if (event.delta.type === 'input_json_delta') block.json += event.delta.partial_json
  }
  for (const block of blocks) {
    if (block.type === 'tool_use') block.input = JSON.parse(block.json || '{}')
    delete block.json
  }
  return anthropicTurn(blocks)
}

function anthropicTurn(content: Wire[]): NaiveTurn {
  const text = content
    .filter((block) => block.type === 'text')
    .map((block) => block.text)
    .join('')
  const calls = content
    .filter((block) => block.type === 'tool_use')
    .map((block) => ({ id: block.id, name: block.name, args: JSON.stringify(block.input) }))
  return { text, calls, message: { role: 'assistant', content } }
}

async function naiveOllama(question: Question): Promise<string> {
  const messages: unknown[] = [{ role: 'user', content: 'go' }]
  const tools = Object.entries(EFFECT_SCHEMAS).map(([name, parameters]) => ({
    type: 'function',
    function: { name, description: name, parameters },
  }))
  while (true) {
    const response = await post(question, '/api/chat', { messages, tools })
    const message =
      question.mode === 'stream'
        ? await ollamaStream(response)
        : ((await response.json()) as Wire).message
    if (!message.tool_calls?.length) return message.content
    messages.push(message)
    for (const { id, function: called } of message.tool_calls) {
      const call = { id, name: called.name, args: JSON.stringify(called.arguments) }
      const content = await runTool(question.tools, call)
      messages.push({ role: 'tool', content, tool_name: call.name, tool_call_id: id })
    }
  }
}

async function ollamaStream(response: Response): Promise<Wire> {
  let message: Wire
  for await (const { message: piece } of events(response)) {
    message ??= { role: 'assistant', content: '' }
    message.content += piece.content
    if (piece.thinking) message.thinking = (message.thinking ?? '') + piece.thinking
    if (piece.tool_calls) message.tool_calls = [...(message.tool_calls ?? []), ...piece.tool_calls]
  }
  return message
}
