/** A playground on loopback for a test, and a page that asks it. */
import { mkdtemp, rm } from 'node:fs/promises'
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '@toolwright/sql'
import type { Playground, PlaygroundOptions, PlaygroundTools } from '@toolwright/playground'
import type { ChatModel, ToolCallback } from 'toolwright'
import { onTestFinished } from 'vitest'
// The front door has no ports; a heartbeat of 15 seconds is too long for a test.
import { openPlayground, type Ports } from '../../packages/playground/src/serve-playground.ts'
import { pageFiles } from '../../packages/playground/src/server/page-files.ts'

export interface Scene extends Partial<Omit<PlaygroundOptions, 'tools' | 'models'>> {
  readonly tools?: readonly ToolCallback[] | PlaygroundTools
  readonly model?: ChatModel
  readonly models?: PlaygroundOptions['models']
  readonly ports?: Partial<Ports>
}

export interface Reply {
  readonly status: number
  readonly body: any
  readonly headers: IncomingHttpHeaders
}

export interface Page {
  readonly playground: Playground
  readonly folder: string
  readonly warnings: readonly string[]
  get(path: string): Promise<Reply>
  post(path: string, body?: unknown): Promise<Reply>
  delete(path: string): Promise<Reply>
  /** All events until the stream ends or `until` is true of one. */
  events(path: string, until?: (event: any) => boolean): Promise<any[]>
  raw(options: RawRequest): Promise<Reply & { readonly text: string }>
  /** A conversation with its id. */
  conversation(): Promise<string>
  /** Starts a turn and reads it to its end, or until it waits. */
  turn(id: string, text: string): Promise<any[]>
}

export interface RawRequest {
  readonly method?: string
  readonly path: string
  readonly headers?: { readonly [name: string]: string | readonly string[] }
  readonly body?: string | Uint8Array
}

/** In a folder that goes with the test. */
export async function served(scene: Scene = {}): Promise<Page> {
  const folder = scene.folder ?? (await temporary())
  const database = scene.database ?? (await openDatabase(`file:${join(folder, 'kept.db')}`))
  const { tools = [], model, ports, ...rest } = scene
  const warnings: string[] = []
  const playground = await openPlayground(
    {
      tools: isLive(tools) ? tools : fixedTools(tools),
      models: [{ id: 'one', label: 'One', model: model ?? silent }],
      database,
      folder,
      warn: (message) => warnings.push(message),
      ...rest,
    },
    { heartbeatMs: 15_000, bodyMs: 30_000, page: pageFiles(), ...ports },
  )
  onTestFinished(async () => {
    await playground.close()
    await database.close()
  })
  return pageOf(playground, { folder, warnings })
}

export async function temporary(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'playground-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const isLive = (tools: Scene['tools']): tools is PlaygroundTools =>
  !Array.isArray(tools) && tools !== undefined

export const fixedTools = (tools: readonly ToolCallback[]): PlaygroundTools => ({
  sources: ['tools.ts'],
  list: async () => tools.map((callback) => ({ callback, source: 'tools.ts' })),
  runSources: () => tools,
  problem: undefined,
  quarantined: [],
  onChange: () => () => {},
})

const silent: ChatModel = {
  provider: 'none',
  model: 'none',
  capabilities: {},
  options: {},
  call: () => Promise.reject(new Error('no model')),
  stream: () => {
    throw new Error('no model')
  },
}

let requests = 0
export const requestId = (): string => `request-${++requests}`

function pageOf(playground: Playground, rest: Pick<Page, 'folder' | 'warnings'>): Page {
  const { port } = playground
  const token = new URL(playground.url).searchParams.get('token')!
  const headers = { 'x-toolwright-token': token }
  const raw: Page['raw'] = (options) => rawRequest(port, options)
  const ask = (method: string, path: string, body?: unknown) =>
    raw({
      method,
      path,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const page: Page = {
    ...rest,
    playground,
    raw,
    get: (path) => ask('GET', path),
    post: (path, body) => ask('POST', path, body),
    delete: (path) => ask('DELETE', path),
    events: (path, until) => readEvents(`http://127.0.0.1:${port}${path}`, { headers, until }),
    conversation: async () => (await page.post('/api/conversations')).body.id as string,
    async turn(id, text) {
      const asked = { requestId: requestId(), text, model: 'one' }
      const started = await page.post(`/api/conversations/${id}/turns`, asked)
      if (started.status !== 202) throw new Error(JSON.stringify(started.body))
      return page.events(`/api/conversations/${id}/events`, ({ type }) => type === 'pending')
    },
  }
  return page
}

function rawRequest(
  port: number,
  { method = 'GET', path, headers = {}, body }: RawRequest,
): Promise<Reply & { readonly text: string }> {
  return new Promise((resolve, reject) => {
    const setHost = !('host' in headers)
    const request = httpRequest({ host: '127.0.0.1', port, method, path, setHost, agent: false })
    for (const [name, value] of Object.entries(headers))
      request.setHeader(name, value as string | string[])
    request.on('error', reject)
    request.on('response', (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(pieces).toString()
        const isJson = response.headers['content-type']?.startsWith('application/json')
        resolve({
          status: response.statusCode!,
          headers: response.headers,
          text,
          body: isJson ? JSON.parse(text) : undefined,
        })
      })
    })
    request.end(body)
  })
}

interface Reading {
  readonly headers: { readonly [name: string]: string }
  readonly until?: ((event: any) => boolean) | undefined
}

async function readEvents(url: string, { headers, until }: Reading): Promise<any[]> {
  const leave = new AbortController()
  const response = await fetch(url, { headers, signal: leave.signal })
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`)
  const events: any[] = []
  let text = ''
  for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
    const frames = (text + piece).split('\n\n')
    text = frames.pop()!
    for (const frame of frames) {
      const data = frame.split('\n').find((line) => line.startsWith('data: '))
      if (!data) continue
      events.push(JSON.parse(data.slice(6)))
      if (!until?.(events.at(-1))) continue
      leave.abort()
      return events
    }
  }
  return events
}
