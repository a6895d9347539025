/** Programs that speak the old protocol, the new one, or both. */
import { fileURLToPath } from 'node:url'
import { ChatClient, type McpError } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { afterEach, describe, expect, test } from 'vitest'
import { mcpTools, type McpTools, type McpToolsOptions } from '@toolwright/mcp'
import { ask, MODES, rawServer, toldBy } from './servers.ts'

const BOTH = {
  command: process.execPath,
  args: [fileURLToPath(new URL('modern-server.mjs', import.meta.url))],
}
const open: McpTools[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((tools) => tools.close()))
})
const kept = (tools: McpTools): McpTools => {
  open.push(tools)
  return tools
}

test.each([
  [undefined, 'legacy'],
  ['legacy', 'legacy'],
  ['modern', 'modern'],
  ['auto', 'modern'],
] as const)('era %s speaks the %s protocol', async (era, spoken) => {
  const options: McpToolsOptions = era ? { era } : {}
  const { told } = await ask(kept(mcpTools(BOTH, options)), [{ name: 'era', arguments: {} }])
  expect(told[0]).toMatchObject({ content: spoken })
})

test('a program that knows only the old protocol works by auto, and is refused by modern', async () => {
  const call = { name: 'echo', arguments: { words: 'hi' } }
  const { told } = await ask(
    kept(mcpTools(rawServer('good'), { era: 'auto', timeoutMs: 20_000 })),
    [call],
  )
  expect(told[0]).toMatchObject({ content: 'echo: hi' })
  const refused = kept(
    mcpTools(rawServer('good'), { era: 'modern', timeoutMs: 3_000 }),
  ).toolCallbacks()
  const thrown = await refused.then(
    () => undefined,
    (error: McpError) => error,
  )
  expect(thrown?.code).toMatch(/^mcp-(?:version|timeout)$/)
})

describe.each(MODES)('%s', (mode) => {
  test('a question of the new protocol over stdin and stdout', async () => {
    const client = ChatClient.create(
      scriptedModel([{ toolCalls: [{ name: 'write', arguments: {} }] }, 'Done.']),
      {
        tools: [kept(mcpTools(BOTH, { era: 'modern', trust: 'trusted', name: 'both' }))],
      },
    )
    const go = (request: ReturnType<ChatClient['prompt']>) =>
      toldBy(mode === 'call' ? request.call() : request.stream())
    const { result } = await go(client.prompt('Go'))
    expect(result.pending![0]!.question).toMatchObject({
      server: 'both',
      mode: 'form',
      message: 'Sure?',
    })
    const { callId } = result.pending![0]!
    const after = await go(client.resume(result.state!, { [callId]: { answer: { ok: true } } }))
    expect(after.told[0]).toMatchObject({ content: 'written: true' })
  })
})
