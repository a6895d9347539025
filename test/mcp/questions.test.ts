/** Questions of a server in the middle of a call, over the old protocol: the run waits, the answer goes on or goes again. */
import { ChatClient, type RunState } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { afterEach, describe, expect, test } from 'vitest'
import { mcpTools, type McpTools } from '@toolwright/mcp'
import { MODES, rawServer, toldBy, type Mode, type RawServer, type Told } from './servers.ts'

const open: McpTools[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((tools) => tools.close()))
})

const toolsOf = (server: RawServer): McpTools => {
  const tools = mcpTools(server, { name: 'shop', trust: 'trusted', timeoutMs: 20_000 })
  open.push(tools)
  return tools
}

const SECRET = 'a secret that several processes know'
const go = (mode: Mode, request: ReturnType<ChatClient['prompt']>): Promise<Told> =>
  toldBy(mode === 'call' ? request.call() : request.stream())

const QUESTION = {
  server: 'shop',
  mode: 'form',
  message: 'Which size?',
  requestedSchema: {
    type: 'object',
    properties: { size: { type: 'integer', minimum: 1 } },
    required: ['size'],
  },
}

function clientOf(tools: McpTools, calls: readonly string[] = ['write']): ChatClient {
  const toolCalls = calls.map((name) => ({ name, arguments: { words: 'hi' } }))
  return ChatClient.create(scriptedModel([{ toolCalls }, 'Done.', 'Done.']), {
    stateSecret: SECRET,
    tools: [tools],
  })
}

/** State as another process gets it. */
const carried = (state: RunState | undefined): RunState =>
  JSON.parse(JSON.stringify(state)) as RunState

