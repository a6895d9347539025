/** The loop by hand on Ollama's /api/chat. */
import { EFFECT_SCHEMAS } from '../effect-tools.ts'
import type { Question } from '../run-scenario.ts'
import { ask, events, runTool, type Wire } from './naive-exchange.ts'

export async function naiveOllama(question: Question): Promise<string> {
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
