/**
 * The control of the fault matrix: a tool-calling loop over fetch as it is usually written by hand. It
 * works on a good day. It is here to show what the matrix can tell apart, and is not to be repaired.
 */
import type { FaultDialect } from '@toolwright/fault-server'
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

const LOOPS: { readonly [dialect in FaultDialect]: Contender } = {
  'openai-compatible': naiveOpenAi,
  anthropic: naiveAnthropic,
  openai: naiveResponses,
  google: naiveGoogle,
  ollama: naiveOllama,
}

export const naiveLoop: Contender = (question) => LOOPS[question.dialect](question)

const ask = (question: Question, path: string, body: object): Promise<Response> =>
  post(question, path, { model: 'naive', stream: question.mode === 'stream', ...body })

async function post(question: Question, path: string, body: object): Promise<Response> {
  const response = await fetch(`${question.baseUrl}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'anthropic-version': '2023-06-01',
      'x-goog-api-key': 'naive',
    },
    body: JSON.stringify(body),
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
    const response = await ask(question, '/chat/completions', { messages, tools })
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
    const response = await ask(question, '/messages', { max_tokens: 1024, messages, tools })
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

async function naiveResponses(question: Question): Promise<string> {
  const input: unknown[] = [{ role: 'user', content: 'go' }]
  const tools = Object.entries(EFFECT_SCHEMAS).map(([name, parameters]) => ({
    type: 'function',
    name,
    description: name,
    parameters,
    strict: false,
  }))
  while (true) {
    const response = await ask(question, '/responses', { input, tools })
    const output: Wire[] =
      question.mode === 'stream'
        ? await responsesStream(response)
        : ((await response.json()) as Wire).output
    const calls = output.filter((item) => item.type === 'function_call')
    if (calls.length === 0) return responsesText(output)
    input.push(...output)
    for (const { call_id, name, arguments: args } of calls)
      input.push({
        type: 'function_call_output',
        call_id,
        output: await runTool(question.tools, { id: call_id, name, args }),
      })
  }
}

async function responsesStream(response: Response): Promise<Wire[]> {
  const output: Wire[] = []
  for await (const event of events(response)) {
    const item = output[event.output_index]
    if (event.type === 'response.output_item.added') output[event.output_index] = event.item
    if (event.type === 'response.output_item.done') output[event.output_index] = event.item
    if (event.type === 'response.function_call_arguments.delta') item.arguments += event.delta
  }
  return output
}

function responsesText(output: Wire[]): string {
  return output
    .flatMap((item) => (item.type === 'message' ? item.content : []))
    .map((content: Wire) => content.text)
    .join('')
}

async function naiveGoogle(question: Question): Promise<string> {
  const contents: unknown[] = [{ role: 'user', parts: [{ text: 'go' }] }]
  const functionDeclarations = Object.entries(EFFECT_SCHEMAS).map(([name, schema]) => ({
    name,
    description: name,
    parametersJsonSchema: schema,
  }))
  const method = question.mode === 'stream' ? 'streamGenerateContent?alt=sse' : 'generateContent'
  while (true) {
    const body = { contents, tools: [{ functionDeclarations }] }
    const response = await post(question, `/models/naive:${method}`, body)
    const turn =
      question.mode === 'stream' ? await googleStream(response) : googleWhole(await response.json())
    if (turn.calls.length === 0) return turn.text
    contents.push(turn.message)
    const parts: unknown[] = []
    for (const call of turn.calls) {
      const output = await runTool(question.tools, call)
      parts.push({ functionResponse: { id: call.id, name: call.name, response: { output } } })
    }
    contents.push({ role: 'user', parts })
  }
}

const googleWhole = (body: Wire): NaiveTurn => googleTurn(body.candidates[0].content.parts)

async function googleStream(response: Response): Promise<NaiveTurn> {
  const parts: Wire[] = []
  for await (const event of events(response))
    for (const part of event.candidates?.[0]?.content?.parts ?? [])
      if (part.functionCall || part.text) parts.push(part)
  return googleTurn(parts)
}

function googleTurn(parts: Wire[]): NaiveTurn {
  const text = parts.map((part) => (part.thought ? '' : (part.text ?? ''))).join('')
  const calls = parts
    .filter((part) => part.functionCall)
    .map(({ functionCall }) => ({
      id: functionCall.id,
      name: functionCall.name,
      args: JSON.stringify(functionCall.args ?? {}),
    }))
  return { text, calls, message: { role: 'model', parts } }
}

async function naiveOllama(question: Question): Promise<string> {
  const messages: unknown[] = [{ role: 'user', content: 'go' }]
  const tools = Object.entries(EFFECT_SCHEMAS).map(([name, parameters]) => ({
    type: 'function',
    function: { name, description: name, parameters },
  }))
  while (true) {
    const response = await ask(question, '/api/chat', { messages, tools })
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
