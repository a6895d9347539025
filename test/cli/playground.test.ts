/** `toolwright playground` as a process: it serves, follows the files, and ends as it is told. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { BIN, cleanEnvironment, runCommand } from './command-process.ts'
import { PLAIN_SERVER } from './plain-mcp-server.ts'
import { Project } from './project.ts'

const TOOLS = (greeting: string): string => `
import { tool } from 'toolwright'
export const greet = tool({
  name: 'greet',
  description: '${greeting}',
  input: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  execute: ({ name }) => 'Hello ' + name,
})
`

const HANGING = `
import { writeFileSync } from 'node:fs'
import { tool } from 'toolwright'
export const setAlarm = tool({
  name: 'setAlarm',
  description: 'Set a user alarm for the given time',
  input: { type: 'object', properties: { time: { type: 'string', format: 'date-time' } }, required: ['time'] },
  execute: () => {
    writeFileSync('started', '')
    return new Promise(() => {})
  },
})
`

interface Served {
  readonly child: ChildProcess
  readonly url: URL
  /** With a body it posts. */
  ask(path: string, body?: object): Promise<Record<string, unknown>>
  stderr(): string
}

function projectOf(files: { readonly [name: string]: string }): Project {
  const made = new Project(files)
  onTestFinished(() => made.dispose())
  return made
}

async function serve(cwd: Project, ...words: readonly string[]): Promise<Served> {
  const env = cleanEnvironment({ TOOLWRIGHT_HOME: cwd.path('home') })
  const child = spawn(process.execPath, [BIN, 'playground', ...words], { cwd: cwd.folder, env })
  onTestFinished(() => void child.kill('SIGKILL'))
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string]
  const url = new URL(line.trim())
  const token = url.searchParams.get('token')!
  const headers = { 'x-toolwright-token': token, 'content-type': 'application/json' }
  return {
    child,
    url,
    async ask(path, body) {
      const asked = body && { method: 'POST', body: JSON.stringify(body) }
      const answer = await fetch(new URL(path, url), { headers, ...asked })
      return (await answer.json()) as Record<string, unknown>
    },
    stderr: () => stderr,
  }
}

describe('toolwright playground', () => {
  it('prints the address alone, serves the page on loopback, and ends with Ctrl-C', async () => {
    const folder = projectOf({ 'tools.ts': TOOLS('Greet somebody') })
    const { child, url, ask, stderr } = await serve(folder, 'tools.ts')
    expect(url.hostname).toBe('127.0.0.1')
    expect(await (await fetch(url)).text()).toContain('<title>toolwright playground</title>')
    const session = await ask('/api/session')
    expect(session).toMatchObject({ sources: ['tools.ts'], canExport: true })
    expect(session['models']).toMatchObject([{ isDemo: true }])
    child.kill('SIGINT')
    expect(await once(child, 'close')).toEqual([0, null])
    expect(stderr()).toContain('Ctrl-C ends it')
  })

  it('loads the file again when it changes, and keeps the tools while it is broken', async () => {
    const folder = projectOf({ 'tools.ts': TOOLS('Before') })
    const { ask } = await serve(folder, 'tools.ts')
    const listed = async (isDone: (list: string) => boolean): Promise<void> => {
      while (!isDone(JSON.stringify(await ask('/api/tools')))) await pause(20)
    }
    await listed((list) => list.includes('Before'))
    folder.write({ 'tools.ts': 'export const broken = (' })
    await listed((list) => list.includes('"problem"') && list.includes('Before'))
    folder.write({ 'tools.ts': TOOLS('After') })
    await listed((list) => list.includes('After') && !list.includes('"problem"'))
  })

  it('tells open pages when the tools of an MCP server have changed', async () => {
    const folder = projectOf({ 'server.mjs': PLAIN_SERVER })
    const { ask } = await serve(folder, '--mcp', 'node server.mjs grows')
    expect(await ask('/api/tools')).toMatchObject({ revision: 1 })
    await ask('/api/calls', { requestId: 'r', tool: 'echo', input: { text: 'Hi' } })
    // The revision grows only where pages are told.
    for (;;) {
      const list = await ask('/api/tools')
      if (list['revision'] === 2 && JSON.stringify(list).includes('Came later')) break
      await pause(20)
    }
  })

  it('has the question of a turn, and its trace, after its process was killed', async () => {
    const folder = projectOf({ 'tools.ts': HANGING })
    const first = await serve(folder, 'tools.ts', '--model', 'demo')
    const { id } = await first.ask('/api/conversations', {})
    const at = `/api/conversations/${String(id)}`
    const text = 'Set an alarm for 2030-01-01T06:00:00Z'
    await first.ask(`${at}/turns`, { requestId: 'r', text, model: 'demo' })
    while (!existsSync(folder.path('started'))) await pause(20)
    first.child.kill('SIGKILL')
    await once(first.child, 'close')
    const { ask } = await serve(folder, 'tools.ts', '--model', 'demo')
    expect(await ask(at)).toMatchObject({
      row: { title: text, status: 'idle' },
      messages: [{ role: 'user', parts: [{ text }] }],
    })
    expect(JSON.stringify(await ask(`${at}/trace`))).toContain('setAlarm')
  })

  it('says that a port is taken, exit code 1', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    onTestFinished(() => void taken.close())
    const { port } = taken.address() as AddressInfo
    const folder = projectOf({ 'tools.ts': TOOLS('Greet') })
    const words = ['playground', 'tools.ts', '--port', String(port)]
    const env = { TOOLWRIGHT_HOME: folder.path('home') }
    const end = await runCommand({ words, cwd: folder.folder, env })
    expect(end).toMatchObject({ stdout: '', exitCode: 1 })
    expect(end.stderr).toContain(
      `The port ${port} is taken. Give --port another value, or leave it out for a free one.\n`,
    )
  })

  it.each([
    [['missing.ts'], 'missing.ts'],
    [['--port', '70000'], '--port takes a number'],
    [['--code-mode'], '--code-mode is for tools'],
    [['--model', 'nobody:x'], 'names no provider'],
  ])('%j: says what is wrong, exit code 2', async (words, message) => {
    const folder = projectOf({})
    const env = { TOOLWRIGHT_HOME: folder.path('home') }
    const end = await runCommand({ words: ['playground', ...words], cwd: folder.folder, env })
    expect(end).toMatchObject({ stdout: '', exitCode: 2 })
    expect(end.stderr).toContain(message)
  })
})
