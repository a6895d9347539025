/** The loop by hand on Chat Completions. */
import { EFFECT_SCHEMAS } from '../effect-tools.ts'
import type { Question } from '../run-scenario.ts'
import {
  ask,
  events,
  type NaiveCall,
  type NaiveTurn,
  runTool,
  type Wire,
} from './naive-exchange.ts'

export async function naiveChatCompletions(question: Question): Promise<string> {
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