describe.each(MODES)('%s', (mode) => {
  test('the run waits, and the answer goes on with the very same call', async () => {
    const server = rawServer('asks')
    const client = clientOf(toolsOf(server))
    const { result } = await go(mode, client.prompt('Go'))
    expect(result.status).toBe('suspended')
    expect(result.pending).toMatchObject([
      { toolName: 'write', kind: 'question', question: QUESTION },
    ])
    const { callId } = result.pending![0]!
    const after = await go(
      mode,
      client.resume(carried(result.state), { [callId]: { answer: { size: 3 } } }),
    )
    expect(after.result.status).toBe('done')
    expect(after.told[0]).toMatchObject({
      content: 'write: {"action":"accept","content":{"size":3}}',
    })
    expect(server.ran()).toEqual(['call', 'answer {"action":"accept","content":{"size":3}}'])
  })

  test('another process calls again, and the answer is given when the same is asked', async () => {
    const server = rawServer('asks')
    const { result } = await go(mode, clientOf(toolsOf(server)).prompt('Go'))
    await open.pop()!.close()
    const { callId } = result.pending![0]!
    const elsewhere = ChatClient.create(scriptedModel(['Done.']), {
      stateSecret: SECRET,
      tools: [toolsOf(server)],
    })
    const after = await go(
      mode,
      elsewhere.resume(carried(result.state), { [callId]: { answer: { size: 3 } } }),
    )
    expect(after.told[0]).toMatchObject({
      content: 'write: {"action":"accept","content":{"size":3}}',
    })
    expect(server.ran().filter((line) => line === 'call')).toHaveLength(2)
  })

  test('an answer that does not fit is asked for again, and nothing is sent', async () => {
    const server = rawServer('asks')
    const client = clientOf(toolsOf(server))
    const first = await go(mode, client.prompt('Go'))
    const { callId } = first.result.pending![0]!
    const again = await go(
      mode,
      client.resume(first.result.state!, { [callId]: { answer: { size: 0 } } }),
    )
    expect(again.result.pending).toMatchObject([
      {
        kind: 'question',
        question: { ...QUESTION, problem: expect.stringContaining('$.size') as string },
      },
    ])
    expect(server.ran()).toEqual(['call'])
    const last = await go(
      mode,
      client.resume(again.result.state!, { [callId]: { answer: { action: 'decline' } } }),
    )
    expect(last.told[0]).toMatchObject({ content: 'write: {"action":"decline"}' })
  })

  test('a question that is denied ends the call at the server at once', async () => {
    const server = rawServer('asks')
    const client = clientOf(toolsOf(server))
    const { result } = await go(mode, client.prompt('Go'))
    const { callId } = result.pending![0]!
    const after = await go(mode, client.resume(result.state!, { [callId]: { deny: 'Not now.' } }))
    expect(after.told[0]).toMatchObject({
      content: expect.stringContaining('Not now.') as string,
      isError: true,
    })
    await expect.poll(() => server.ran(), { timeout: 20_000 }).toHaveLength(3)
    expect(server.ran()).toEqual(['call', 'cancelled', 'answer {"action":"cancel"}'])
  })

  test('several questions of one call, a form and an address, here and elsewhere', async () => {
    const server = rawServer('asks-twice')
    const client = clientOf(toolsOf(server))
    const first = await go(mode, client.prompt('Go'))
    const { callId } = first.result.pending![0]!
    const second = await go(
      mode,
      client.resume(first.result.state!, { [callId]: { answer: { size: 2 } } }),
    )
    expect(second.result.pending![0]!.question).toEqual({
      server: 'shop',
      mode: 'url',
      message: 'Pay',
      url: 'https://pay.example/7',
      elicitationId: 'e7',
    })
    await open.pop()!.close()
    const elsewhere = ChatClient.create(scriptedModel(['Done.']), {
      stateSecret: SECRET,
      tools: [toolsOf(server)],
    })
    const last = await go(
      mode,
      elsewhere.resume(carried(second.result.state), {
        [callId]: { answer: { action: 'accept' } },
      }),
    )
    expect(last.told[0]).toMatchObject({
      content: '[{"action":"accept","content":{"size":2}},{"action":"accept"}]',
    })
  })

  test('of two calls at once the one that asks waits, the other is answered', async () => {
    const client = clientOf(toolsOf(rawServer('asks-on-write')), ['echo', 'write'])
    const { result, told } = await go(mode, client.prompt('Go'))
    expect(told).toMatchObject([{ name: 'echo', content: 'echo: hi' }])
    expect(result.pending).toMatchObject([{ toolName: 'write', kind: 'question' }])
    const { callId } = result.pending![0]!
    const after = await go(
      mode,
      client.resume(result.state!, { [callId]: { answer: { size: 9 } } }),
    )
    expect(after.told[0]).toMatchObject({ content: '{"action":"accept","content":{"size":9}}' })
  })

  test('an address that is none of the web is not shown to anybody', async () => {
    const { told, notices } = await go(
      mode,
      clientOf(toolsOf(rawServer('asks-badly'))).prompt('Go'),
    )
    expect(told[0]).toMatchObject({ content: '{"action":"cancel"}' })
    expect(notices).toMatchObject([{ code: 'mcp-ignored' }])
  })

  test('a server that wants a visit first is called again after it', async () => {
    const client = clientOf(toolsOf(rawServer('wants-visit')))
    const { result } = await go(mode, client.prompt('Go'))
    expect(result.pending![0]!.question).toMatchObject({ mode: 'url', url: 'https://in.example/' })
    const { callId } = result.pending![0]!
    const after = await go(mode, client.resume(result.state!, { [callId]: { answer: 'accept' } }))
    expect(after.told[0]).toMatchObject({ content: 'write: hi' })
  })

  test('models and folders are refused unless they are given', async () => {
    const refused = await go(mode, clientOf(toolsOf(rawServer('asks-for-models'))).prompt('Go'))
    expect(refused.told[0]).toMatchObject({ content: '[{"error":-32601},{"error":-32601}]' })
    const tools = mcpTools(rawServer('asks-for-models'), {
      trust: 'trusted',
      sampling: scriptedModel(['Hi!']),
      roots: [{ uri: 'file:///srv/files' }],
    })
    open.push(tools)
    const answered = await go(mode, clientOf(tools).prompt('Go'))
    expect(answered.told[0]!.content).toMatch(/"text":"Hi!"/)
    expect(answered.told[0]!.content).toMatch(/file:\/\/\/srv\/files/)
  })
})
