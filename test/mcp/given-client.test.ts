/** What programs may rely on around `mcpTools()`: their own client, options that name nothing, and what was closed. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { mcpTools, serveTools } from '@toolwright/mcp'
import { ConfigurationError, tool, type ToolListing } from 'toolwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const ping = tool({
  name: 'ping',
  description: 'Ping',
  hints: { readOnly: true },
  execute: () => 'pong',
})
const server = serveTools([ping], { name: 'pings', version: '1' })
let url = ''

beforeAll(async () => void ({ url } = await server.listen({ port: 0 })))
afterAll(() => server.close())

function listening(): { readonly told: string[]; readonly listing: ToolListing } {
  const told: string[] = []
  return { told, listing: { notice: (code, message) => void told.push(`${code}: ${message}`) } }
}

describe('a client that the program connected', () => {
  it('answers the program as before, while its tools are used and after', async () => {
    const client = new Client(
      { name: 'own', version: '1' },
      { versionNegotiation: { mode: 'auto' } },
    )
    await client.connect(new StreamableHTTPClientTransport(new URL(url)))
    const pong = [{ type: 'text', text: 'pong' }]
    const tools = mcpTools(client)
    const [offered] = await tools.toolCallbacks()
    expect(await offered!.call('{}')).toBe('pong')
    expect((await client.callTool({ name: 'ping' })).content).toEqual(pong)
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['ping'])
    await tools.close()
    expect((await client.callTool({ name: 'ping' })).content).toEqual(pong)
    await client.close()
  })
})

describe('options', () => {
  it('that name no tool of the server are told', async () => {
    const { told, listing } = listening()
    await using tools = mcpTools({ url }, { name: 'p', exclude: ['pang'], rename: { pung: 'x' } })
    expect(await tools.toolCallbacks(listing)).toHaveLength(1)
    expect(told).toEqual([
      'mcp-list: Server "p" has no tool "pang", which an option names.',
      'mcp-list: Server "p" has no tool "pung", which an option names.',
    ])
  })

  it('that are not known are refused', () => {
    expect(() => mcpTools([{ command: 'x', nonsense: 1 } as never])).toThrow(ConfigurationError)
    expect(() => mcpTools({ command: 'x', url } as never)).toThrow(/not both/)
    expect(() => mcpTools([])).toThrow(/at least one server/)
    const misspelt = { name: 'a', version: '1', stateSecrets: 'x' }
    expect(() => serveTools([ping], misspelt as never)).toThrow(/did you mean|has no option/i)
  })
})

describe('close()', () => {
  it('ends the list as well, and says so', async () => {
    const tools = mcpTools({ url })
    await tools.toolCallbacks()
    await tools.close()
    await expect(tools.toolCallbacks()).rejects.toMatchObject({ code: 'mcp-closed' })
  })
})

describe('a check of tokens that fails', () => {
  it('lets nobody in, and is told to the logger', async () => {
    const warned: string[] = []
    const logger = {
      debug() {},
      info() {},
      warn: (line: string) => void warned.push(line),
      error() {},
    }
    const auth = { verify: () => Promise.reject(new Error('the database is down')) }
    const guarded = serveTools([ping], { name: 'a', version: '1', auth, logger })
    const request = new Request('http://127.0.0.1/mcp', {
      method: 'POST',
      headers: { host: '127.0.0.1', authorization: 'Bearer x' },
      body: '{}',
    })
    expect((await guarded.fetch(request)).status).toBe(401)
    expect(warned).toEqual([expect.stringContaining('the database is down')])
    await guarded.close()
  })
})
