/** `toolwright mcp <file>`: real clients of MCP against the real command, over stdio and HTTP. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { on, once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { mcpTools } from '@toolwright/mcp'
import { beforeAll, afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { BIN, cleanEnvironment, runCommand } from './command-process.ts'
import { Project } from './project.ts'

const TOOLS = `
import { tool } from 'toolwright'
console.log('noise while loading')
const text = { type: 'string' } as const
const object = <P extends object>(properties: P) =>
  ({ type: 'object', properties, required: Object.keys(properties) }) as const
export const loud = tool({
  name: 'loud', description: 'Print, then answer', input: object({ text }), hints: { readOnly: true },
  execute: ({ text }) => {
    console.log('noise on the console')
    process.stdout.write('{"jsonrpc":"2.0","noise":true}\\n')
    console.table([1])
    return 'heard ' + text
  },
})
export const remove = tool({
  name: 'remove', description: 'Remove a file', input: object({ path: text }),
  hints: { destructive: true }, execute: ({ path }) => 'removed ' + path,
})
export const stray = tool({
  name: 'stray', description: 'Fail later',
  execute: () => { setTimeout(() => { throw new Error('much later') }); return 'fine' },
})
`

let project: Project
beforeAll(() => {
  project = new Project({
    'tools.ts': TOOLS,
    'package.json': '{ "type": "module", "version": "4.5.6" }',
  })
})
afterAll(() => project.dispose())

const serving = (...words: string[]) => [BIN, 'mcp', 'tools.ts', ...words]

/** The command, still running. */
function started(
  words: readonly string[],
  env: { readonly [name: string]: string } = {},
): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, serving(...words), {
    cwd: project.folder,
    env: cleanEnvironment(env),
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

async function lineOf(stream: Readable): Promise<string> {
  let heard = ''
  stream.setEncoding('utf8')
  for await (const [piece] of on(stream, 'data') as AsyncIterable<[string]>)
    if ((heard += piece).includes('\n')) break
  return heard.slice(0, heard.indexOf('\n'))
}

function newClient(): Client {
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities: { elicitation: { form: {} } } },
  )
  client.setRequestHandler('elicitation/create', (request) => {
    asked.push(request.params.message)
    return { action: 'accept', content: { approve: true } }
  })
  onTestFinished(() => client.close())
  return client
}
const asked: string[] = []
const textIn = (result: object): unknown =>
  (result as { content: { text?: string }[] }).content.map(({ text }) => text).join('')

describe('over stdio', () => {
  async function connected(): Promise<Client> {
    const client = newClient()
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: serving('--name', 'mine'),
      cwd: project.folder,
      env: cleanEnvironment() as { [name: string]: string },
      stderr: 'pipe',
    })
    await client.connect(transport)
    return client
  }

  it('lists and calls tools, whatever they print; a stray failure does not end it', async () => {
    const client = await connected()
    expect(client.getServerVersion()).toMatchObject({ name: 'mine', version: '4.5.6' })
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['loud', 'remove', 'stray'])
    for (const text of ['one', 'two'])
      expect(textIn(await client.callTool({ name: 'loud', arguments: { text } }))).toBe(
        `heard ${text}`,
      )
    expect(textIn(await client.callTool({ name: 'stray', arguments: {} }))).toBe('fine')
    expect(textIn(await client.callTool({ name: 'loud', arguments: { text: 'x' } }))).toBe(
      'heard x',
    )
  })

  it('asks the client before a tool that needs approval', async () => {
    const client = await connected()
    const result = await client.callTool({ name: 'remove', arguments: { path: 'a.txt' } })
    expect(textIn(result)).toBe('removed a.txt')
    expect(asked.at(-1)).toContain('Allow the tool "remove" to run?')
  })

  it('is a source of tools for mcpTools()', async () => {
    await using source = mcpTools({
      command: process.execPath,
      args: serving(),
      cwd: project.folder,
      env: cleanEnvironment() as { [name: string]: string },
    })
    const [loud] = await source.toolCallbacks()
    expect(loud!.definition).toMatchObject({ name: 'loud', description: 'Print, then answer' })
  })

  it('writes nothing but the protocol to stdout, and ends with 0 when the client leaves', async () => {
    const child = started([])
    let stderr = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'raw', version: '1' },
    }
    child.stdin.write(
      `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`,
    )
    const answer: unknown = JSON.parse(await lineOf(child.stdout))
    expect(answer).toMatchObject({ id: 1, result: { serverInfo: { name: 'tools' } } })
    child.stdin.end()
    expect(await once(child, 'close')).toEqual([0, null])
    expect(stderr).toContain('noise while loading\n')
    expect(stderr).toContain('toolwright: serves 3 tools of tools.ts over stdin and stdout')
  })

  it.each(['SIGINT', 'SIGTERM'] as const)('ends with 0 on %s', async (signal) => {
    const child = started([])
    let stderr = ''
    for await (const [piece] of on(child.stderr, 'data') as AsyncIterable<[Buffer]>)
      if ((stderr += piece.toString()).includes('serves 3 tools')) break
    child.kill(signal)
    expect(await once(child, 'close')).toEqual([0, null])
  })
})

