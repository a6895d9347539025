/** `toolwright mcp add`, `list` and `remove`: what `.mcp.json` keeps, and what is shown of it. */
import { chmodSync, lstatSync, readdirSync, renameSync, statSync, symlinkSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runCommandHere } from './command-process.ts'
import { Project } from './project.ts'

const FILE = '.mcp.json'

function projectWith(content?: unknown): Project {
  const text = typeof content === 'string' ? content : JSON.stringify(content, null, 2)
  const project = new Project(content === undefined ? {} : { [FILE]: `${text}\n` })
  onTestFinished(() => project.dispose())
  return project
}

const mcp = (project: Project, ...words: string[]) =>
  runCommandHere({ words: ['mcp', ...words], cwd: project.folder })
const kept = (project: Project) => JSON.parse(project.read(FILE))

describe('toolwright mcp add', () => {
  it('keeps a command with its own options, and variables as they are written', async () => {
    const project = projectWith()
    const words = ['add', 'files', 'npx', '-y', 'server', 'my dir', '--env', 'KEY=${MY_KEY}']
    const { stdout, stderr, exitCode } = await mcp(project, ...words)
    expect(kept(project)).toEqual({
      mcpServers: {
        files: { command: 'npx', args: ['-y', 'server', 'my dir'], env: { KEY: '${MY_KEY}' } },
      },
    })
    expect(stdout).toBe(`Added files to .mcp.json: npx -y server 'my dir' (env: KEY)\n`)
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 })
  })

  it('takes a command line in one word, and everything behind --', async () => {
    const project = projectWith()
    await mcp(project, 'add', 'one', `node "my server.js" --env x`)
    await mcp(project, 'add', 'two', '--env', 'A=1', '--', 'node', 'server.js', '--env', 'x')
    expect(kept(project).mcpServers).toEqual({
      one: { command: 'node', args: ['my server.js', '--env', 'x'] },
      two: { command: 'node', args: ['server.js', '--env', 'x'], env: { A: '1' } },
    })
  })

  it('keeps a url with headers, and prints no value of a header', async () => {
    const project = projectWith()
    const header = 'Authorization: Bearer abc:123'
    const url = 'https://example.com/mcp?key=hidden'
    const { stdout, stderr } = await mcp(project, 'add', 'web', url, '--header', header)
    expect(kept(project).mcpServers.web).toEqual({
      type: 'http',
      url,
      headers: { Authorization: 'Bearer abc:123' },
    })
    expect(stdout).toBe(
      'Added web to .mcp.json: https://example.com/mcp?key=… (headers: Authorization)\n',
    )
    expect(stderr).toContain("Authorization is in .mcp.json as it is. To keep it out, write '${")
    expect(stdout + stderr).not.toMatch(/abc|hidden/)
  })

  it('leaves everything else in the file as it is', async () => {
    const project = projectWith()
    const other = { command: 'x', args: ['1'], disabled: true, alwaysAllow: ['a'] }
    project.write({
      [FILE]: JSON.stringify({ $schema: 'x', mcpServers: { other }, inputs: [1] }, null, '\t'),
    })
    await mcp(project, 'add', 'new', 'http://127.0.0.1:1/mcp')
    expect(kept(project)).toEqual({
      $schema: 'x',
      mcpServers: { other, new: { type: 'http', url: 'http://127.0.0.1:1/mcp' } },
      inputs: [1],
    })
    expect(project.read(FILE)).toMatch(/^\{\n\t"\$schema"/)
    expect(Object.keys(kept(project))).toEqual(['$schema', 'mcpServers', 'inputs'])
  })

  it('keeps the rights of the file and follows a link; nothing else is left in the folder', async () => {
    const project = projectWith({ mcpServers: {} })
    renameSync(project.path(FILE), project.path('real.json'))
    chmodSync(project.path('real.json'), 0o600)
    symlinkSync('real.json', project.path(FILE))
    const before = readdirSync(project.folder)
    await mcp(project, 'add', 'a', 'x')
    expect(JSON.parse(project.read('real.json')).mcpServers).toHaveProperty('a')
    expect(lstatSync(project.path(FILE)).isSymbolicLink()).toBe(true)
    expect(statSync(project.path('real.json')).mode & 0o777).toBe(0o600)
    expect(readdirSync(project.folder)).toEqual(before)
  })

  it.each([
    [['add'], 'add needs a name and a server'],
    [['add', 'x'], 'add needs a url or a command'],
    [['add', 'all', 'x'], '"all" cannot be the name of a server'],
    [['add', 'a b', 'x'], '"a b" cannot be the name of a server'],
    [['add', 'x', 'https://'], 'not the url of a server'],
    [['add', 'x', 'http://a/mcp', 'more'], '"more" is too much'],
    [['add', 'x', 'http://a/mcp', '--env', 'A=1'], '--env is for a program'],
    [['add', 'x', 'node', '--header', 'A: 1'], '--header is for a url'],
    [['add', 'x', 'node', '--env', 'hush'], "Write --env TOKEN='${TOKEN}'"],
    [['add', 'x', 'http://a', '--header', 'hush'], 'Write --header '],
    [['add', 'x', 'node', '--env'], '--env needs a value'],
    [['add', 'x', `node 'a`], "has a ' that is not closed"],
    [['list', '--port', '1'], '--port goes with toolwright mcp <file>'],
    [['list', 'x'], '"x" is too much'],
    [['remove', '--check', 'x'], '--check goes with toolwright mcp list'],
    [['remove', 'x', 'y'], '"y" is too much'],
  ])('%j is refused with 2, and nothing is written', async (words, message) => {
    const project = projectWith()
    const { stdout, stderr, exitCode } = await mcp(project, ...words)
    expect(stderr).toContain(message)
    expect(stderr).not.toContain('hush')
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 })
    expect(project.has(FILE)).toBe(false)
  })

  it('refuses a name that is taken', async () => {
    const project = projectWith({ mcpServers: { a: { command: 'x' } } })
    const { stderr, exitCode } = await mcp(project, 'add', 'a', 'y')
    expect(stderr).toContain('has a server "a" already. Take another name, or first: ')
    expect(exitCode).toBe(2)
    expect(kept(project).mcpServers.a).toEqual({ command: 'x' })
  })
})

