/** Clients of the official SDK, both versions, against `serveTools()` in a process of its own, over stdio and HTTP. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { bundleProgram, type BundledProgram } from '../processes/bundle-program.ts'
import { REAL_CLIENTS, type Person, type Place, type RealClient } from './real-clients.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolwright-real-clients-'))
let program: BundledProgram
beforeAll(async () => {
  program = await bundleProgram(new URL('served-program.ts', import.meta.url))
})
afterAll(() => {
  program[Symbol.dispose]()
  rmSync(folder, { recursive: true, force: true })
})

let log = ''
let served: ChildProcess | undefined
let client: RealClient | undefined
afterEach(async () => {
  await client?.close()
  served?.kill()
  client = served = undefined
})

async function place(transport: string): Promise<Place> {
  log = join(mkdtempSync(join(folder, 'log-')), 'log')
  const env = { ...(process.env as { [name: string]: string }), CALL_LOG: log }
  if (transport === 'stdio') return { command: process.execPath, args: [program.file], env }
  served = spawn(process.execPath, [program.file, 'http'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [printed] = (await once(served.stdout!, 'data')) as [Buffer]
  return { url: printed.toString().trim() }
}

const ran = (): readonly string[] =>
  existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []

describe.each(Object.keys(REAL_CLIENTS))('%s', (name) => {
  describe.each(['stdio', 'HTTP'])('over %s', (transport) => {
    const connect = async (person: Person = () => undefined): Promise<RealClient> => {
      client = await REAL_CLIENTS[name]!(await place(transport), person)
      return client
    }

    test('lists and calls', async () => {
      const real = await connect()
      expect(await real.list()).toEqual(['add', 'count', 'wait', 'deleteFile'])
      const result = await real.call('add', { a: 2, b: 3 })
      expect(result).toMatchObject({ structuredContent: { sum: 5 }, content: [{ type: 'text' }] })
      expect(await real.call('add', { a: 'two' })).toMatchObject({ isError: true })
    })

    test('hears of progress', async () => {
      const heard: number[] = []
      const onprogress = ({ progress }: { readonly progress: number }): void => {
        heard.push(progress)
        writeFileSync(`${log}.${progress}`, '')
      }
      const result = await (await connect()).call('count', {}, { onprogress })
      expect(result).toMatchObject({ content: [{ text: 'counted' }] })
      expect(heard).toEqual([1, 2, 3])
    })

    test('a call that it gives up is stopped', async () => {
      const real = await connect()
      const leaving = new AbortController()
      const call = real.call(
        'wait',
        {},
        { signal: leaving.signal, onprogress: () => leaving.abort() },
      )
      await expect(call).rejects.toThrow()
      await vi.waitFor(() => expect(ran()).toEqual(['stopped']), { timeout: 60_000 })
      expect(await real.call('add', { a: 1, b: 1 })).toMatchObject({
        structuredContent: { sum: 2 },
      })
    })

    test('asks a person for approval; what is declined does not run', async () => {
      const asked: string[] = []
      const real = await connect((message) => {
        asked.push(message)
        return message.includes('/tmp/a') ? { approve: true } : undefined
      })
      const approved = await real.call('deleteFile', { path: '/tmp/a' })
      expect(approved).toMatchObject({ content: [{ text: 'deleted /tmp/a' }] })
      expect(await real.call('deleteFile', { path: '/tmp/b' })).toMatchObject({ isError: true })
      expect(asked).toHaveLength(2)
      expect(ran()).toEqual(['deleted /tmp/a'])
    })
  })
})
