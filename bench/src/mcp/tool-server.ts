/** A server on the bare SDK with one tool, for both contenders: over stdin and stdout, or at the address that it prints. */
import { createServer } from 'node:http'
import { Server, createMcpHandler } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'

const TOOL = {
  name: 'add',
  description: 'Add two numbers',
  inputSchema: {
    type: 'object' as const,
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
  },
  annotations: { readOnlyHint: true },
}

function build(): Server {
  const server = new Server({ name: 'bench', version: '1' }, { capabilities: { tools: {} } })
  server.setRequestHandler('tools/list', () => ({ tools: [TOOL] }))
  server.setRequestHandler('tools/call', ({ params }) => {
    const { a, b } = params.arguments as { readonly a: number; readonly b: number }
    return { content: [{ type: 'text' as const, text: String(a + b) }] }
  })
  return server
}

if (process.argv[2] === 'http') {
  const handler = createMcpHandler(build)
  const http = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const answer = await handler.fetch(
        new Request(`http://${request.headers.host}${request.url}`, {
          method: request.method!,
          headers: request.headers as { [name: string]: string },
          ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
        }),
      )
      response.writeHead(answer.status, Object.fromEntries(answer.headers))
      response.end(Buffer.from(await answer.arrayBuffer()))
    })()
  })
  http.listen(0, '127.0.0.1', () => {
    const { port } = http.address() as { readonly port: number }
    process.stdout.write(`http://127.0.0.1:${port}/mcp\n`)
  })
} else serveStdio(build)
