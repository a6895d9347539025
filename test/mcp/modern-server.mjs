/** A server of the SDK over stdin and stdout that speaks both protocols, and asks before it writes. */
import { acceptedContent, inputRequired, Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'

const requestedSchema = {
  type: 'object',
  properties: { ok: { type: 'boolean' } },
  required: ['ok'],
}

serveStdio(({ era }) => {
  const server = new Server({ name: 'both', version: '1' }, { capabilities: { tools: {} } })
  const inputSchema = { type: 'object', properties: {} }
  server.setRequestHandler('tools/list', () => ({
    tools: [
      { name: 'era', inputSchema, annotations: { readOnlyHint: true } },
      { name: 'write', inputSchema },
    ],
  }))
  server.setRequestHandler('tools/call', ({ params }, { mcpReq }) => {
    const text = (words) => ({ content: [{ type: 'text', text: words }] })
    if (params.name === 'era') return text(era)
    const answer = acceptedContent(mcpReq.inputResponses, 'ok')
    if (answer) return text(`written: ${answer.ok}`)
    return inputRequired({
      inputRequests: { ok: inputRequired.elicit({ message: 'Sure?', requestedSchema }) },
    })
  })
  return server
})
