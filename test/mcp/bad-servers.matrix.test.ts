/** Servers that do what they must not do: the conversation goes on, nothing runs twice, no process stays. */
import { execFileSync } from 'node:child_process'
import { McpError } from 'toolwright'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { mcpTools, type McpTools, type McpToolsOptions } from '@toolwright/mcp'
import { ask, MODES, rawServer, type RawServer } from './servers.ts'

const open: McpTools[] = []
const echo = { name: 'echo', arguments: { words: 'hi' } }
const write = { name: 'write', arguments: { words: 'hi' } }

function started(
  behaviour: string,
  options: McpToolsOptions = {},
  detail?: string,
): { readonly server: RawServer; readonly tools: McpTools } {
  const server = rawServer(behaviour, detail)
  const tools = mcpTools(server, { name: 'raw', timeoutMs: 20_000, ...options })
  open.push(tools)
  return { server, tools }
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((tools) => tools.close()))
})

const codeOf = async (work: Promise<unknown>): Promise<string> => {
  const thrown: unknown = await work.then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(thrown).toBeInstanceOf(McpError)
  return (thrown as McpError).code
}

describe.each(MODES)('%s', (mode) => {
  test('a server that dies in a call: an error that says so, once, and the next call starts it again', async () => {
    const { server, tools } = started('dies-in-call')
    const { result, told } = await ask(tools, [echo], { mode })
    expect(result.status).toBe('done')
    expect(told[0]).toMatchObject({ isError: true })
    expect(told[0]!.content).toMatch(/nothing says whether it ran/)
    expect(told[0]!.content).toMatch(/out of memory/)
    expect(told[0]!.content).not.toMatch(/hunter22/)
    expect(server.ran()).toEqual(['call'])
    await ask(tools, [echo], { mode })
    expect(server.ran()).toEqual(['call', 'call'])
  })

  test('a read-only tool of a trusted server is called a second time, and not a third', async () => {
    const { server, tools } = started('dies-in-call', { trust: 'trusted' })
    const { told, notices } = await ask(tools, [echo], { mode })
    expect(told[0]!.isError).toBe(true)
    expect(server.ran()).toEqual(['call', 'call'])
    expect(notices.map(({ code }) => code)).toContain('mcp-connection')
  })

  test('a writing tool of a trusted server is not', async () => {
    const { server, tools } = started('dies-in-call', { trust: 'trusted' })
    await ask(tools, [write], { mode })
    expect(server.ran()).toEqual(['call'])
  })

  test('garbage between messages is passed over', async () => {
    const { tools } = started('garbage')
    const { told } = await ask(tools, [echo], { mode })
    expect(told[0]).toMatchObject({ content: 'echo: hi' })
  })

  test('a line of a megabyte is read, one of 40 is refused, and the connection stays', async () => {
    const large = started('large-line')
    const { told } = await ask(large.tools, [echo], { mode, limits: { resultBytes: 'unlimited' } })
    expect((told[0]!.content as string).length).toBe(1_500_000)
    const tooLarge = started('too-large-line')
    const refused = await ask(tooLarge.tools, [echo, echo], { mode })
    expect(refused.told.map(({ isError }) => isError)).toEqual([true, true])
    expect(refused.told[0]!.content).toMatch(/bytes, more than/)
  })

  test('a line without an end ends the server', async () => {
    const { tools } = started('endless-line')
    const { told } = await ask(tools, [echo], { mode })
    expect(told[0]).toMatchObject({ isError: true })
  })

  test('ids that were not asked, asked as text, or answered twice are ignored', async () => {
    const { tools } = started('odd-ids')
    const { told, notices } = await ask(tools, [echo, echo], { mode })
    expect(told.map(({ content }) => content)).toEqual(['echo: hi', 'echo: hi'])
    const ignored = notices.filter(({ code }) => code === 'mcp-ignored')
    expect(ignored.map(({ message }) => message).join('\n')).toMatch(/987654/)
  })

  test.each([
    ['error-object', '', /No such thing/],
    ['odd-error', '', /no reason/],
    ['wrong-shape', '{}', /no content/],
    ['wrong-shape', '{"content":"text"}', /no content/],
    ['wrong-shape', '"text"', /no result/],
    ['wrong-shape', 'null', /no result/],
    ['wrong-shape', '[]', /no result/],
    ['wrong-shape', '{"resultType":"task","taskId":"1"}', /"task", which is not known/],
  ])('%s %s is an error that the model reads', async (behaviour, detail, words) => {
    const { server, tools } = started(behaviour, {}, detail)
    const { told, result } = await ask(tools, [echo], { mode })
    expect(told[0]).toMatchObject({ isError: true })
    expect(told[0]!.content).toMatch(words)
    expect(result.status).toBe('done')
    expect(server.ran().length).toBeLessThan(2)
  })

  test('a storm of requests is not answered without end, and the call ends well', async () => {
    const { tools } = started('request-storm')
    const { told, notices } = await ask(tools, [echo], { mode })
    expect(told[0]).toMatchObject({ content: 'echo: hi' })
    expect(notices.map(({ message }) => message).join('\n')).toMatch(/asked more than 100 times/)
  })
})

