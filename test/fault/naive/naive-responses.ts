/** The loop by hand on the Responses API. */
import { EFFECT_SCHEMAS } from '../effect-tools.ts'
import type { Question } from '../run-scenario.ts'
import { ask, events, runTool, type Wire } from './naive-exchange.ts'

export async function naiveResponses(question: Question): Promise<string> {
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
