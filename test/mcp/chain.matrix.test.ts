/**
 * client → serveTools() → mcpTools() → a server of others. That server asks a question; both of our processes are killed
 * while it waits; the answer reaches the server after they were started again, and the tool's work is done once.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inputRequired, type ServerContext } from '@modelcontextprotocol/server'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { McpServer } from '@toolwright/mcp'
import { startAsked, type AskedProcess } from '../processes/asked-process.ts'
import { bundleProgram, type BundledProgram } from '../processes/bundle-program.ts'
import type { ChainTask, ClientAnswers, ServerAnswers } from './chain-process.ts'
import { httpServer } from './http-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolwright-chain-'))
let program: BundledProgram
beforeAll(async () => {
  program = await bundleProgram(new URL('chain-process.ts', import.meta.url))
})
afterAll(() => {
  program[Symbol.dispose]()
  rmSync(folder, { recursive: true, force: true })
})

const closing: (() => void | Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

interface Theirs {
  readonly server: McpServer
  /** The work that was done. */
  effects(): readonly string[]
  /** States that came back, and those that were given out. */
  states?(): { readonly issued: readonly string[]; readonly returned: readonly string[] }
}

const requestedSchema = {
  type: 'object',
  properties: { size: { type: 'integer' } },
  required: ['size'],
} as const

/** Of the newer protocol, over HTTP: it keeps nothing but what it gives out. */
async function modernTheirs(): Promise<Theirs> {
  const effects: string[] = []
  const issued: string[] = []
  const returned: string[] = []
  const call = (_params: unknown, { mcpReq }: ServerContext): object => {
    const { size } = (mcpReq.inputResponses?.size as { content?: { size?: number } })?.content ?? {}
    const state = mcpReq.requestState<string>()
    if (state !== undefined) returned.push(state)
    if (size !== undefined) {
      effects.push(`size ${size}`)
      return { content: [{ type: 'text', text: `ordered in size ${size}` }] }
    }
    issued.push(`${issued.length} "é\\u0000 +/=%20 \u2028 {\t}" ${Math.random()}`)
    return inputRequired({
      inputRequests: {
        size: inputRequired.elicit({
          message: 'Which size?',
          requestedSchema: requestedSchema as never,
        }),
      },
      requestState: issued.at(-1)!,
    })
  }
  const inputSchema = { type: 'object', properties: { words: { type: 'string' } } }
  const server = await httpServer({ tools: [{ name: 'write', inputSchema }], call })
  closing.push(() => server.close())
  return {
    server: { url: server.url },
    effects: () => effects,
    states: () => ({ issued, returned }),
  }
}

/** Of the older protocol, a program: it asks in the middle of a call, and knows nothing any more when it is ended. */
function legacyTheirs(): Promise<Theirs> {
  const log = join(mkdtempSync(join(folder, 'theirs-')), 'calls')
  return Promise.resolve({
    server: {
      command: process.execPath,
      args: [fileURLToPath(new URL('raw-server.mjs', import.meta.url)), 'asks'],
      env: { CALL_LOG: log },
    },
    effects: () =>
      readFileSync(log, 'utf8')
        .split('\n')
        .filter((line) => line.startsWith('answer') && line.includes('accept')),
  })
}

test.each([
  ['modern', 'modern'],
  ['legacy', 'modern'],
  ['modern', 'legacy'],
  ['legacy', 'legacy'],
] as const)('%s to our server, %s to theirs', async (outer, inner) => {
  const theirs = await (inner === 'modern' ? modernTheirs() : legacyTheirs())
  const data = mkdtempSync(join(folder, 'ours-'))
  const start = async <Known extends ServerAnswers | ClientAnswers>(
    task: Omit<ChainTask, 'database' | 'tool'>,
  ): Promise<AskedProcess<Known>> => {
    const database = join(data, `${task.role}.db`)
    const started = await startAsked<Known>(program.file, { ...task, database, tool: 'write' })
    closing.push(() => started.kill('SIGKILL'))
    return started
  }
  const server = (port: number) =>
    start<ServerAnswers>({ role: 'server', upstream: theirs.server, era: inner, port })
  const client = (port: number) => {
    const upstream = { url: `http://127.0.0.1:${port}/mcp` }
    return start<ClientAnswers>({ role: 'client', upstream, era: outer, port: 0 })
  }
  const firstServer = await server(0)
  const port = await firstServer.ask('port', null)
  const firstClient = await client(port)
  const asked = await firstClient.ask('start', null)
  expect(asked.status).toBe('suspended')
  expect(asked.questions).toMatchObject([{ mode: 'form', message: 'Which size?' }])

  for (const life of [firstClient, firstServer]) {
    life.kill('SIGKILL')
    await life.ended
  }
  expect(theirs.effects()).toEqual([])
  await server(port)
  const secondClient = await client(port)
  const after = await secondClient.ask('answer', { answer: { size: 42 } })
  expect(after).toMatchObject({ status: 'done', told: [{ name: 'write' }] })
  expect(JSON.stringify(after.told)).toContain('42')
  expect(theirs.effects()).toHaveLength(1)
  const states = theirs.states?.()
  if (states) expect(states.returned).toEqual([states.issued.at(-1)])
  // A call of the older protocol ends with its connection, and is made anew; one of the newer goes on.
  if (states && outer === 'modern') expect(states.issued).toHaveLength(1)
})
