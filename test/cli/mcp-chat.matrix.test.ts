/** `toolwright chat --mcp`, in pipes and on a terminal, with servers that ask back. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { calling, chatDesk, saying, type ChatDesk } from './chat-desk.ts'
import { PLAIN_SERVER } from './plain-mcp-server.ts'
import { until } from './project.ts'
import { NO_TERMINAL, spawnInTerminal } from './pseudo-terminal.ts'

const MCP = ['--mcp', 'node server.mjs']
const ECHO = calling('echo', { text: 'Hi' })
const CTRL_C = '\x03'
const CTRL_D = '\x04'

async function desk(options: Parameters<typeof chatDesk>[0]): Promise<ChatDesk> {
  const made = await chatDesk(options)
  made.write('server.mjs', PLAIN_SERVER)
  return made
}

const pids = ({ folder }: ChatDesk): readonly number[] =>
  readFileSync(join(folder, 'pids.txt'), 'utf8').trim().split('\n').map(Number)
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
const eventsIn = (stdout: string): { readonly type: string; readonly [key: string]: any }[] =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

describe('one question', () => {
  it('may use tools of a server and of a file; what is started is said on stderr', async () => {
    const tools = `export const now = tool({ name: 'now', description: 'Now', execute: () => 'noon' })`
    const at = await desk({ tools, turns: [ECHO, calling('now'), saying('Done.')] })
    const { stdout, stderr, exitCode } = await at.run([...MCP, 'Go'])
    expect({ stdout, exitCode }).toEqual({ stdout: 'Done.\n', exitCode: 0 })
    expect(stderr).toMatch(/^MCP server, started here: node server\.mjs\n/)
    expect(stderr).toContain('← echo: Hi')
    expect(stderr).toContain('← now: noon')
    expect(pids(at).filter(isAlive)).toEqual([])
  })

  it('stops at a call of a stranger that may change something; --yes and --trust let it run', async () => {
    const write = calling('write', { line: 'x' })
    const turns = [write, saying('Written.')]
    const refused = await desk({ turns })
    const end = await refused.run([...MCP, 'Write'])
    expect(end.stderr).toContain('the turn waits for write (approval).')
    expect(end.exitCode).toBe(1)
    for (const option of ['--yes', '--trust']) {
      const allowed = await desk({ turns })
      expect(await allowed.run([...MCP, option, 'Write'])).toMatchObject({
        stdout: 'Written.\n',
        exitCode: 0,
      })
    }
  })

  it('ends with 1 when a server does not answer, in JSON with a code', async () => {
    const at = await desk({})
    const words = ['--json', '--mcp', 'node server.mjs dies', 'Go']
    const { stdout, stderr, exitCode } = await at.run(words)
    expect(eventsIn(stdout)).toEqual([
      { type: 'error', code: expect.stringMatching(/^mcp-/), message: expect.any(String) },
    ])
    expect(stderr).toContain('no licence found')
    expect(exitCode).toBe(1)
    expect(at.server.requests).toEqual([])
  })

  it('that a server asks back is suspended in JSON, and the next line answers', async () => {
    const call = { toolCalls: [{ name: 'book', arguments: ['{}'], id: 'call_1' }] }
    const at = await desk({ turns: [call, saying('Booked.')] })
    const content = { guest: 'Ada', room: 's', breakfast: true }
    const lines = [{ prompt: 'Book' }, { decisions: { call_1: { answer: content } } }]
    const input = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
    const { stdout, exitCode } = await at.run([...MCP, '--json'], { input })
    const events = eventsIn(stdout)
    const suspended = events.find(({ type }) => type === 'suspended')!
    expect(suspended.pending).toMatchObject([
      { kind: 'question', question: { mode: 'form', message: 'Who comes, and for how long?' } },
    ])
    const result = events.find(({ type }) => type === 'tool-result')!
    expect(result.response.content).toContain('"guest":"Ada"')
    expect(exitCode).toBe(0)
  })

  it('is told once which tools are not offered', async () => {
    const at = await desk({ turns: [saying('Hello.')] })
    const input = '{"prompt":"a"}\n{"prompt":"b"}\n'
    const { stdout } = await at.run(['--mcp', 'node server.mjs broken', '--json'], { input })
    const events = eventsIn(stdout)
    expect(events.filter(({ type }) => type === 'response')).toHaveLength(2)
    expect(events.filter(({ type }) => type === 'notice')).toMatchObject([
      { code: 'mcp-tool-quarantined', message: expect.stringContaining('odd') },
    ])
    expect(at.lastRequest()).not.toContain('Cannot be offered')
  })

  it('is aborted by SIGTERM, and the servers end', async ({ skip }) => {
    skip(spawnInTerminal === undefined, NO_TERMINAL)
    const at = await desk({ turns: [calling('hang')] })
    const terminal = at.terminal(['--mcp', 'node server.mjs stays'])
    await terminal.prompts()
    terminal.type('Go\r')
    await terminal.shows('→ hang')
    terminal.kill('SIGTERM')
    await terminal.ends()
    await until(() => !pids(at).some(isAlive))
  })
})

describe('on a terminal', () => {
  it('asks for approval, lists the tools, and ends the server with Ctrl-D', async ({ skip }) => {
    skip(spawnInTerminal === undefined, NO_TERMINAL)
    const at = await desk({ turns: [calling('write', { line: 'x' }), saying('Written.')] })
    const terminal = at.terminal(MCP)
    await terminal.shows('MCP server, started here: node server.mjs')
    await terminal.shows('openai:gpt-5.4, 6 tools.')
    await terminal.prompts()
    terminal.type('/tools\r')
    await terminal.shows('book: Book a room')
    await terminal.prompts()
    terminal.type('Write\r')
    await terminal.shows('write needs your approval.')
    terminal.type('y\r')
    await terminal.shows('← write: written')
    await terminal.shows('Written.')
    await terminal.prompts()
    terminal.type(CTRL_D)
    expect(await terminal.ends()).toBe(0)
    expect(pids(at).filter(isAlive)).toEqual([])
  })

  it('lists the tools as they are now', async ({ skip }) => {
    skip(spawnInTerminal === undefined, NO_TERMINAL)
    const at = await desk({ turns: [ECHO, saying('Done.')] })
    const terminal = at.terminal(['--mcp', 'node server.mjs grows'])
    await terminal.prompts()
    terminal.type('Go\r')
    await terminal.shows('Done.')
    await terminal.prompts()
    terminal.type('/tools\r')
    await terminal.shows('late: Came later')
  })

  it('asks a form field by field, and again for what does not fit', async ({ skip }) => {
    skip(spawnInTerminal === undefined, NO_TERMINAL)
    const at = await desk({ turns: [calling('book'), saying('Booked.')] })
    const terminal = at.terminal(MCP)
    await terminal.prompts()
    terminal.type('Book\r')
    const fill = async (prompt: string, typed: string): Promise<void> => {
      await terminal.shows(({ currentLine }) => currentLine === prompt)
      terminal.type(`${typed}\r`)
    }
    await terminal.shows(/book \(.+\) asks: Who comes, and for how long\?/)
    await terminal.shows('Guest*: Who sleeps there')
    await fill('Guest* >', '')
    await terminal.shows('Guest: it must be filled in.')
    await fill('Guest* >', 'A')
    await terminal.shows(/Guest: .*2/)
    await fill('Guest* >', 'Ada')
    await fill('Nights (number) [2] >', 'many')
    await terminal.shows('Nights: that is no number.')
    await fill('Nights (number) [2] >', '')
    await terminal.shows('Room*:\n  1  Small\n  2  Large')
    await fill('Room* (one) >', '3')
    await terminal.shows('Room: type a number from 1 to 2.')
    await fill('Room* (one) >', 'large')
    await fill('Breakfast* y/n >', 'perhaps')
    await terminal.shows('Breakfast: type y or n.')
    await fill('Breakfast* y/n >', 'n')
    await fill('Note >', '')
    await fill('Send this? y/n >', 'y')
    await terminal.shows('Booked.')
    expect(at.lastRequest().replaceAll('\\', '')).toContain(
      '{"action":"accept","content":{"guest":"Ada","nights":2,"room":"l","breakfast":false}}',
    )
  })

  it('declines a form, and leaves one with Ctrl-C', async ({ skip }) => {
    skip(spawnInTerminal === undefined, NO_TERMINAL)
    const at = await desk({ turns: [calling('book'), saying('Not booked.'), calling('book')] })
    const terminal = at.terminal(MCP)
    await terminal.prompts()
    terminal.type('Book\r')
    for (const [prompt, typed] of [
      ['Guest* >', 'Ada'],
      ['Nights (number) [2] >', ''],
      ['Room* (one) >', '1'],
      ['Breakfast* y/n >', 'y'],
      ['Note >', 'late'],
      ['Send this? y/n >', 'n'],
    ] as const) {
      await terminal.shows(({ currentLine }) => currentLine === prompt)
      terminal.type(`${typed}\r`)
    }
    await terminal.shows('Not booked.')
    expect(at.lastRequest().replaceAll('\\', '')).toContain('"action":"decline"')
    expect(at.lastRequest()).not.toContain('late')
    await terminal.prompts()
    terminal.type('Book\r')
    await terminal.shows(({ currentLine }) => currentLine === 'Guest* >')
    terminal.type(CTRL_C)
    await terminal.shows('Aborted.')
    await terminal.prompts()
    terminal.type(CTRL_D)
    expect(await terminal.ends()).toBe(0)
    expect(pids(at).filter(isAlive)).toEqual([])
  })

  it('shows an address as text, and asks whether it was done', async ({ skip }) => {
    skip(spawnInTerminal === undefined, NO_TERMINAL)
    const at = await desk({ turns: [calling('sign'), saying('Signed.')] })
    const terminal = at.terminal(MCP)
    await terminal.prompts()
    terminal.type('Sign\r')
    await terminal.shows(/sign \(.+\) asks: Please sign\./)
    await terminal.shows('at example.com. It is not opened for you:')
    await terminal.shows('https://example.com/sign?id=7')
    await terminal.shows(({ currentLine }) => currentLine === 'Did you do it? y/n >')
    terminal.type('y\r')
    await terminal.shows('Signed.')
    expect(at.lastRequest().replaceAll('\\', '')).toContain('"action":"accept"')
  })
})
