/** `--mcp` of `tools`, `call` and `search`, and `mcp list --check`: real servers in processes of their own. */
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { BIN, cleanEnvironment, runCommand, type CommandRun } from './command-process.ts'
import { PLAIN_SERVER } from './plain-mcp-server.ts'
import { Project, until } from './project.ts'

const SERVER = 'node server.mjs'
const OWN_TOOLS = `
import { tool } from 'toolwright'
console.log('loaded')
export const echo = tool({ name: 'echo', description: 'An echo of its own', execute: () => 'own' })
export const other = tool({ name: 'other', description: 'Another tool', execute: () => 'other' })
`

let project: Project
beforeEach(() => {
  project = new Project({ 'server.mjs': PLAIN_SERVER, 'tools.ts': OWN_TOOLS })
  onTestFinished(() => project.dispose())
})

const run = (words: readonly string[], more: Partial<CommandRun> = {}) =>
  runCommand({ words, cwd: project.folder, input: '', ...more })

const pids = (): readonly number[] =>
  readFileSync(project.path('pids.txt'), 'utf8').trim().split('\n').map(Number)
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
const mcpFile = (mcpServers: object) =>
  project.write({ '.mcp.json': JSON.stringify({ mcpServers }) })

describe('toolwright tools --mcp', () => {
  it('lists the tools without a file, says what it starts, and leaves no process', async () => {
    const { stdout, stderr, exitCode } = await run(['tools', '--mcp', SERVER])
    expect(stdout).toContain('echo\n  Say it again\n  - text: string, required\n')
    expect(stdout).toContain('write\n  Write a line to a file\n')
    expect(stdout).not.toContain('Not offered')
    expect(stderr).toBe('MCP server, started here: node server.mjs\n')
    expect(exitCode).toBe(0)
    expect(pids().filter(isAlive)).toEqual([])
  })

  it('says which tools are not offered, and why; in JSON they are not among the others', async () => {
    const words = ['tools', '--mcp', `${SERVER} broken`]
    const { stdout } = await run(words)
    expect(stdout).toMatch(/\n\nNot offered:\n- odd: \S.+\n$/)
    const { stdout: json, stderr } = await run([...words, '--json'])
    const names = (JSON.parse(json) as { name: string }[]).map(({ name }) => name)
    expect(names).toEqual(['echo', 'write', 'env', 'book', 'sign', 'hang'])
    expect(stderr).toContain('\nNot offered:\n- odd: ')
  })

  it('takes a file and servers together; names that clash get a prefix', async () => {
    mcpFile({ one: { command: 'node', args: ['server.mjs'] } })
    const words = ['tools', 'tools.ts', '--mcp', 'one', '--mcp', `${SERVER} well`, '--json']
    const { stdout, stderr, exitCode } = await run(words)
    const names = (JSON.parse(stdout) as { name: string }[]).map(({ name }) => name)
    expect(names.slice(0, 4)).toEqual(['echo', 'other', 'one_echo', 'one_write'])
    expect(names).toEqual(expect.arrayContaining(['server_echo', 'server_write']))
    expect(names).not.toContain('write')
    expect(new Set(names).size).toBe(names.length)
    expect(stderr).toContain('MCP server (one), started here: node server.mjs\n')
    expect(exitCode).toBe(0)
    expect(pids().filter(isAlive)).toEqual([])
  })

  it('finds what makes a model choose them badly', async () => {
    const { stdout, exitCode } = await run(['tools', '--lint', '--mcp', SERVER])
    expect(stdout).toContain('node server.mjs echo: the parameter text has no description.')
    expect(exitCode).toBe(1)
  })
})