describe('over HTTP', () => {
  it('prints the url, serves there, and ends with 0 on Ctrl-C', async () => {
    const child = started(['--port', '0'])
    const url = await lineOf(child.stdout)
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/)
    const client = newClient()
    await client.connect(new StreamableHTTPClientTransport(new URL(url)))
    const result = await client.callTool({ name: 'loud', arguments: { text: 'web' } })
    expect(textIn(result)).toBe('heard web')
    const words = ['call', '--mcp', url, 'loud', '{"text":"command"}']
    expect(await runCommand({ words, cwd: project.folder, input: '' })).toMatchObject({
      stdout: 'heard command',
      stderr: `MCP server: ${url}\n`,
      exitCode: 0,
    })
    await client.close()
    child.kill('SIGINT')
    expect(await once(child, 'close')).toEqual([0, null])
  })

  it('wants the token that the environment gave it, and never prints it', async () => {
    const child = started(['--port', '0'], { TOOLWRIGHT_MCP_TOKEN: 'open-sesame-123' })
    let stderr = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    const url = await lineOf(child.stdout)
    const words = ['tools', '--json', '--mcp', url]
    const refused = await runCommand({ words, cwd: project.folder, input: '' })
    expect(refused.stderr).toContain('cannot be used')
    expect(refused.stderr).toContain("--header 'Authorization: Bearer ${TOKEN}'")
    expect(refused.exitCode).toBe(1)
    const headers = { Authorization: 'Bearer ${DOOR}' }
    const home = new Project({
      '.mcp.json': JSON.stringify({ mcpServers: { door: { type: 'http', url, headers } } }),
    })
    onTestFinished(() => home.dispose())
    const allowed = await runCommand({
      words: ['tools', '--json', '--mcp', 'door'],
      cwd: home.folder,
      env: { DOOR: 'open-sesame-123' },
      input: '',
    })
    expect(allowed.exitCode).toBe(0)
    expect(JSON.parse(allowed.stdout)).toHaveLength(3)
    child.kill('SIGTERM')
    expect(await once(child, 'close')).toEqual([0, null])
    expect(url + stderr + allowed.stderr + refused.stderr).not.toContain('sesame')
  })

  it('says that a port is taken, exit code 1', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    onTestFinished(() => void other.close())
    const { port } = other.address() as AddressInfo
    const words = ['mcp', 'tools.ts', '--port', String(port)]
    const { stdout, stderr, exitCode } = await runCommand({ words, cwd: project.folder })
    expect(stderr).toContain(`The server cannot listen on 127.0.0.1, port ${port}: `)
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 })
  })
})

describe('a wrong command line ends with 2', () => {
  it.each([
    [['mcp'], 'something is missing'],
    [['mcp', 'nowhere.ts'], 'There is no file nowhere.ts'],
    [['mcp', 'tools.ts', 'more.ts'], '"more.ts" is too much'],
    [['mcp', 'tools.ts', '--port', 'x'], '--port takes a number from 0 to 65535, not "x"'],
    [['mcp', 'tools.ts', '--port', '70000'], '--port takes a number from 0 to 65535'],
    [['mcp', 'tools.ts', '--token', 'hush'], '--token goes with --port.'],
    [['mcp', 'tools.ts', '--host', '0.0.0.0'], '--host goes with --port.'],
    [['mcp', 'tools.ts', '--port', '0', '--token', ' '], '--token is empty.'],
    [['mcp', 'tools.ts', '--port', '0', '--host', '0.0.0.0'], 'so that a token is needed.'],
    [['mcp', 'tools.ts', '--check'], '--check goes with toolwright mcp list'],
  ])('%j', async (words, message) => {
    const { stdout, stderr, exitCode } = await runCommand({ words, cwd: project.folder, input: '' })
    expect(stderr).toContain(message)
    expect(stderr).not.toContain('hush')
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 })
  })
})
