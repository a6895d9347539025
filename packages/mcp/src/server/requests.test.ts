/** What a tool asks of a client besides a person's answer, what it reports on its way, and the headers of its arguments. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'
import { tool, type Json, type JsonSchema, type ToolContext } from 'toolwright'
import { accept, deletions, rpc, serve, textOfResult } from './serving.cases.ts'

const toolOf = (
  execute: (context: ToolContext) => unknown,
  input: JsonSchema = { type: 'object' },
) =>
  tool({
    name: 'works',
    description: 'Works',
    input,
    execute: (_input: unknown, context: ToolContext) => execute(context),
  })

const CALL = { name: 'works', arguments: {} }
const SAMPLE: Json = {
  mode: 'sampling',
  messages: [{ role: 'user', content: { type: 'text', text: 'Say hello' } }],
  maxTokens: 10,
}
const NAME: Json = {
  message: 'Who?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
}

describe.each(['modern', 'legacy'] as const)('a client of the %s protocol', (era) => {
  async function connect(url: string, capabilities: object): Promise<Client> {
    const client = new Client(
      { name: 'test', version: '1' },
      { capabilities, versionNegotiation: { mode: era === 'modern' ? 'auto' : 'legacy' } },
    )
    await client.connect(new StreamableHTTPClientTransport(new URL(url)))
    return client
  }

  it('is asked for words of its model and for its folders', async () => {
    const url = await serve(
      toolOf(({ suspend }) => JSON.stringify([suspend(SAMPLE), suspend({ mode: 'roots' })])),
    )
    const client = await connect(url, { sampling: {}, roots: {} })
    client.setRequestHandler('sampling/createMessage', ({ params }) => ({
      role: 'assistant' as const,
      content: { type: 'text' as const, text: `Hello in ${params.maxTokens}` },
      model: 'm',
    }))
    client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///a' }] }))
    expect(textOfResult(await client.callTool(CALL))).toMatch(/Hello in 10.*file:\/\/\/a/)
    await client.close()
  })

  it('that cannot be asked for them is told what it lacks', async () => {
    const client = await connect(await serve(toolOf(({ suspend }) => suspend(SAMPLE))), {})
    const answer = await client.callTool(CALL).catch((error: unknown) => error)
    expect(
      JSON.stringify(answer, ['message', 'content', 'text', 'isError']) + String(answer),
    ).toMatch(/does not declare the sampling capability/)
    await client.close()
  })

  it('hears messages for its log, without secrets, from the level that it wants', async () => {
    const url = await serve(
      toolOf(({ progress }) => {
        progress({ level: 'debug', data: 'too quiet' })
        progress({ level: 'warning', data: 'key sk-abcdef0123456789abcdef', logger: 'disk' })
        progress({ level: 'error', data: { full: true } })
        progress({ level: 'loud', data: 'this is progress' })
        return 'done'
      }),
    )
    const client = await connect(url, {})
    const heard: unknown[] = []
    client.setNotificationHandler('notifications/message', ({ params }) => void heard.push(params))
    if (era === 'legacy') await client.setLoggingLevel('info')
    const _meta = era === 'modern' ? { 'io.modelcontextprotocol/logLevel': 'info' } : {}
    await client.callTool({ ...CALL, _meta })
    await expect.poll(() => heard.length).toBe(2)
    expect(heard).toMatchObject([
      { level: 'warning', logger: 'disk' },
      { level: 'error', data: { full: true } },
    ])
    expect(JSON.stringify(heard)).not.toContain('abcdef0123456789')
    await client.close()
  })
})

describe('answers that come before the question', () => {
  const several = (requests: Json) =>
    toolOf(({ suspend }) => JSON.stringify(suspend({ mode: 'several', requests })))
  const can = { capabilities: { elicitation: {} } }

  it('count for keys that the tool gave', async () => {
    const url = await serve(several({ who: NAME }))
    const inputResponses = { who: accept({ name: 'Ada' }), other: accept({}) }
    const { result } = await rpc(url, 'tools/call', { ...CALL, inputResponses }, can)
    expect(textOfResult(result!)).toBe('{"who":{"name":"Ada"}}')
  })

  it('never approve anything', async () => {
    const files = deletions()
    const url = await serve(files.tool)
    const call = { name: 'deleteFile', arguments: { path: '/a' } }
    for (const key of ['call', 'approve', 'deleteFile']) {
      const inputResponses = { [key]: accept({ approve: true }) }
      const { result } = await rpc(url, 'tools/call', { ...call, inputResponses }, can)
      expect(result).toMatchObject({ resultType: 'input_required' })
    }
    expect(files.done).toEqual([])
  })

  it('what is optional is not asked of a client that cannot answer it', async () => {
    const who = { ...(NAME as object), optional: true } as Json
    const words = { ...(SAMPLE as object), optional: true } as Json
    const url = await serve(several({ who, words }))
    const { result } = await rpc(url, 'tools/call', CALL, { capabilities: { sampling: {} } })
    expect(Object.keys(result!.inputRequests as object)).toEqual(['words'])
    const neither = await rpc(url, 'tools/call', CALL)
    expect(textOfResult(neither.result!)).toBe('{}')
  })
})

it('a tool that waits forever for what need not be asked is stopped', async () => {
  let rounds = 0
  const url = await serve(
    toolOf(({ suspend }) => {
      rounds++
      for (;;) suspend({ mode: 'several', requests: { x: { mode: 'roots', optional: true } } })
    }),
    { limits: { toolTimeoutMs: 60_000 } },
  )
  const { error } = await rpc(url, 'tools/call', CALL)
  expect(error).toMatchObject({ code: -32603 })
  expect(rounds).toBe(17)
})

describe('tasks by rules', () => {
  const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } }
  const takes = { capabilities: { elicitation: {}, ...TASKS } }

  it('one that is required refuses clients that take none', async () => {
    const ran: string[] = []
    const url = await serve(
      toolOf(() => void ran.push('ran')),
      {
        tasks: { works: { required: true } },
      },
    )
    const { error } = await rpc(url, 'tools/call', CALL)
    expect(error).toMatchObject({ code: -32021, data: { requiredCapabilities: TASKS } })
    expect(ran).toEqual([])
    expect((await rpc(url, 'tools/call', CALL, takes)).result).toMatchObject({ resultType: 'task' })
  })

  it('one that asks several things shows what is left as soon as an answer was taken', async () => {
    const requests = { a: NAME, b: NAME }
    const asks = toolOf(({ suspend }) => JSON.stringify(suspend({ mode: 'several', requests })))
    const url = await serve(asks, { tasks: { works: {} } })
    const { taskId } = (await rpc(url, 'tools/call', CALL, takes)).result!
    const get = async () => (await rpc(url, 'tasks/get', { taskId }, takes)).result!
    const update = (inputResponses: object) =>
      rpc(url, 'tasks/update', { taskId, inputResponses }, takes)
    await expect.poll(async () => (await get()).status).toBe('input_required')
    await update({ a: accept({ name: 'Ada' }) })
    const left = await get()
    expect(left.status).toBe('input_required')
    expect(Object.keys(left.inputRequests as object)).toEqual(['b'])
    await update({ b: accept({ name: 'Alan' }) })
    await expect.poll(async () => (await get()).status).toBe('completed')
    expect(textOfResult((await get()).result as object)).toContain('Alan')
  })

  it('others are waited for, also where all else becomes tasks', async () => {
    const url = await serve(
      toolOf(() => 'at once'),
      { taskAfterMs: 0, tasks: { works: false } },
    )
    const { result } = await rpc(url, 'tools/call', CALL, takes)
    expect(textOfResult(result!)).toBe('at once')
  })

  it('one that asks first begins with its answer, and not with a state that does not count', async () => {
    const url = await serve(
      toolOf(({ suspend }) => `For ${String(suspend('Whom?'))}`),
      {
        tasks: { works: { asksFirst: true } },
      },
    )
    const { result } = await rpc(url, 'tools/call', CALL, takes)
    expect(result).toMatchObject({ resultType: 'input_required' })
    const inputResponses = { call: accept({ answer: 'Ada' }) }
    const requestState = String(result!.requestState)
    const forged = { ...CALL, inputResponses, requestState: `${requestState}x` }
    expect((await rpc(url, 'tools/call', forged, takes)).error).toMatchObject({ code: -32602 })
    const again = { ...CALL, inputResponses, requestState }
    const task = await rpc(url, 'tools/call', again, takes)
    expect(task.result).toMatchObject({ resultType: 'task' })
    const { taskId } = task.result!
    const get = () => rpc(url, 'tasks/get', { taskId }, takes)
    await expect.poll(async () => (await get()).result!.status).toBe('completed')
    expect(textOfResult((await get()).result!.result as object)).toBe('For Ada')
  })
})

describe('an argument that stands in a header, too', () => {
  const schema = {
    type: 'object',
    properties: {
      region: { type: 'string', 'x-mcp-header': 'Region' },
      inner: { type: 'object', properties: { size: { type: 'integer', 'x-mcp-header': 'Size' } } },
    },
  } as JsonSchema
  const call = { name: 'works', arguments: { region: 'Zürich', inner: { size: 42 } } }
  const region = `=?base64?${Buffer.from('Zürich').toString('base64')}?=`

  it('is taken where both say the same', async () => {
    const url = await serve(toolOf(() => 'ran', schema))
    const headers = { 'mcp-param-region': region, 'mcp-param-size': '42.0' }
    expect(textOfResult((await rpc(url, 'tools/call', call, { headers })).result!)).toBe('ran')
    expect(textOfResult((await rpc(url, 'tools/call', CALL)).result!)).toBe('ran')
  })

  it.each([
    [{ 'mcp-param-region': region }],
    [{ 'mcp-param-region': region, 'mcp-param-size': '43' }],
    [{ 'mcp-param-region': 'Bern', 'mcp-param-size': '42' }],
    [{ 'mcp-param-region': '=?base64?Zg?=', 'mcp-param-size': '42' }],
  ])('is refused with %o', async (headers) => {
    const url = await serve(toolOf(() => 'ran', schema))
    const answer = await rpc(url, 'tools/call', call, { id: 7, headers: headers as never })
    expect(answer).toMatchObject({ status: 400, id: 7, error: { code: -32020 } })
  })
})
