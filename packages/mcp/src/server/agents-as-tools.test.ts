/** A chat client and an agent, served as tools. */
import { expect, it } from 'vitest'
import { ChatClient, clientTool, type ToolCallback } from 'toolwright'
import { agentTool } from 'toolwright/agent'
import { scriptedModel } from 'toolwright/testing'
import { accept, connected, deletions, serve, textOfResult } from './serving.cases.ts'

const SOLVED = (output: object | null, calls: object[] = []): string =>
  JSON.stringify({ meta: {}, calls, output })
const STRUCTURED = { capabilities: { structuredOutput: true } }
const SUMMARY = {
  type: 'object',
  properties: { summary: { type: 'string' } },
  required: ['summary'],
} as const

it('a client answers the prompt of an MCP client', async () => {
  const model = scriptedModel(['It was Jane Austen.'])
  const ask = clientTool(ChatClient.create(model), { name: 'ask', description: 'Knows books' })
  const client = await connected(await serve(ask))
  const result = await client.callTool({ name: 'ask', arguments: { prompt: 'Who wrote Emma?' } })
  expect(textOfResult(result)).toBe('It was Jane Austen.')
  await client.close()
})

it('an agent gives its output as a structured result', async () => {
  const model = scriptedModel([SOLVED({ summary: 'Sunny.' })], STRUCTURED)
  const agent = agentTool(
    { model },
    { name: 'forecast', description: 'Forecasts', output: SUMMARY },
  )
  const client = await connected(await serve(agent))
  await client.listTools()
  const result = await client.callTool({ name: 'forecast', arguments: { prompt: 'Oslo?' } })
  expect(result.structuredContent).toEqual({ summary: 'Sunny.' })
  await client.close()
})

it.each(['modern', 'legacy'] as const)('an agent asks a %s client for approval', async (era) => {
  const files = deletions()
  const model = scriptedModel(
    [SOLVED(null, [{ _tool: 'deleteFile', path: '/a' }]), SOLVED({ summary: 'Gone.' })],
    STRUCTURED,
  )
  const agent = agentTool(
    { model, tools: [files.tool as ToolCallback] },
    { name: 'cleaner', description: 'Cleans up', output: SUMMARY },
  )
  const asked: string[] = []
  const client = await connected(await serve(agent), {
    era,
    answer: ({ message }) => (asked.push(message), accept({ approve: true })),
  })
  const result = await client.callTool({ name: 'cleaner', arguments: { prompt: 'Clean up' } })
  expect(result.structuredContent).toEqual({ summary: 'Gone.' })
  expect(asked).toEqual([expect.stringContaining('deleteFile')])
  expect(files.done).toEqual(['/a'])
  await client.close()
})
