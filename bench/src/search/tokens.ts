/**
 * What a conversation costs in definitions, with and without search: the same scripted conversations run
 * through the client over tools of real MCP servers, and everything sent for the tools' sake is counted in
 * every request: definitions, the search call and its answer, the words in the system message.
 */
import { ChatClient, type Prompt, type ToolCallback, type ToolDefinition } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { keywordToolIndex, toolSearchAdvisor, toolTokens } from 'toolwright/tool-search'
import type { Dataset, Query } from './dataset.ts'

export interface Savings {
  readonly tools: number
  readonly conversations: number
  /** Tokens per conversation. */
  readonly without: number
  readonly with: number
  readonly saved: number
}

const FURTHER_CALLS = 3

/** Neighbouring tools, so that whole servers stay together; several stretches, so that none decides. */
export async function savingsAt(dataset: Dataset, size: number): Promise<Savings> {
  const { tools, queries } = dataset
  const counted = { without: 0, with: 0, conversations: 0 }
  for (let from = 0; from + size <= tools.length; from += size) {
    const part = tools.slice(from, from + size)
    const names = new Set(part.map(({ name }) => name))
    const answerable = queries.filter(({ relevant }) => relevant.every((name) => names.has(name)))
    for (const query of answerable.slice(0, 5)) {
      counted.without += await conversation(part, query, false)
      counted.with += await conversation(part, query, true)
      counted.conversations++
    }
  }
  const { conversations } = counted
  const mean = (total: number): number => Math.round(total / conversations)
  return {
    tools: size,
    conversations,
    without: mean(counted.without),
    with: mean(counted.with),
    saved: 100 * (1 - counted.with / counted.without),
  }
}

async function conversation(
  definitions: readonly ToolDefinition[],
  { query }: Query,
  searches: boolean,
): Promise<number> {
  const step = ({ options }: Prompt) => {
    const offered = (options?.tools ?? []) as readonly ToolCallback[]
    return { toolCalls: [{ name: offered.at(-1)!.definition.name, arguments: {} }] }
  }
  const search = { toolCalls: [{ name: 'toolSearchTool', arguments: { queries: [query] } }] }
  const calls = Array.from({ length: FURTHER_CALLS }, () => step)
  const model = scriptedModel([...(searches ? [search] : []), ...calls, 'Done.'])
  const tools = definitions.map(asTool)
  const advisors = searches ? [toolSearchAdvisor({ index: keywordToolIndex() })] : []
  await ChatClient.create(model, { tools, advisors }).prompt('Go').call().content()
  return model.prompts.reduce((sum, prompt) => sum + costOf(prompt), 0)
}

/** What the calls do is of no interest here: whether they fit or not, the conversation goes on. */
const asTool = (definition: ToolDefinition): ToolCallback => ({
  definition,
  metadata: { returnDirect: false, hints: {}, effect: 'read' },
  call: async () => 'ok',
})

function costOf({ messages, options }: Prompt): number {
  const offered = (options?.tools ?? []) as readonly ToolCallback[]
  const spoken = messages.flatMap((message): readonly unknown[] => {
    if (message.role === 'system') return [message.content]
    if (message.role === 'tool')
      return message.responses.filter(({ name }) => name === 'toolSearchTool')
    if (message.role !== 'assistant' || typeof message.content === 'string') return []
    return message.content.filter(
      (part) => part.type === 'tool-call' && part.name === 'toolSearchTool',
    )
  })
  const definitions = offered.map(({ definition }) => definition)
  const characters = spoken.map((part) => JSON.stringify(part).length)
  const words = characters.reduce((sum, count) => sum + count / CHARACTERS_PER_TOKEN, 0)
  return toolTokens(definitions) + Math.ceil(words)
}

const CHARACTERS_PER_TOKEN = 4
