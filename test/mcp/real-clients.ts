/** Clients of the official SDK, version 2 and version 1, behind one small face. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as FirstStdio } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as FirstHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'

export type Place = { readonly url: string } | Program

interface Program {
  readonly command: string
  readonly args: string[]
  readonly env: { [name: string]: string }
}

export interface CallOptions {
  readonly signal?: AbortSignal
  readonly onprogress?: (progress: { readonly progress: number }) => void
}

export interface RealClient {
  list(): Promise<readonly string[]>
  call(name: string, input: { [key: string]: unknown }, options?: CallOptions): Promise<object>
  close(): Promise<void>
}

/** What the person says to every question. */
export type Person = (message: string) => { [key: string]: string | number | boolean } | undefined

const ME = { name: 'real', version: '1.0.0' }
const replyOf = (person: Person, message: string) => {
  const content = person(message)
  return content ? { action: 'accept' as const, content } : { action: 'decline' as const }
}

export const REAL_CLIENTS: {
  readonly [name: string]: (place: Place, person: Person) => Promise<RealClient>
} = {
  'SDK 2, modern': (place, person) => second(place, person, 'auto'),
  'SDK 2, legacy': (place, person) => second(place, person, 'legacy'),
  'SDK 1': first,
}

async function second(place: Place, person: Person, mode: 'auto' | 'legacy'): Promise<RealClient> {
  const client = new Client(ME, {
    capabilities: { elicitation: { form: {} } },
    versionNegotiation: { mode, probe: { timeoutMs: 60_000 } },
  })
  client.setRequestHandler('elicitation/create', ({ params }) => replyOf(person, params.message))
  await client.connect(
    'url' in place
      ? new StreamableHTTPClientTransport(new URL(place.url))
      : new StdioClientTransport(place),
  )
  return {
    list: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name, input, options) => client.callTool({ name, arguments: input }, options),
    close: () => client.close(),
  }
}

async function first(place: Place, person: Person): Promise<RealClient> {
  const client = new FirstClient(ME, { capabilities: { elicitation: {} } })
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => replyOf(person, params.message))
  const transport = 'url' in place ? new FirstHttp(new URL(place.url)) : new FirstStdio(place)
  await client.connect(transport as Parameters<FirstClient['connect']>[0])
  return {
    list: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name, input, options) => client.callTool({ name, arguments: input }, undefined, options),
    close: () => client.close(),
  }
}
