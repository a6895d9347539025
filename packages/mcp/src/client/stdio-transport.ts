/**
 * A server that is a program, as the SDK's transport. The SDK's own one is not used: here the program leads a process
 * group that goes with it, lines are bounded, and its last words on stderr are kept for errors.
 */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { McpError, redact } from 'toolwright'
import { addGroup, isGroupAlive, killGroup } from './child-groups.ts'
import { idAtEdges, LARGEST_MESSAGE, LineReader, type ReadLine } from './line-reader.ts'
import type { StdioServer } from './mcp-tools-options.ts'

/** Harmless, and needed to start almost anything. Nothing else of this process's environment reaches a server. */
const PASSED_ON =
  process.platform === 'win32'
    ? 'APPDATA COMSPEC HOMEDRIVE HOMEPATH LOCALAPPDATA PATH PATHEXT PROCESSOR_ARCHITECTURE PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86) SYSTEMDRIVE SYSTEMROOT TEMP USERNAME USERPROFILE WINDIR'
    : 'HOME LOGNAME PATH SHELL TERM USER'

/** How long a program has to end by itself before its group is killed, in ms. */
const GRACE_MS = 1_000
const STDERR_KEPT = 8 * 1024
const LAST_LINES = 12

/** What the program wrote and what was not passed on. The message is a sentence about the program. */
export class DroppedLine extends Error {
  override readonly name = 'DroppedLine'
}

export class StdioTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: Transport['onmessage']
  readonly #server: StdioServer
  readonly #lines = new LineReader()
  #child: ChildProcessWithoutNullStreams | undefined
  #stderr = ''
  #isClosed = false

  constructor(server: StdioServer) {
    this.#server = server
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** What the program wrote last to stderr, redacted; empty if nothing. */
  get lastWords(): string {
    const lines = redact(this.#stderr).trim().split('\n').slice(-LAST_LINES)
    return lines.join('\n').trim()
  }

  async start(): Promise<void> {
    const { command, args = [], env, cwd } = this.#server
    const child = spawn(command, [...args], {
      env: { ...passedOn(), ...env },
      cwd,
      stdio: 'pipe',
      shell: false,
      windowsHide: true,
      // The leader of a group of its own.
      detached: process.platform !== 'win32',
    })
    this.#child = child
    this.#listen(child)
    try {
      await once(child, 'spawn')
    } catch (cause) {
      this.#closed()
      const where = cwd === undefined ? '' : ` in the folder ${cwd}`
      const hint = /\s/.test(command) ? ' Its arguments go into args.' : ''
      throw new McpError(
        'mcp-unreachable',
        `The command "${command}" could not be started${where}.${hint}`,
        { cause },
      )
    }
    addGroup(child.pid!)
    // A server that is not being asked does not keep this process alive.
    child.unref()
    for (const pipe of [child.stdin, child.stdout, child.stderr])
      (pipe as { unref?: () => void }).unref?.()
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const child = this.#child
    if (!child || this.#isClosed) throw new Error('Not connected')
    // A pipe that is full is not waited for: a program that does not read does not get to hold the caller.
    child.stdin.write(`${JSON.stringify(message)}\n`)
    return Promise.resolve()
  }

  async close(): Promise<void> {
    const child = this.#child
    this.#closed()
    if (!child?.pid) return
    child.stdin.end()
    await gone(child.pid, GRACE_MS / 2)
    if (isGroupAlive(child.pid)) {
      killGroup(child.pid, 'SIGTERM')
      await gone(child.pid, GRACE_MS / 2)
    }
    killGroup(child.pid)
  }

  #listen(child: ChildProcessWithoutNullStreams): void {
    child.on('error', (error) => this.onerror?.(error))
    child.stdin.on('error', (error) => this.onerror?.(error))
    child.stdout.on('data', (chunk: Buffer) => this.#read(chunk))
    child.stderr.on('data', (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString()).slice(-STDERR_KEPT)
    })
    child.on('exit', () => {
      // What it left behind may hold its pipes open, and what it wrote last has to be read.
      if (child.pid) killGroup(child.pid)
      setTimeout(() => this.#closed(), GRACE_MS).unref()
    })
    child.on('close', () => this.#closed())
  }

  #read(chunk: Buffer): void {
    for (const line of this.#lines.read(chunk)) this.#take(line)
    if (!this.#lines.isEndless) return
    this.onerror?.(new DroppedLine('It wrote a line that does not end, and was ended.'))
    if (this.#child?.pid) killGroup(this.#child.pid)
    this.#closed()
  }

  #take(line: ReadLine): void {
    if (this.#isClosed) return
    if (line.kind === 'too-long') return this.#refuse(line)
    const message = parsed(line.text)
    if (message === undefined)
      this.onerror?.(
        new DroppedLine(`It wrote a line that is no JSON-RPC message: ${shown(line.text)}`),
      )
    else this.onmessage?.(message)
  }

  /** The request that it answers fails, instead of waiting for an answer that was dropped. */
  #refuse({ start, end, bytes }: ReadLine & { readonly kind: 'too-long' }): void {
    const message = `The answer has ${bytes} bytes, more than ${LARGEST_MESSAGE}.`
    this.onerror?.(
      new DroppedLine(`It wrote a line of ${bytes} bytes, more than ${LARGEST_MESSAGE}.`),
    )
    const id = idAtEdges(start, end)
    if (id !== undefined)
      this.onmessage?.({ jsonrpc: '2.0', id, error: { code: -32_000, message } })
  }

  #closed(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.onclose?.()
  }
}

function passedOn(): { readonly [name: string]: string } {
  const entries = PASSED_ON.split(' ').map((name) => [name, process.env[name]] as const)
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => isPlain(entry[1])))
}

/** A shell's function is no value. */
const isPlain = (value: string | undefined): boolean =>
  value !== undefined && !value.startsWith('()')

function parsed(text: string): JSONRPCMessage | undefined {
  try {
    const message: unknown = JSON.parse(text)
    const isMessage =
      typeof message === 'object' &&
      message !== null &&
      'jsonrpc' in message &&
      message.jsonrpc === '2.0'
    return isMessage ? (message as JSONRPCMessage) : undefined
  } catch {
    return undefined
  }
}

const shown = (text: string): string => redact(text.slice(0, 200))

/** Resolves when the group has ended, or after `ms`. */
async function gone(pid: number, ms: number): Promise<void> {
  const step = 20
  for (let waited = 0; waited < ms && isGroupAlive(pid); waited += step)
    await new Promise((resolve) => setTimeout(resolve, step))
}
