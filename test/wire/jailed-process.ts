/** Runs a client with a tool against one address, and prints every place that the process tried to reach. */
import dns from 'node:dns'
import { Socket } from 'node:net'
import { Socket as Datagrams } from 'node:dgram'

export interface JailTask {
  readonly dialect: string
  readonly baseUrl: string
}
export interface JailReport {
  readonly places: readonly string[]
  readonly answers: readonly string[]
}

const places: string[] = []
const connect = Socket.prototype.connect as (...all: unknown[]) => Socket
Socket.prototype.connect = function (this: Socket, ...all: unknown[]) {
  const [first] = Array.isArray(all[0]) ? (all[0] as unknown[]) : all
  const { host, port, path } = Object(first) as { host?: string; port?: unknown; path?: string }
  places.push(path ?? `${host}:${String(port)}`)
  return connect.apply(this, all)
} as typeof Socket.prototype.connect
for (const name of ['lookup', 'resolve', 'resolve4', 'resolve6'] as const) {
  const original = dns[name] as (...all: unknown[]) => unknown
  const noted = (...all: unknown[]): unknown => {
    places.push(`${name} ${String(all[0])}`)
    return original.apply(dns, all)
  }
  Object.assign(dns, { [name]: noted })
}
Datagrams.prototype.send = () => {
  places.push('a datagram')
}

// After the jail is shut: what is imported might connect too.
const { ChatClient, tool } = await import('toolwright')
const { MODELS } = await import('./dialects.ts')
const { z } = await import('zod')
const { dialect, baseUrl } = JSON.parse(process.argv[2]!) as JailTask
const ping = tool({
  name: 'ping',
  description: 'Answers pong',
  input: z.object({}),
  execute: () => 'pong',
})
const model = MODELS[dialect as keyof typeof MODELS]({ baseUrl, apiKey: 'some-key' })
const client = ChatClient.create(model, { tools: [ping] })
let streamed = ''
for await (const piece of client.prompt('Go').stream().content()) streamed += piece
const answers = [await client.prompt('Go').call().content(), streamed]
process.stdout.write(JSON.stringify({ places, answers } satisfies JailReport))
