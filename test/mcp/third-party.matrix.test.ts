/** Six servers that others wrote, merged into one source: everything is listed, called in conversations, found, and ended. */
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ChatClient, type ToolCallback } from 'toolwright'
import { scriptedModel, type ScriptedCall } from 'toolwright/testing'
import { keywordToolIndex, toolSearchAdvisor } from 'toolwright/tool-search'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { mcpTools, type McpSource, type McpTools } from '@toolwright/mcp'
import { descendantsOf, isAlive } from './descendants.ts'
import { MODES, toldBy, type Mode, type Told } from './servers.ts'
import { HINT, isMissing, toolchain } from './toolchains.ts'

/** What each lists for a client that can be asked and offers neither a model nor folders. */
const SERVERS = [
  { name: 'everything', tools: 15 },
  { name: 'filesystem', tools: 14 },
  { name: 'memory', tools: 9 },
  { name: 'sequential-thinking', tools: 1 },
  { name: 'github', tools: 26 },
  { name: 'playwright', tools: 25, program: 'playwright-mcp', args: ['--headless'] },
] as const
const TOOLS = SERVERS.reduce((sum, { tools }) => sum + tools, 0)

const programOf = (server: (typeof SERVERS)[number]): string =>
  `.bin/${'program' in server ? server.program : `mcp-server-${server.name}`}`
const missing = isMissing(...SERVERS.map(programOf))

let folder = ''
let tools: McpTools
let callbacks: readonly ToolCallback[] = []

const sourceOf = (server: (typeof SERVERS)[number]): McpSource => ({
  command: process.execPath,
  args: [
    toolchain(programOf(server)),
    ...('args' in server ? server.args : server.name === 'filesystem' ? [folder] : []),
  ],
  env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') },
  name: server.name,
  trust: 'trusted',
})

beforeAll(async () => {
  if (missing) return
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-others-')))
  tools = mcpTools(SERVERS.map(sourceOf))
  callbacks = await tools.toolCallbacks()
})
afterAll(async () => {
  await tools?.close()
  if (folder) rmSync(folder, { recursive: true, force: true })
})
beforeEach(({ skip }) => skip(missing, HINT))

/** Makes these calls one after the other; what asks whether it may run may. */
async function approving(mode: Mode, calls: readonly ScriptedCall[]): Promise<Told> {
  const model = scriptedModel([...calls.map((call) => ({ toolCalls: [call] })), 'Done.'])
  const client = ChatClient.create(model, { tools: [tools] })
  const go = (request: ReturnType<ChatClient['prompt']>): Promise<Told> =>
    toldBy(mode === 'call' ? request.call() : request.stream())
  let all = await go(client.prompt('Go'))
  while (all.result.status === 'suspended') {
    const asked = all.result.pending!.map(({ callId }) => [callId, 'approve'] as const)
    const next = await go(client.resume(all.result.state!, Object.fromEntries(asked)))
    all = { ...next, told: [...all.told, ...next.told], events: [...all.events, ...next.events] }
  }
  return all
}

test(`all ${TOOLS} tools are offered, none is held back`, () => {
  console.log(`${callbacks.length} tools of ${SERVERS.length} servers that others wrote`)
  expect(tools.quarantined).toEqual([])
  expect(callbacks).toHaveLength(TOOLS)
  expect(new Set(callbacks.map(({ definition }) => definition.name)).size).toBe(TOOLS)
})

describe.each(MODES)('%s', (mode) => {
  test('a conversation that uses all of them', async () => {
    const path = join(folder, `${mode}.txt`)
    const thought = {
      thought: 'One is enough',
      nextThoughtNeeded: false,
      thoughtNumber: 1,
      totalThoughts: 1,
    }
    const entity = { name: `Ada by ${mode}`, entityType: 'person', observations: ['writes'] }
    const { result, told, events } = await approving(mode, [
      { name: 'echo', arguments: { message: 'hi' } },
      { name: 'get-sum', arguments: { a: 2, b: 3 } },
      { name: 'get-structured-content', arguments: { location: 'Chicago' } },
      { name: 'get-tiny-image', arguments: {} },
      { name: 'trigger-long-running-operation', arguments: { duration: 1, steps: 2 } },
      { name: 'write_file', arguments: { path, content: 'written' } },
      { name: 'read_text_file', arguments: { path } },
      { name: 'create_entities', arguments: { entities: [entity] } },
      { name: 'search_nodes', arguments: { query: entity.name } },
      { name: 'sequentialthinking', arguments: thought },
      // Without a network and without a browser they say so, and the conversation goes on.
      { name: 'get_issue', arguments: { owner: 'no-such-owner-', repo: 'b', issue_number: 1 } },
      { name: 'browser_navigate', arguments: { url: 'about:blank' } },
    ])
    expect(result.status).toBe('done')
    expect(told.slice(0, -2).map(({ isError }) => isError)).toEqual(Array(10).fill(undefined))
    const words = told.map(({ content }) => JSON.stringify(content))
    expect(words[0]).toContain('Echo: hi')
    expect(words[1]).toContain('5')
    expect(words[2]).toMatch(/temperature/)
    expect(words[3]).toContain('image/png')
    expect(words[6]).toContain('written')
    expect(words[8]).toContain(entity.name)
    expect(readFileSync(path, 'utf8')).toBe('written')
    expect(told).toHaveLength(12)
    expect(told[10]).toMatchObject({ isError: true })
    expect(words[11]).not.toBe('""')
    const progress = events.filter(({ type }) => type === 'tool-progress')
    expect(progress.length).toBeGreaterThan(0)
  })

  test('a question of theirs waits for a person', async () => {
    const model = scriptedModel([
      { toolCalls: [{ name: 'trigger-elicitation-request', arguments: {} }] },
      'Done.',
    ])
    const client = ChatClient.create(model, { tools: [tools] })
    const go = (request: ReturnType<ChatClient['prompt']>) =>
      toldBy(mode === 'call' ? request.call() : request.stream())
    const { result } = await go(client.prompt('Go'))
    expect(result.pending).toMatchObject([
      { kind: 'question', question: { server: 'everything', mode: 'form' } },
    ])
    const { callId } = result.pending![0]!
    const after = await go(client.resume(result.state!, { [callId]: { answer: { name: 'Ada' } } }))
    expect(JSON.stringify(after.told[0]!.content)).toContain('Ada')
  })

  test('one of them is found by searching, and called', async () => {
    const model = scriptedModel([
      { toolCalls: [{ name: 'toolSearchTool', arguments: { queries: ['add two numbers'] } }] },
      { toolCalls: [{ name: 'get-sum', arguments: { a: 40, b: 2 } }] },
      'Done.',
    ])
    const client = ChatClient.create(model, {
      tools: [tools],
      advisors: [toolSearchAdvisor({ index: keywordToolIndex() })],
    })
    const request = client.prompt('What is 40 + 2?')
    const { told } = await toldBy(mode === 'call' ? request.call() : request.stream())
    const offered = model.prompts.map(({ options }) =>
      (options?.tools ?? []).map((one) => (one as ToolCallback).definition.name),
    )
    expect(offered[0]).toEqual(['toolSearchTool'])
    expect(offered[1]).toContain('get-sum')
    expect(offered[1]!.length).toBeLessThanOrEqual(6)
    expect(JSON.stringify(told.at(-1)!.content)).toContain('42')
  })
})

test('closing ends all of their processes', async () => {
  const pids = descendantsOf()
  expect(pids.length).toBeGreaterThanOrEqual(SERVERS.length)
  await tools.close()
  expect(pids.filter(isAlive)).toEqual([])
})
