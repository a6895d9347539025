/** Tools and clients for the tests of the server. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { tool } from 'toolwright'
import { onTestFinished } from 'vitest'
import { addition, deletion } from './served-tools.cases.ts'
import { serveTools } from './serve-tools.ts'
import type { ListeningServer, ServedTools, ServeToolsOptions } from './serve-tools-options.ts'
import type { ToolSource } from 'toolwright'

export const add = tool({
  ...addition,
  hints: { readOnly: true, openWorld: false },
  title: 'Addition',
})

export interface Deletions {
  readonly done: string[]
  readonly tool: ToolSource
}

/** A tool that needs approval, and what it did. */
export function deletions(): Deletions {
  const done: string[] = []
  return { done, tool: deletion((path) => done.push(path)) }
}

/** Asks one question, then says what was answered. */
export const greet = tool({
  name: 'greet',
  description: 'Greets somebody',
  input: { type: 'object', properties: {} },
  execute: (_input: unknown, context) => `Hello ${String(context.suspend('What is your name?'))}`,
})

export interface Running {
  readonly served: ServedTools
  readonly listening: ListeningServer
}

/** Serves until the test ends. */
export async function listening(
  sources: ToolSource,
  options: Partial<ServeToolsOptions> = {},
): Promise<Running> {
  const served = serveTools(sources, { name: 'test', version: '1.2.3', ...options })
  onTestFinished(() => served.close())
  return { served, listening: await served.listen({ port: 0 }) }
}

export const serve = async (
  sources: ToolSource,
  options?: Partial<ServeToolsOptions>,
): Promise<string> => (await listening(sources, options)).listening.url

export interface ClientOptions {
  readonly era?: 'modern' | 'legacy'
  /** Undefined: it cannot be asked. */
  readonly answer?: (params: {
    readonly message: string
    readonly requestedSchema?: unknown
  }) => object | Promise<object>
  readonly autoFulfill?: boolean
  readonly token?: string
  readonly extensions?: object
}

/** A client of the SDK that is connected. */
export async function connected(url: string, options: ClientOptions = {}): Promise<Client> {
  const { era = 'modern', answer, autoFulfill = true, token, extensions } = options
  const client = new Client(
    { name: 'test-client', version: '1.0.0' },
    {
      capabilities: {
        ...(answer && { elicitation: { form: {} } }),
        ...(extensions && { extensions }),
      } as never,
      versionNegotiation: { mode: era === 'modern' ? 'auto' : 'legacy' },
      inputRequired: { autoFulfill },
    },
  )
  if (answer)
    client.setRequestHandler(
      'elicitation/create',
      async ({ params }) => (await answer(params as never)) as never,
    )
  const requestInit = token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }))
  return client
}

export const textOfResult = (result: object): string =>
  ((result as { content?: { text?: string }[] }).content ?? []).map(({ text }) => text).join('\n')

export interface RawOptions {
  readonly id?: number
  readonly capabilities?: object
  readonly headers?: { readonly [name: string]: string }
  readonly signal?: AbortSignal
}

export interface RpcAnswer {
  readonly status: number
  readonly id?: unknown
  readonly result?: { readonly [key: string]: unknown }
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

const META = 'io.modelcontextprotocol'

/** One request of protocol 2026-07-28, written by hand: nothing of a client stands between. */
export async function rpc(
  url: string,
  method: string,
  ...[params = {}, options = {}]: [
    params?: { readonly [key: string]: unknown },
    options?: RawOptions,
  ]
): Promise<RpcAnswer> {
  const { id = 1, capabilities = {}, headers = {}, signal } = options
  const meta = {
    [`${META}/protocolVersion`]: '2026-07-28',
    [`${META}/clientCapabilities`]: capabilities,
    [`${META}/clientInfo`]: { name: 'raw', version: '1' },
    ...(params._meta as object),
  }
  const name = params.name ?? params.taskId
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } }),
    signal: signal ?? null,
  })
  return { status: response.status, ...lastMessage(await response.text()) }
}

/** Of a JSON body, or of a stream of events. */
export function lastMessage(text: string): object {
  const data = text.split('\n').filter((line) => line.startsWith('data: '))
  const json = data.length > 0 ? data.at(-1)!.slice(6) : text
  try {
    return JSON.parse(json) as object
  } catch {
    return {}
  }
}

export const CAN_ANSWER = { capabilities: { elicitation: { form: {}, url: {} } } }
export const accept = (content: object): object => ({ action: 'accept', content })
