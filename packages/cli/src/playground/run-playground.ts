/** Runs the `playground` command after its command line is read: finds tools and models, and serves the page. */
import { join } from 'node:path'
import type { Playground } from '@toolwright/playground'
import { ToolwrightError } from 'toolwright'
import { ChatTools } from '../chat/chat-tools.ts'
import { programTools } from '../chat/program-tools.ts'
import type { CommandIo } from '../command/command.ts'
import { CommandError } from '../command/command-error.ts'
import { BY_A_TOOL, orEnded } from '../command/ended-process.ts'
import { ConversationStore } from '../conversations/conversation-store.ts'
import { lintTools } from '../lint/lint-tools.ts'
import type { WantedServers } from '../mcp/mcp-options.ts'
import { openServers } from '../mcp/open-servers.ts'
import { toldToEnd } from '../mcp/told-to-end.ts'
import { printsAside } from '../terminal/prints-aside.ts'
import { configuredModels } from './configured-models.ts'
import { exportConversation } from './export-conversation.ts'
import { openPage } from './open-page.ts'
import { WatchedTools } from './watched-tools.ts'

export interface PlaygroundCommandLine {
  readonly files: readonly string[]
  readonly servers: WantedServers
  readonly model: string | undefined
  readonly baseUrl: string | undefined
  readonly system: string | undefined
  readonly codeMode: boolean
  /** 0: any that is free. */
  readonly port: number
  readonly open: boolean
}

export async function runPlayground(wanted: PlaygroundCommandLine, io: CommandIo): Promise<number> {
  if (wanted.codeMode && wanted.files.length + wanted.servers.mcp.length === 0)
    throw new CommandError('--code-mode is for tools. Name a file of tools, or --mcp server.')
  const write = io.stdout.write.bind(io.stdout)
  // The address alone goes to stdout, whatever tools print.
  return printsAside(io, async () => {
    const warn = (message: string): void => void io.stderr.write(`toolwright: ${message}\n`)
    const tools = await ChatTools.load({ files: wanted.files, cwd: io.cwd })
    const models = await configuredModels(wanted, { env: io.env, warn })
    const store = await ConversationStore.open({ env: io.env, warn })
    const end = toldToEnd()
    const watching = new AbortController()
    const complain = (error: unknown): void =>
      warn(`Something failed outside of a call: ${String(error)}`)
    process.on('uncaughtException', complain)
    try {
      tools.servers = await openServers(wanted.servers, { io, own: () => tools.own })
      if (wanted.codeMode) tools.behind = await programTools()
      const watched = new WatchedTools(tools, { cwd: io.cwd, signal: watching.signal, warn })
      const { servePlayground } = await import('@toolwright/playground')
      const playground = await servePlayground({
        tools: watched,
        models,
        database: store.database,
        folder: join(store.folder, 'playground'),
        port: wanted.port,
        ...(wanted.system !== undefined && { system: wanted.system }),
        exportConversation: exportConversation(() => tools.loaded, io.cwd),
        lint: lintTools,
        warn,
      }).catch((error: unknown) => {
        throw refusal(error, wanted.port)
      })
      void watched.watch()
      void watched.watchServers()
      await orEnded(BY_A_TOOL, () => serving(playground, { ...wanted, write, warn, end }))
      return 0
    } finally {
      watching.abort()
      await tools.servers?.close()
      await store.close()
      end.stop()
      process.off('uncaughtException', complain)
    }
  })
}

interface Serving {
  readonly open: boolean
  readonly end: { readonly told: Promise<void> }
  write(text: string): unknown
  warn(message: string): void
}

async function serving(playground: Playground, { open, end, write, warn }: Serving): Promise<void> {
  try {
    write(`${playground.url}\n`)
    warn('the playground is at this address, for this machine only. Ctrl-C ends it.')
    if (open && !(await openPage(playground.url)))
      warn('No browser could be started. Open the address yourself.')
    await end.told
  } finally {
    await playground.close()
  }
}

/** A port that is taken is for the user to correct. */
function refusal(error: unknown, port: number): unknown {
  if (!ToolwrightError.is(error)) return error
  const isTaken = (error.cause as NodeJS.ErrnoException | undefined)?.code === 'EADDRINUSE'
  const message = isTaken
    ? `The port ${port} is taken. Give --port another value, or leave it out for a free one.`
    : error.message
  return new CommandError(message, { exitCode: 1, cause: error })
}
