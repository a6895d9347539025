/** A call whose server reports progress may take longer than one that is silent. Waits for real seconds. */
import { mcpTools } from '@toolwright/mcp'
import { expect, onTestFinished, test } from 'vitest'
import { httpServer } from './http-server.ts'
import { ask } from './servers.ts'

const STEPS = 6

test('progress gives a call more time', async () => {
  const server = await httpServer({
    call: async (_params, { mcpReq }) => {
      const { progressToken } = mcpReq._meta as { readonly progressToken: number }
      for (let progress = 1; progress <= STEPS; progress++) {
        await new Promise((resolve) => setTimeout(resolve, 400))
        const params = { progressToken, progress, total: STEPS }
        await mcpReq.notify({ method: 'notifications/progress', params })
      }
      await new Promise((resolve) => setTimeout(resolve, 400))
      return { content: [{ type: 'text', text: 'slow but done' }] }
    },
  })
  onTestFinished(() => server.close())
  const tools = mcpTools({ url: server.url }, { name: 'web', timeoutMs: 2_000 })
  onTestFinished(() => tools.close())
  const { told, events } = await ask(tools, [{ name: 'echo', arguments: { words: 'slow' } }])
  expect(told[0]).toMatchObject({ content: 'slow but done' })
  expect(events.filter(({ type }) => type === 'tool-progress')).toHaveLength(STEPS)
})