describe('toolwright call --mcp', () => {
  it('calls a tool, and gives its text alone', async () => {
    const { stdout, exitCode } = await run(['call', '--mcp', SERVER, 'echo', '{"text":"Hi"}'])
    expect({ stdout, exitCode }).toEqual({ stdout: 'Hi', exitCode: 0 })
    expect(pids().filter(isAlive)).toEqual([])
  })

  it('checks arguments, and says where to look', async () => {
    const { stderr, exitCode } = await run(['call', '--mcp', SERVER, 'echo', '{"text":1}'])
    expect(stderr).toContain('echo did not run: ')
    expect(stderr).toContain("toolwright tools --mcp 'node server.mjs' says what it takes.")
    expect(exitCode).toBe(1)
  })

  it('names the tools that are near', async () => {
    const { stderr, exitCode } = await run(['call', '--mcp', SERVER, 'ecko'])
    expect(stderr).toContain('node server.mjs has no tool "ecko". Did you mean echo? It has: ')
    expect(exitCode).toBe(2)
  })

  it('asks before a tool of a stranger that may change something; --yes and --trust do not', async () => {
    const words = ['call', '--mcp', SERVER, 'write', '{"line":"one"}']
    const refused = await run(words)
    expect(refused.stderr).toContain('write needs approval')
    expect(refused.exitCode).toBe(1)
    expect(project.has('written.txt')).toBe(false)
    expect(await run([...words, '--yes'])).toMatchObject({ stdout: 'written', exitCode: 0 })
    expect(await run([...words, '--trust'])).toMatchObject({ stdout: 'written', exitCode: 0 })
    expect(project.read('written.txt')).toBe('one\none\n')
  })

  it('calls tools of files beside those of servers', async () => {
    const words = ['call', '--tools', 'tools.ts', '--mcp', SERVER]
    expect(await run([...words, 'echo'])).toMatchObject({ stdout: 'own', exitCode: 0 })
    expect(await run([...words, 'server_echo', '{"text":"Hi"}'])).toMatchObject({ stdout: 'Hi' })
    expect(await run(['call', '--tools', 'tools.ts', 'other'])).toMatchObject({ stdout: 'other' })
  })

  it('says which option gives a call more time', async () => {
    const { stderr } = await run(['call', '--mcp', SERVER, '--mcp-timeout', '1', 'hang'])
    expect(stderr).toContain(
      'within 1000 ms. Raise timeoutMs (of the command: --mcp-timeout <seconds>)',
    )
  })

  it('says what a server asks when nobody is there to answer', async () => {
    const { stderr, exitCode } = await run(['call', '--mcp', SERVER, 'book'])
    expect(stderr).toContain('book asks: Who comes, and for how long? Call it on a terminal')
    expect(exitCode).toBe(1)
    expect(pids().filter(isAlive)).toEqual([])
  })

  it('ends with 130 on Ctrl-C, and the server with it, also one that does not want to', async () => {
    const words = ['call', '--mcp', `${SERVER} stays`, 'hang']
    const child = spawn(process.execPath, [BIN, ...words], {
      cwd: project.folder,
      env: cleanEnvironment(),
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    let stderr = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    await until(() => existsSync(project.path('pids.txt')))
    child.kill('SIGINT')
    expect(await once(child, 'close')).toEqual([130, null])
    await until(() => !pids().some(isAlive))
    expect(stderr).toContain('toolwright: interrupted.')
  })
})

describe('toolwright search --mcp', () => {
  it('finds tools of a server, and of a file beside it', async () => {
    const words = ['search', '--mcp', SERVER, '--tools', 'tools.ts', 'book a room']
    const { stdout, exitCode } = await run(words)
    expect(stdout).toMatch(/^\d+\.\d\d {2}book {2}Book a room\n/)
    expect(exitCode).toBe(0)
  })
})

describe('what a server gets', () => {
  it('is its own variables and a few harmless ones; those of .mcp.json are expanded', async () => {
    mcpFile({
      one: {
        command: 'node',
        args: ['${FILE_NAME:-server.mjs}'],
        env: { TOKEN: '${MY_TOKEN}', MODE: 'x' },
      },
    })
    const env = { MY_TOKEN: 'twelve-chars', OPENAI_API_KEY: 'sk-parent' }
    const { stdout, stderr } = await run(['call', '--mcp', 'one', 'env'], { env })
    expect(stdout).toMatch(/ TOKEN is 12$/)
    expect(stdout).toContain('MODE')
    expect(stdout).not.toMatch(/MY_TOKEN|OPENAI_API_KEY/)
    expect(stderr).toBe(
      'MCP server (one), started here: node ${FILE_NAME:-server.mjs} (env: TOKEN, MODE)\n',
    )
    expect(project.read('.mcp.json')).toContain('${MY_TOKEN}')
  })

  it('is nothing when a variable is not set', async () => {
    mcpFile({ one: { command: 'node', args: ['server.mjs'], env: { TOKEN: '${MY_TOKEN}' } } })
    const { stderr, exitCode } = await run(['tools', '--mcp', 'one'])
    expect(stderr).toContain('The server "one" needs the variable MY_TOKEN, which is not set.')
    expect(exitCode).toBe(2)
    expect(project.has('pids.txt')).toBe(false)
  })
})

describe('a server that cannot be used', () => {
  const tools = (...mcp: string[]) => ['tools', ...mcp.flatMap((each) => ['--mcp', each])]

  it.each([
    ['dies', 'no licence found'],
    ['silent', '--mcp-timeout <seconds>'],
  ])('because it %s: is said, exit code 1', async (how, words) => {
    const args = [...tools(`${SERVER} ${how}`), '--mcp-timeout', '3']
    const { stdout, stderr, exitCode } = await run(args)
    expect(stderr).toContain(`toolwright: The MCP server node server.mjs ${how} cannot be used. `)
    expect(stderr).toContain(words)
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 })
    expect(pids().filter(isAlive)).toEqual([])
  })

  it('ends the others too', async () => {
    const { exitCode } = await run(tools(SERVER, `${SERVER} dies`))
    expect(exitCode).toBe(1)
    expect(pids()).toHaveLength(2)
    expect(pids().filter(isAlive)).toEqual([])
  })

  it('because nobody listens there, or not in this language: exit code 1', async () => {
    const web = createServer((_request, response) => response.writeHead(404).end('nothing here'))
    await new Promise<void>((done) => web.listen(0, '127.0.0.1', done))
    onTestFinished(() => void web.close())
    const { port } = web.address() as AddressInfo
    for (const url of ['http://127.0.0.1:9/mcp', `http://127.0.0.1:${port}/mcp`]) {
      const { stdout, stderr, exitCode } = await run(tools(url))
      expect(stderr).toContain(`toolwright: The MCP server ${url} cannot be used. `)
      expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 })
    }
  })

  it('because it dies in a call: exit code 1', async () => {
    const words = ['call', '--mcp', `${SERVER} dies-in-call`, 'echo', '{"text":"Hi"}']
    const { stdout, stderr, exitCode } = await run(words)
    expect(stderr).toContain('toolwright: echo failed: ')
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 })
  })

  it.each([
    [['--mcp', 'files'], '"files", and no server of this name in .mcp.json. Did you mean file?'],
    [['--mcp', 'no-such-program -y'], 'There is no program "no-such-program".'],
    [['--mcp', './server.sh'], 'There is no program "./server.sh"'],
    [
      ['--mcp', 'gone'],
      'There is no program "no-such", which the server "gone" of .mcp.json needs',
    ],
    [['--mcp', `node 'server.mjs`], "has a ' that is not closed"],
    [['--mcp', 'http://'], 'is not an address'],
    [['--mcp', 'http://me:hush@127.0.0.1/'], 'has a user or password in it'],
    [['--mcp', ''], '--mcp is empty.'],
    [['--mcp', SERVER, '--mcp-timeout', 'x'], '--mcp-timeout takes a number of seconds, not "x"'],
    [['--trust', 'tools.ts'], '--trust goes with --mcp.'],
    [['--mcp'], '--mcp needs a value: --mcp <url|command|name>.'],
  ])('%j is refused with 2, and nothing is started', async (words, message) => {
    mcpFile({ file: { command: 'node', args: ['server.mjs'] }, gone: { command: 'no-such' } })
    const { stdout, stderr, exitCode } = await run(['tools', ...words])
    expect(stderr).toContain(message)
    expect(stderr).not.toContain('hush')
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 })
    expect(project.has('pids.txt')).toBe(false)
  })

  it('because .mcp.json is broken, or has none: exit code 2', async () => {
    const none = await run(tools('all'))
    expect(none.stderr).toContain('There are no servers in .mcp.json of this folder.')
    project.write({ '.mcp.json': '{' })
    const broken = await run(tools('one'))
    expect(broken.stderr).toContain('.mcp.json is not JSON: line 1, column 2.')
    expect([none.exitCode, broken.exitCode]).toEqual([2, 2])
  })
})

