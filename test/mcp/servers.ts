/** The servers that tests of `mcpTools()` start, and what they need to look at them. */
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { StdioServer } from '@toolwright/mcp'
import {
  ChatClient,
  type ChatClientOptions,
  type ChatEvent,
  type RunResult,
  type ToolSource,
} from 'toolwright'
import { scriptedModel, type ScriptedCall } from 'toolwright/testing'

const RAW = fileURLToPath(new URL('raw-server.mjs', import.meta.url))

export interface RawServer extends StdioServer {
  /** What ran, line by line. */
  ran(): readonly string[]
}

export function rawServer(behaviour: string, detail = ''): RawServer {
  const log = join(mkdtempSync(join(tmpdir(), 'toolwright-mcp-')), 'calls')
  const server = {
    command: process.execPath,
    args: [RAW, behaviour, detail],
    env: { CALL_LOG: log },
  }
  const ran = (): readonly string[] => {
    try {
      return readFileSync(log, 'utf8').trim().split('\n')
    } catch {
      return []
    }
  }
  // Not a key of the server: `mcpTools()` refuses those that it does not know.
  return Object.defineProperty(server, 'ran', { value: ran }) as typeof server & RawServer
}

export type Mode = 'call' | 'stream'
export const MODES: readonly Mode[] = ['call', 'stream']

export interface Told {
  readonly result: RunResult
  readonly events: readonly ChatEvent[]
  /** What the model was told, call by call. */
  readonly told: readonly { readonly content: unknown; readonly isError?: boolean }[]
  readonly notices: readonly { readonly code: string; readonly message: string }[]
}

/** Lets a scripted model make these calls, one round each, and then answer. */
export async function ask(
  tools: ToolSource,
  calls: readonly ScriptedCall[],
  { mode = 'call', ...options }: ChatClientOptions & { readonly mode?: Mode } = {},
): Promise<Told> {
  const client = clientFor(calls, options)
  const request = client.prompt('Go').tools(tools)
  return toldBy(mode === 'call' ? request.call() : request.stream())
}

const clientFor = (calls: readonly ScriptedCall[], options: ChatClientOptions = {}): ChatClient =>
  ChatClient.create(
    scriptedModel([...calls.map((call) => ({ toolCalls: [call] })), 'Done.']),
    options,
  )

export async function toldBy(
  run: AsyncIterable<ChatEvent> & { result(): Promise<RunResult> },
): Promise<Told> {
  const events: ChatEvent[] = []
  for await (const event of run) events.push(event)
  const result = await run.result()
  return {
    result,
    events,
    told: events.flatMap((event) => (event.type === 'tool-result' ? [event.response] : [])),
    notices: events.flatMap((event) => (event.type === 'notice' ? [event] : [])),
  }
}