describe('a broken file', () => {
  it.each([
    ['{ "mcpServers": { "a": ', '.mcp.json is not JSON: line 2, column 1. Mend it'],
    ['[]', '.mcp.json is no JSON object'],
    ['{ "mcpServers": [] }', 'mcpServers of .mcp.json is no JSON object'],
  ])('%j is said, and not overwritten', async (text, message) => {
    const project = projectWith(text)
    for (const words of [['add', 'a', 'x'], ['list'], ['remove', 'a']]) {
      const { stderr, exitCode } = await mcp(project, ...words)
      expect(stderr).toContain(message)
      expect(exitCode).toBe(2)
    }
    expect(project.read(FILE)).toBe(`${text}\n`)
  })

  it.each([
    [{ args: [] }, 'has neither command nor url'],
    [{ command: 'x', args: 'y' }, 'has args that are no list of texts'],
    [{ command: 'x', env: { A: 1 } }, 'has an env whose values are not texts'],
    [{ url: 'http://a', headers: ['A: b'] }, 'has headers that are not texts'],
    [{ type: 'sse', url: 'http://a' }, 'is of the type "sse"'],
    [{ type: 'ws', url: 'http://a' }, 'has a url, but its type is not "http"'],
    [null, 'has neither command nor url'],
  ])('an entry %j is said, and the others are there', async (entry, message) => {
    const project = projectWith({ mcpServers: { bad: entry, good: { command: 'node' } } })
    const { stdout, exitCode } = await mcp(project, 'list')
    expect(stdout).toContain(`The server "bad" of .mcp.json ${message}`)
    expect(stdout).toContain('good  node\n')
    expect(exitCode).toBe(0)
  })
})

describe('toolwright mcp list and remove', () => {
  const SERVERS = {
    mcpServers: {
      files: { command: 'npx', args: ['-y', '${PACKAGE}'], env: { KEY: 'hush-1' } },
      web: { type: 'http', url: 'https://a.test/mcp?key=hush-2', headers: { 'X-Key': 'hush-3' } },
    },
  }

  it('shows names and exact commands, and no secret', async () => {
    const project = projectWith(SERVERS)
    const { stdout, exitCode } = await mcp(project, 'list')
    expect(stdout).toBe(
      'files  npx -y ${PACKAGE} (env: KEY)\nweb    https://a.test/mcp?key=… (headers: X-Key)\n',
    )
    expect(exitCode).toBe(0)
    const { stdout: json } = await mcp(project, 'list', '--json')
    expect(JSON.parse(json)).toEqual([
      { name: 'files', server: 'npx -y ${PACKAGE} (env: KEY)' },
      { name: 'web', server: 'https://a.test/mcp?key=… (headers: X-Key)' },
    ])
  })

  it('says that there are none', async () => {
    const project = projectWith()
    const { stdout, stderr, exitCode } = await mcp(project, 'list')
    expect(stderr).toContain('There are none in .mcp.json. toolwright mcp add')
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 0 })
  })

  it('removes one, and names what is near', async () => {
    const project = projectWith(SERVERS)
    const { stderr, exitCode } = await mcp(project, 'remove', 'file')
    expect(stderr).toContain('has no server "file". Did you mean files? It has: files, web.')
    expect(exitCode).toBe(2)
    const { stdout } = await mcp(project, 'remove', 'files')
    expect(stdout).toBe('Removed files from .mcp.json.\n')
    expect(kept(project)).toEqual({ mcpServers: { web: SERVERS.mcpServers.web } })
  })
})
