import { serveTools, mcpTools } from '@toolwright/mcp'
import { ChatClient, tool } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { DateTimeTools } from '../examples/tools/date-time-tools.ts'
const slow = tool({ name: 'slow', description: 'Takes long', hints: { readOnly: true }, execute: (_i: unknown, { signal }) => new Promise<string>((_r, no) => signal.addEventListener('abort', () => { console.error('server: cancelled'); no(signal.reason) })) })
const dies = tool({ name: 'dies', description: 'Ends the server', hints: { readOnly: true }, execute: () => process.exit(3) })
const served = serveTools([new DateTimeTools(), slow, dies], { name: 'clock', version: '1.0.0' })
if (process.argv[2] === 'stdio') await served.stdio()
else {
  const http = await served.listen({ port: 0 })
  const self = process.argv[1]!
  const go = async (server: object, name: string, args: object, opts: object = {}, abortMs?: number) => {
    await using tools = mcpTools(server as never, { trust: 'trusted', ...opts })
    const client = ChatClient.create(scriptedModel([{ toolCalls: [{ name, arguments: args as never }] }, 'Done.']), { tools: [tools] })
    const c = new AbortController(); if (abortMs) setTimeout(() => c.abort(new Error('enough')), abortMs)
    const run = client.prompt('Go').signal(c.signal).call()
    try { for await (const e of run) { if (e.type === 'tool-result') console.log(name, '→', e.response.content, e.response.isError ?? ''); if (e.type==='notice') console.log('notice', e.code, e.message) }
      const r = await run.result(); console.log(name, r.status, JSON.stringify(r.pending?.map(p=>p.question ?? p.kind)))
    } catch (e) { console.log(name, 'rejected', (e as Error).message) }
  }
  for (const server of [{ url: http.url }, { command: 'npx', args: ['tsx', self, 'stdio'] }]) {
    console.log('---', JSON.stringify(server).slice(0, 40))
    await go(server, 'getCurrentDateTime', {})
    await go(server, 'slow', {}, { timeoutMs: 6000 })
    await go(server, 'slow', {}, {}, 8000)
  }
  await go({ command: 'npx', args: ['tsx', self, 'stdio'] }, 'dies', {})
  await served.close()
}