describe('starting and listing', () => {
  test('a command that does not exist', async () => {
    const tools = mcpTools({ command: '/no/such/program' })
    expect(await codeOf(tools.toolCallbacks() as Promise<unknown>)).toBe('mcp-unreachable')
    await tools.close()
  })

  test('a server that ends at once: its last words are in the error', async () => {
    const { tools } = started('dies-at-start')
    await expect(tools.toolCallbacks()).rejects.toThrow(/no licence found/)
  })

  test('a server that never answers', async () => {
    const { tools } = started('mute', { timeoutMs: 300 })
    expect(await codeOf(tools.toolCallbacks())).toBe('mcp-timeout')
  })

  test('a protocol of another age', async () => {
    const { tools } = started('wrong-version')
    expect(await codeOf(tools.toolCallbacks())).toBe('mcp-version')
  })

  test('pages are followed; pages without end are cut; pages in a circle end', async () => {
    const names = async (behaviour: string): Promise<number> =>
      (await started(behaviour).tools.toolCallbacks()).length
    expect(await names('pages')).toBe(2)
    expect(await names('endless-pages')).toBe(1_000)
    expect(await names('circle-of-pages')).toBe(1)
    const { notices } = await ask(started('circle-of-pages').tools, [echo])
    expect(notices).toMatchObject([{ code: 'mcp-tool-quarantined' }, { code: 'mcp-list' }])
  })

  test('5,000 tools', async () => {
    const { tools } = started('many')
    const first = await tools.toolCallbacks()
    expect(first).toHaveLength(5_000)
    expect((await tools.toolCallbacks())[4_999]).toBe(first[4_999])
  })

  test('a storm of news that the list changed is one more list, when it is over', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const { server, tools } = started('storm')
    const lists = async (): Promise<number> => {
      // The answer to the call comes after all news, so they have been taken.
      await ask(tools, [echo])
      return server.ran().filter((line) => line === 'list').length
    }
    expect([await lists(), await lists(), await lists()]).toEqual([1, 1, 1])
    vi.setSystemTime(Date.now() + 60_000)
    expect([await lists(), await lists()]).toEqual([2, 2])
  })

  test('tools that cannot be offered are left out with a reason, the others stay', async () => {
    const { tools } = started('broken')
    const { notices, told } = await ask(tools, [echo])
    expect(told[0]).toMatchObject({ content: 'echo: hi' })
    expect(tools.quarantined.map(({ name }) => name)).toEqual([
      'no-type',
      'no-schema',
      'wrong',
      'lost-ref',
      'header',
      'undefined',
      'undefined',
      '',
    ])
    expect(notices.filter(({ code }) => code === 'mcp-tool-quarantined')).toHaveLength(8)
    const names = (await tools.toolCallbacks()).map(({ definition }) => definition.name)
    expect(names).toEqual(['echo', expect.stringMatching(/^dots_and_more_[0-9a-f]{8}$/), 'write'])
  })

  test('a reference to elsewhere is not fetched', async () => {
    const { tools } = started('remote-ref', {}, 'https://schemas.example/a.json')
    expect(await tools.toolCallbacks()).toHaveLength(1)
    expect(tools.quarantined[0]!.reason).toMatch(/another document/)
  })

  test('definitions that refer to themselves work', async () => {
    const { tools } = started('cyclic')
    const call = { name: 'tree', arguments: { root: { children: [{ children: [] }] } } }
    const { told } = await ask(tools, [
      call,
      { name: 'tree', arguments: { root: { children: [7] } } },
    ])
    expect(told[0]!.isError).toBeUndefined()
    expect(told[1]).toMatchObject({ isError: true })
  })

  test('a tool that is listed twice is offered once', async () => {
    const { tools } = started('duplicates')
    expect((await tools.toolCallbacks()).map(({ definition }) => definition.description)).toEqual([
      'Says it again',
      'Writes it down',
    ])
    expect(tools.quarantined).toMatchObject([{ name: 'echo', reason: 'the list has it twice' }])
  })
})

describe('processes', () => {
  const isAlive = (pid: number): boolean => {
    try {
      // A process that has ended and was not waited for still has its number.
      return !execFileSync('ps', ['-o', 'stat=', '-p', String(pid)])
        .toString()
        .startsWith('Z')
    } catch {
      return false
    }
  }

  test('a server goes with the programs that it started', async () => {
    const { tools } = started('family')
    const { told } = await ask(tools, [echo])
    const pids = (told[0]!.content as string).split(' ').map(Number)
    expect(pids.map(isAlive)).toEqual([true, true])
    await tools.close()
    expect(pids.map(isAlive)).toEqual([false, false])
  })

  test('one that does not want to end is ended', async () => {
    const { tools } = started('stubborn')
    const { told } = await ask(tools, [echo])
    const pid = Number(told[0]!.content)
    expect(isAlive(pid)).toBe(true)
    await tools.close()
    expect(isAlive(pid)).toBe(false)
  })

  test('a server gets a few harmless variables, and what it is given', async () => {
    process.env.SECRET_OF_THE_PARENT = 'hidden'
    const { tools } = started('environment')
    const { told } = await ask(tools, [echo])
    delete process.env.SECRET_OF_THE_PARENT
    const names = Object.keys(JSON.parse(told[0]!.content as string) as object)
    const known = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER', 'CALL_LOG']
    expect(names.filter((name) => !known.includes(name) && !name.startsWith('__'))).toEqual([])
    expect(names).toContain('CALL_LOG')
  })
})
