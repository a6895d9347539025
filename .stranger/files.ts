import { mcpTools } from '@toolwright/mcp'
import { ChatClient } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { writeFileSync, readFileSync } from 'node:fs'
const FS = { command: 'node', args: ['../node_modules/.cache/toolchains/node_modules/@modelcontextprotocol/server-filesystem/dist/index.js', '.'] }
await using files = mcpTools(FS, { timeoutMs: 8000 })
const secret = 'a secret of both processes'
if (process.argv[2] === 'ask') {
  const model = scriptedModel([{ toolCalls: [{ name: 'read_text_file', arguments: { path: 'notes.txt' } }] }, { toolCalls: [{ name: 'write_file', arguments: { path: 'out.txt', content: 'x' } }] }, 'unused'])
  const result = await ChatClient.create(model, { tools: [files], stateSecret: secret }).prompt('Go').call().result()
  console.log(result.status, result.pending?.map(p => [p.toolName, p.kind, p.reason]))
  writeFileSync('state.json', JSON.stringify(result.state))
} else {
  const state = JSON.parse(readFileSync('state.json', 'utf8'))
  const decision = process.argv[2] === 'deny' ? { deny: 'Not today.' } : 'approve'
  const client = ChatClient.create(scriptedModel(['Done.']), { tools: [files], stateSecret: secret })
  const run = client.resume(state, { [state.pending[0].callId]: decision as never }).call()
  for await (const e of run) if (e.type === 'tool-result') console.log(e.response.content, e.response.isError)
  console.log(await run.content())
}
