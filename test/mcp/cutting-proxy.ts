/** Stands before a server over HTTP and cuts the connection of a call where the plan says. */
import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Before the server has it, when it has it, after the head of its answer, or within its body. */
export type Cut = 'before' | 'sent' | 'head' | 'body'

export interface CuttingProxy {
  readonly url: string
  close(): Promise<void>
}

export async function cuttingProxy(
  upstream: string,
  planOf: (call: { readonly name: string; readonly arguments: object }) => Cut | undefined,
): Promise<CuttingProxy> {
  const server = createServer((request, response) => void forward(request, response))
  const forward = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const { method, params } = (body.length > 0 ? JSON.parse(body.toString()) : {}) as {
      readonly method?: string
      readonly params?: { readonly name: string; readonly arguments: object }
    }
    const cut = method === 'tools/call' ? planOf(params!) : undefined
    const end = (): void => void response.socket?.destroy()
    if (cut === 'before') return end()
    const onward = ask(upstream, { method: request.method, headers: request.headers }, (answer) =>
      pass(answer, response, cut),
    )
    onward.on('error', end)
    response.on('close', () => onward.destroy())
    onward.end(body)
    if (cut === 'sent') onward.on('finish', () => setTimeout(end, 20))
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

function pass(answer: IncomingMessage, response: ServerResponse, cut: Cut | undefined): void {
  const end = (): void => void response.socket?.destroy()
  if (cut === 'sent') return end()
  response.writeHead(answer.statusCode!, answer.headers)
  if (cut === 'head') {
    response.flushHeaders()
    return void setImmediate(end)
  }
  answer.on('error', end)
  if (cut === undefined) return void answer.pipe(response)
  answer.once('data', (chunk: Buffer) =>
    response.write(chunk.subarray(0, Math.ceil(chunk.length / 2)), () => setImmediate(end)),
  )
}
