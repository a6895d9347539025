/** What a model is told about tools in its system message: what there is, how to call it, and whether it must. */
import { listCache } from '../../internal/list-cache.ts'
import type { Message } from '../../messages/message.ts'
import type { ToolCallback } from '../../tools/tool-callback.ts'
import type { ChatOptions } from '../chat-model.ts'

/** The instructions follow the program's own system message, or are one. */
export function withInstructions(
  messages: readonly Message[],
  tools: readonly ToolCallback[],
  options: ChatOptions,
): readonly Message[] {
  const text = `${definitions(tools)}${wishes(options)}`
  const at = messages.findIndex((message) => message.role === 'system')
  const system = messages[at]
  if (system?.role !== 'system') return [{ role: 'system', content: text }, ...messages]
  return messages.with(at, { ...system, content: `${system.content}\n\n${text}` })
}

/** A client offers the same list in every round. */
const definitions = listCache((tools: readonly ToolCallback[]): string => {
  const lines = tools.map(({ definition: { name, description, inputSchema } }) =>
    JSON.stringify({ name, description, parameters: inputSchema }),
  )
  return `${HOW}\n\n<tools>\n${lines.join('\n')}\n</tools>`
})

const HOW = `You can call the tools below. To call one, write its name and its arguments as JSON that fits its parameters:

<tool_call>
{"name": "name_of_the_tool", "arguments": {"parameter": "value"}}
</tool_call>

Write one such block for each call, and stop after the last: the results come in the next message, as <tool_result> blocks. If you need no tool, answer without a block.`

function wishes({ toolChoice, parallelToolCalls }: ChatOptions): string {
  const sentences = [
    ...(toolChoice === 'none' ? ['Do not call a tool now; answer in text.'] : []),
    ...(toolChoice === 'required' ? ['You must call at least one tool now.'] : []),
    ...(typeof toolChoice === 'object'
      ? [`You must call the tool ${JSON.stringify(toolChoice.tool)} now.`]
      : []),
    ...(parallelToolCalls === false ? ['Call at most one tool in an answer.'] : []),
  ]
  return sentences.length === 0 ? '' : `\n\n${sentences.join(' ')}`
}
