/**
 * `toolwright mcp <file>`: serves the tools of a file to MCP clients, over stdin and stdout or over HTTP, until the
 * client leaves or the process is told to end. Stdout belongs to the protocol: whatever tools print goes to stderr.
 */
import { basename, extname } from 'node:path'
import { Writable } from 'node:stream'
import type { ServedTools } from '@toolwright/mcp'
import type { CommandIo } from '../command/command.ts'
import { CommandError, messageOfThrown } from '../command/command-error.ts'
import { BY_A_TOOL, orEnded } from '../command/ended-process.ts'
import { loadTools, type LoadedTools } from '../load/load-tools.ts'
import { packageVersionFor } from '../load/package-version.ts'
import { printsAside } from '../terminal/prints-aside.ts'
import { addressOf, type Address, type AddressOptions } from './serve-address.ts'
import { toldToEnd } from './told-to-end.ts'

export interface ServedFile extends AddressOptions {
  readonly file: string
  readonly name?: string
}

export async function serveFile(wanted: ServedFile, io: CommandIo): Promise<number> {
  const address = addressOf(wanted, io.env)
  const output = ownOutput(io)
  return printsAside(io, async () => {
    const loaded = await loadTools(wanted.file, io)
    const served = await serving(loaded, address, wanted)
    process.on('uncaughtException', complain)
    const end = toldToEnd()
    try {
      const work = address ? listening(served, { address, output, end }) : served.stdio({ output })
      io.stderr.write(`toolwright: ${introduction(loaded, wanted, address !== undefined)}\n`)
      await orEnded(BY_A_TOOL, () => Promise.race([work, end.told]))
      return 0
    } finally {
      await served.close()
      end.stop()
      process.off('uncaughtException', complain)
    }
  })

  /** A failure that no call waits for must not end the server. */
  function complain(error: unknown): void {
    io.stderr.write(`toolwright: Something failed outside of a call: ${messageOfThrown(error)}\n`)
  }
}

/** Writes to stdout though what tools write there is led aside; made before that. */
function ownOutput({ stdout }: CommandIo): Writable {
  const write = stdout.write.bind(stdout) as (chunk: Uint8Array, done: () => void) => boolean
  return new Writable({ write: (chunk: Uint8Array, _encoding, done) => void write(chunk, done) })
}

async function serving(
  { tools, file }: LoadedTools,
  address: Address | undefined,
  { name }: ServedFile,
): Promise<ServedTools> {
  const { serveTools } = await import('@toolwright/mcp')
  return serveTools(tools, {
    name: name ?? basename(file, extname(file)),
    version: packageVersionFor(file),
    ...(address?.token !== undefined && { auth: { token: address.token } }),
    ...(address?.allowedHosts && { allowedHosts: address.allowedHosts }),
  })
}

interface Listening {
  readonly address: Address
  readonly end: { readonly told: Promise<void> }
  readonly output: Writable
}

/** Ends when the process is told to. The url alone goes to stdout, for scripts. */
async function listening(
  served: ServedTools,
  { address: { port, host }, output, end }: Listening,
): Promise<void> {
  const server = await served.listen({ port, host }).catch((cause: unknown) => {
    throw new CommandError(
      `The server cannot listen on ${host}, port ${port}: ${messageOfThrown(cause)}. Give --port or --host another value.`,
      { exitCode: 1, cause },
    )
  })
  output.write(`${server.url}\n`)
  await end.told
  await server.close()
}

function introduction({ tools }: LoadedTools, { file }: ServedFile, isHttp: boolean): string {
  const count = tools.length === 1 ? '1 tool' : `${tools.length} tools`
  const how = isHttp
    ? 'over HTTP. Ctrl-C ends it.'
    : 'over stdin and stdout, for an MCP client that starts this command.'
  return `serves ${count} of ${file} ${how}`
}
