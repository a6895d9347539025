/** The loop by hand on the Messages API. */
import { EFFECT_SCHEMAS } from '../effect-tools.ts'
import type { Question } from '../run-scenario.ts'
import { ask, events, type NaiveTurn, runTool, type Wire } from './naive-exchange.ts'

export async function naiveMessages(question: Question): Promise<string> {
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
