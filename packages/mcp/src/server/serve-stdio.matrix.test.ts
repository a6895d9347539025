/** A served program as a child process, with clients of both SDKs and with bytes that are no messages. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as OldHttpTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { bundleProgram, type BundledProgram } from '../../../../test/processes/bundle-program.ts'
import { accept, add, deletions, greet, listening, textOfResult } from './serving.cases.ts'

let program: BundledProgram

beforeAll(async () => {
  program = await bundleProgram(new URL('stdio-program.cases.ts', import.meta.url))
})
afterAll(() => program[Symbol.dispose]())

const answerTo = (message: string): object =>
  accept(message.startsWith('Allow') ? { approve: true } : { answer: 'Ada' })

const COMMAND = (): { command: string; args: string[]; stderr: 'pipe' } => ({
  command: process.execPath,
  args: [program.file],
  stderr: 'pipe',
})

interface AnyClient {
  listTools(): Promise<{ tools: { name: string }[] }>
  callTool(params: object, ...more: never[]): Promise<object>
  close(): Promise<void>
}

async function newClient(era: 'auto' | 'legacy'): Promise<AnyClient> {
  const client = new Client(
    { name: 'new', version: '1' },
    { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: era } },
  )
  client.setRequestHandler(
    'elicitation/create',
    async ({ params }) => answerTo(params.message) as never,
  )
  await client.connect(new StdioClientTransport(COMMAND()))
  return client as unknown as AnyClient
}

function oldClient(): OldClient {
  const client = new OldClient({ name: 'old', version: '1' }, { capabilities: { elicitation: {} } })
  client.setRequestHandler(
    ElicitRequestSchema,
    async ({ params }) => answerTo(params.message) as never,
  )
  return client
}

async function oldStdio(): Promise<AnyClient> {
  const client = oldClient()
  await client.connect(new OldTransport(COMMAND()) as never)
  return client as unknown as AnyClient
}

describe.each([
  ['2026-07-28', () => newClient('auto')],
  ['2025-11-25', () => newClient('legacy')],
  ['the first SDK', oldStdio],
])('over stdio with %s', (_name, connect) => {
  it('lists, calls, asks and reports', async () => {
    const client = await connect()
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['add', 'deleteFile', 'greet', 'steps', 'waits'])
    const sum = await client.callTool({ name: 'add', arguments: { a: 2, b: 3 } })
    expect(textOfResult(sum)).toBe('5')
    const deleted = await client.callTool({ name: 'deleteFile', arguments: { path: '/a' } })
    expect(textOfResult(deleted)).toBe('deleted /a')
    const greeted = await client.callTool({ name: 'greet', arguments: {} })
    expect(textOfResult(greeted)).toBe('Hello Ada')
    await client.close()
  })
})

it('over HTTP with the first SDK: sessions, questions, structured results', async () => {
  const files = deletions()
  const { served, listening: at } = await listening([add, files.tool, greet])
  const client = oldClient()
  await client.connect(new OldHttpTransport(new URL(at.url)) as never)
  await client.listTools()
  const sum = await client.callTool({ name: 'add', arguments: { a: 2, b: 3 } })
  expect(sum.structuredContent).toEqual({ sum: 5 })
  const deleted = await client.callTool({ name: 'deleteFile', arguments: { path: '/a' } })
  expect(textOfResult(deleted)).toBe('deleted /a')
  expect(textOfResult(await client.callTool({ name: 'greet', arguments: {} }))).toBe('Hello Ada')
  await client.close()
  await served.close()
})

/** The program and what it wrote, without a client between. */
class RawProgram {
  readonly child: ChildProcessWithoutNullStreams = spawn(process.execPath, [program.file])
  readonly messages: { readonly id?: unknown; readonly [key: string]: unknown }[] = []
  heard = ''
  #rest = ''
  readonly ended = new Promise<number | null>((resolve) => this.child.once('close', resolve))

  constructor() {
    this.child.stdin.on('error', () => {})
    this.child.stderr.on('data', (piece: Buffer) => (this.heard += String(piece)))
    this.child.stdout.on('data', (piece: Buffer) => {
      const lines = (this.#rest + String(piece)).split('\n')
      this.#rest = lines.pop()!
      for (const line of lines) this.messages.push(JSON.parse(line) as { id?: unknown })
    })
  }

  write(line: string | object): void {
    this.child.stdin.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`)
  }

  answer(id: unknown): Promise<{ readonly [key: string]: unknown }> {
    return expect
      .poll(() => this.messages.find((message) => message.id === id), { timeout: 60_000 })
      .toBeDefined()
      .then(() => this.messages.find((message) => message.id === id)!) as never
  }

  initialize(): void {
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'raw', version: '1' },
    }
    this.write({ jsonrpc: '2.0', id: 'init', method: 'initialize', params })
    this.write({ jsonrpc: '2.0', method: 'notifications/initialized' })
  }
}

it('goes on after garbage, and leaves when its client does', async () => {
  const raw = new RawProgram()
  raw.write('this is no JSON')
  raw.write('{"jsonrpc":"2.0"')
  raw.write('[[[[')
  raw.initialize()
  expect(await raw.answer('init')).toMatchObject({ result: { instructions: 'Be kind.' } })
  raw.write('null')
  raw.write({ jsonrpc: '2.0', id: 1, method: 'no/such/method' })
  expect(await raw.answer(1)).toMatchObject({ error: { code: -32601 } })
  const deep = '['.repeat(50_000) + ']'.repeat(50_000)
  raw.write(
    `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"add","arguments":{"a":${deep},"b":1}}}`,
  )
  raw.write({
    jsonrpc: '2.0',
    id: 3,
    method: 'tools/call',
    params: { name: 'add', arguments: { a: 1, b: 1 } },
  })
  expect(await raw.answer(3)).toMatchObject({ result: { structuredContent: { result: 2 } } })
  raw.child.stdin.end()
  expect(await raw.ended).toBe(0)
  expect(raw.heard).toContain('client left')
})

it('a cancelled call is aborted and has no second outcome', async () => {
  const raw = new RawProgram()
  raw.initialize()
  await raw.answer('init')
  raw.write({
    jsonrpc: '2.0',
    id: 7,
    method: 'tools/call',
    params: { name: 'waits', arguments: {} },
  })
  await expect.poll(() => raw.heard, { timeout: 60_000 }).toContain('waiting')
  raw.write({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } })
  // Again, and for what was never asked.
  raw.write({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } })
  raw.write({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 99 } })
  await expect.poll(() => raw.heard, { timeout: 60_000 }).toContain('aborted')
  // A call and its cancellation at once: one outcome or none, never two.
  for (let id = 100; id < 150; id++) {
    const params = { name: 'add', arguments: { a: id, b: 0 } }
    raw.write({ jsonrpc: '2.0', id, method: 'tools/call', params })
    raw.write({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } })
  }
  raw.write({ jsonrpc: '2.0', id: 8, method: 'tools/list' })
  await raw.answer(8)
  raw.child.stdin.end()
  await raw.ended
  expect(raw.messages.filter(({ id }) => id === 7)).toEqual([])
  for (let id = 100; id < 150; id++)
    expect(raw.messages.filter((message) => message.id === id).length).toBeLessThanOrEqual(1)
})
