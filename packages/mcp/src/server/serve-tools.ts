/** `serveTools()`: the tools of this program for every MCP client, over stdio and HTTP. */
import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Server } from '@modelcontextprotocol/server'
import { redact, type ToolSource } from 'toolwright'
import { buildServer } from './build-server.ts'
import {
  allowedPlaces,
  bracketed,
  isLoopback,
  misplaced,
  type AllowedPlaces,
} from './check-request.ts'
import { isMetadataPath } from './authenticate.ts'
import { HttpHandler } from './http-handler.ts'
import { invalid } from './invalid-option.ts'
import { rpcError } from './rpc-error.ts'
import { loadSdk, loadStdio } from './sdk.ts'
import type {
  ListeningServer,
  ListenOptions,
  ServedStreams,
  ServedTools,
  ServeToolsOptions,
} from './serve-tools-options.ts'
import { servingOf, type Serving } from './serving.ts'
import { tellClient, type Change } from './subscriptions.ts'

/**
 * Serves tools to MCP clients of protocol 2026-07-28 and its predecessors. Every call takes the way of a call of a
 * model: checks, limits, policy, approval, timeouts. A tool that needs a decision asks the client for it.
 *
 * @example
 * const served = serveTools([weather, setAlarm], { name: 'home', version: '1.0.0' })
 * await served.stdio()
 */
export function serveTools(sources: ToolSource, options: ServeToolsOptions): ServedTools {
  return new ToolServer(servingOf(sources, options))
}

class ToolServer implements ServedTools {
  readonly #serving: Serving
  readonly #places: AllowedPlaces
  readonly #listening = new Set<HttpServer>()
  /** Those of connections over stdio. */
  readonly #connected = new Set<Server>()
  #http: Promise<HttpHandler> | undefined
  #endStdio: (() => Promise<void>) | undefined

  constructor(serving: Serving) {
    this.#serving = serving
    this.#places = allowedPlaces(serving.options)
  }

  async stdio({ input, output }: ServedStreams = {}): Promise<void> {
    const [sdk, { serveStdio, StdioServerTransport }] = await Promise.all([loadSdk(), loadStdio()])
    const transport = new StdioServerTransport(input, output)
    const { close } = serveStdio(({ era }) => this.#connect(buildServer(sdk, this.#serving, era)), {
      transport,
      onerror: (error) => this.#warn(error),
    })
    this.#endStdio = close
    const { onclose } = transport
    await new Promise<void>((resolve) => {
      transport.onclose = () => {
        onclose?.()
        resolve()
      }
    })
  }

  fetch = (request: Request): Promise<Response> => this.#answer(request, this.#places)

  node = (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> =>
    this.#answerNode(incoming, outgoing, this.#places)

  async listen({
    port,
    host = '127.0.0.1',
    path = '/mcp',
  }: ListenOptions): Promise<ListeningServer> {
    if (!isLoopback(host) && !this.#serving.options.auth)
      throw invalid(
        `listen() at ${host} would let everybody on the network call these tools. Give auth, or listen at 127.0.0.1.`,
      )
    const isAny = host === '0.0.0.0' || host === '::'
    const places = isAny ? this.#places : allowedPlaces(this.#serving.options, host)
    const { createServer } = await import('node:http')
    const server = createServer((incoming, outgoing) => {
      const { pathname } = new URL(incoming.url ?? '/', 'http://localhost')
      if (pathname !== path && !isMetadataPath(pathname)) return void outgoing.writeHead(404).end()
      void this.#answerNode(incoming, outgoing, places)
    })
    await started(server, port, host)
    this.#listening.add(server)
    const { port: actual } = server.address() as AddressInfo
    const close = (): Promise<void> => this.#stop(server)
    const url = `http://${bracketed(isAny ? '127.0.0.1' : host)}:${actual}${path}`
    return { url, port: actual, close, [Symbol.asyncDispose]: close }
  }

  toolsChanged(): Promise<void> {
    return this.#tell('tools')
  }

  async promptsChanged(): Promise<void> {
    if (this.#serving.options.prompts) await this.#tell('prompts')
  }

  async resourcesChanged(): Promise<void> {
    if (this.#serving.options.resources) await this.#tell('resources')
  }

  async resourceChanged(uri: string): Promise<void> {
    if (this.#serving.options.resources) await this.#tell({ resource: uri })
  }

  async close(): Promise<void> {
    this.#serving.tasks.close()
    await this.#endStdio?.()
    await (await this.#http)?.close()
    await Promise.all([...this.#listening].map((server) => this.#stop(server)))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #tell(change: Change): Promise<void> {
    const telling = [...this.#connected].map((server) => tellClient(server, change))
    await Promise.allSettled([...telling, (await this.#http)?.tell(change)])
  }

  #connect(server: Server): Server {
    this.#connected.add(server)
    server.onclose = () => void this.#connected.delete(server)
    return server
  }

  async #answer(request: Request, places: AllowedPlaces): Promise<Response> {
    try {
      this.#http ??= HttpHandler.load(this.#serving)
      return await (await this.#http).handle(request, places)
    } catch (error) {
      this.#warn(error)
      return rpcError(500, -32603, 'Internal error')
    }
  }

  async #answerNode(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    places: AllowedPlaces,
  ): Promise<void> {
    const { toWebRequest, sendWebResponse } = await import('./node-bridge.ts')
    const { host, origin } = incoming.headers
    // Before an address is made of the header.
    const wrong = misplaced(places, host, origin)
    const response =
      wrong === undefined
        ? await this.#answer(toWebRequest(incoming, outgoing), places)
        : rpcError(403, -32600, wrong)
    await sendWebResponse(response, outgoing).catch((error: unknown) => this.#warn(error))
  }

  async #stop(server: HttpServer): Promise<void> {
    this.#listening.delete(server)
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    server.closeAllConnections()
    await closed
  }

  #warn(error: unknown): void {
    const { message } = Object(error) as Error
    this.#serving.options.logger?.warn(`MCP: ${redact(String(message))}`)
  }
}

function started(server: HttpServer, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}
