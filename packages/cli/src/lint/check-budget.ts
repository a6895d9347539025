/** Checks what definitions cost, one by one and together: they are sent with every request. */
import type { ToolDefinition } from 'toolwright'
import { toolTokens } from 'toolwright/tool-search'
import type { Finding } from './finding.ts'

/** Of 527 tools of real MCP servers, one in twenty is larger. */
const TOKENS_PER_TOOL = 500
const TOKENS_TOGETHER = 10_000
const LARGEST_NAMED = 3

/** `budget` applies to all tools together; no single tool may exceed it. */
export function checkBudget(
  definitions: readonly ToolDefinition[],
  budget: number = TOKENS_TOGETHER,
): readonly Finding[] {
  const costs = definitions
    .map((definition) => ({ name: definition.name, tokens: toolTokens([definition]) }))
    .sort((a, b) => b.tokens - a.tokens)
  const most = Math.min(TOKENS_PER_TOOL, budget)
  const large = costs.filter(({ tokens }) => tokens > most).map((cost) => tooLarge(cost, most))
  const total = costs.reduce((sum, { tokens }) => sum + tokens, 0)
  return total > budget ? [...large, tooMany(costs, total, budget)] : large
}

interface Cost {
  readonly name: string
  readonly tokens: number
}

const tooLarge = ({ name, tokens }: Cost, most: number): Finding => ({
  rule: 'budget',
  tool: name,
  message: `${name} takes about ${tokens} tokens of every request; ${most} are allowed.`,
  fix: 'Shorten descriptions, leave out parameters nobody sets, or split the tool.',
})

function tooMany(costs: readonly Cost[], total: number, budget: number): Finding {
  const largest = costs.slice(0, LARGEST_NAMED).map(({ name, tokens }) => `${name} ${tokens}`)
  return {
    rule: 'budget',
    message: `The definitions take about ${total} tokens of every request; the budget is ${budget}. The largest: ${largest.join(', ')}.`,
    fix: 'Shorten the largest, offer fewer at a time, or let the model search for them (toolSearchAdvisor).',
  }
}