describe('toolwright mcp list --check', () => {
  it('says of each whether it answers, and how many tools it has', async () => {
    mcpFile({
      good: { command: 'node', args: ['server.mjs', 'broken'] },
      bad: { command: 'node', args: ['server.mjs', 'dies'] },
      web: { type: 'http', url: 'http://127.0.0.1:9/mcp' },
    })
    const { stdout, exitCode } = await run(['mcp', 'list', '--check'])
    expect(stdout).toContain(
      'good  node server.mjs broken\n      answers, 6 tools, and 1 that cannot be offered\n',
    )
    expect(stdout).toMatch(/^bad {3}node server\.mjs dies\n {6}The MCP server .*no licence found/m)
    expect(stdout).toMatch(/^web {3}http:\S+\n {6}The MCP server .* cannot be used/m)
    expect(exitCode).toBe(1)
    expect(pids().filter(isAlive)).toEqual([])
  })

  it('waits for each as long as --mcp-timeout says', async () => {
    mcpFile({ quiet: { command: 'node', args: ['server.mjs', 'silent'] } })
    const { stdout, exitCode } = await run(['mcp', 'list', '--check', '--mcp-timeout', '1'])
    expect(stdout).toMatch(
      /^quiet .+\n +The MCP server "quiet".+timed out.+--mcp-timeout <seconds>/m,
    )
    expect(exitCode).toBe(1)
    const refused = await run(['mcp', 'list', '--mcp-timeout', '1'])
    expect(refused.stderr).toContain('--mcp-timeout goes with --check')
    expect(refused.exitCode).toBe(2)
  })

  it('starts nothing without --check; --mcp all starts all', async () => {
    mcpFile({
      one: { command: 'node', args: ['server.mjs'] },
      two: { command: 'node', args: ['server.mjs', 'well'] },
    })
    await run(['mcp', 'list'])
    expect(project.has('pids.txt')).toBe(false)
    const { stdout } = await run(['tools', '--mcp', 'all'])
    expect(stdout).toContain('\ntwo_echo\n')
    expect(pids()).toHaveLength(2)
    expect(pids().filter(isAlive)).toEqual([])
  })
})
