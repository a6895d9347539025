/**
 * A PostgreSQL of one's own on loopback, from the binaries of this machine, in a folder that goes away with it. Tests
 * that need it skip where there is none: `skip(...NO_POSTGRES)`.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { accessSync, chownSync, constants, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

/** PostgreSQL refuses to run as root. */
const NOBODY = 65534
const isRoot = process.getuid?.() === 0
const asNobody = isRoot ? { uid: NOBODY, gid: NOBODY } : {}

/** Debian puts the server where no PATH leads. */
const DEBIAN = '/usr/lib/postgresql'

function foldersOfBinaries(): readonly string[] {
  const inPath = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean)
  try {
    return [...inPath, ...readdirSync(DEBIAN).map((version) => join(DEBIAN, version, 'bin'))]
  } catch {
    return inPath
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const folderOfBinaries = foldersOfBinaries().find((folder) =>
  ['initdb', 'postgres'].every((name) => isProgram(join(folder, name))),
)

export const HAS_POSTGRES = folderOfBinaries !== undefined

/** For `skip()` of vitest. */
export const NO_POSTGRES = [
  !HAS_POSTGRES,
  'initdb and postgres are neither in PATH nor in /usr/lib/postgresql/*/bin (Debian: apt-get install postgresql)',
] as const

export interface PostgresServer {
  /** Of the database `postgres`, as its superuser. */
  readonly url: string
  /** Ends as an administrator would, or as if the machine lost its power, and starts again at the same address. */
  restart(how?: 'fast' | 'crash'): Promise<void>
  stop(how?: 'fast' | 'crash'): Promise<void>
  start(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** `settings` are those of postgresql.conf. */
export async function startPostgres(
  settings: { readonly [name: string]: string } = {},
): Promise<PostgresServer> {
  if (folderOfBinaries === undefined) throw new Error(NO_POSTGRES[1])
  const bin = folderOfBinaries
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'))
  if (isRoot) chownSync(folder, NOBODY, NOBODY)
  const env = { ...process.env, LC_ALL: 'C' }
  const initdb = ['-D', folder, '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--no-sync']
  execFileSync(join(bin, 'initdb'), initdb, { ...asNobody, env, cwd: folder, stdio: 'ignore' })
  const port = await freePort()
  const options = { listen_addresses: '127.0.0.1', fsync: 'off', ...settings }
  const args = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  let server: ChildProcess | undefined

  const start = async (): Promise<void> => {
    const started = spawn(
      join(bin, 'postgres'),
      ['-D', folder, '-p', String(port), '-k', folder, ...args],
      { ...asNobody, env, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
    )
    server = started
    await isReady(started)
  }
  const stop = async (how: 'fast' | 'crash' = 'fast'): Promise<void> => {
    const stopped = server
    server = undefined
    if (!stopped || stopped.exitCode !== null) return
    const ended = new Promise((resolve) => stopped.once('exit', resolve))
    stopped.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT')
    await ended
  }
  const atExit = (): void => void server?.kill('SIGQUIT')
  process.once('exit', atExit)
  await start()

  return {
    url,
    start,
    stop,
    async restart(how) {
      await stop(how)
      await start()
    },
    async [Symbol.asyncDispose]() {
      process.off('exit', atExit)
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** It says so on its log. */
function isReady(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = ''
    server.stderr!.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-10_000)
      if (/ready to accept connections/.test(log)) resolve()
    })
    server.once('exit', () => reject(new Error(`PostgreSQL ended: ${log}`)))
  })
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}
