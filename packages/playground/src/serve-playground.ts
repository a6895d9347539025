/** Puts the rooms of the playground together and serves them on loopback. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { sqlMemoryRepository, sqlRunStore } from '@toolwright/sql'
import { checkNumber, checkOptions, ConfigurationError } from 'toolwright'
import { HandCalls } from './calls/hand-calls.ts'
import { ConversationBook } from './conversations/conversation-book.ts'
import { Conversations } from './conversations/conversations.ts'
import { stateSecret } from './conversations/state-secret.ts'
import { TurnDesk } from './conversations/turn-desk.ts'
import { WaitingRuns } from './conversations/waiting-runs.ts'
import { News } from './news/news.ts'
import type { Playground, PlaygroundOptions } from './playground-options.ts'
import type { Session } from './protocol/routes.ts'
import { routesOf } from './routes.ts'
import { HttpServer } from './server/http-server.ts'
import { pageFiles, type PageFiles } from './server/page-files.ts'
import { givenTools } from './tools/given-tools.ts'
import { ToolDesk } from './tools/tool-desk.ts'
import { TraceFiles } from './traces/trace-files.ts'

/** What tests turn. */
export interface Ports {
  readonly heartbeatMs: number
  readonly bodyMs: number
  readonly page: PageFiles
}

/**
 * Serves a page on 127.0.0.1 where the tools are called by hand and by models. Its address has a fresh token, and only
 * pages with it are answered.
 *
 * @example
 * await using playground = await servePlayground({ tools: [add], models, database, folder: '.playground' })
 * console.log(playground.url)
 */
export const servePlayground = (options: PlaygroundOptions): Promise<Playground> =>
  openPlayground(options, { heartbeatMs: 15_000, bodyMs: 30_000, page: pageFiles() })

export async function openPlayground(
  options: PlaygroundOptions,
  ports: Ports,
): Promise<Playground> {
  check(options)
  const { models, database, folder, port = 0, exportConversation, warn = () => {} } = options
  const news = new News()
  const tools = new ToolDesk({
    tools: givenTools(options.tools),
    lint: options.lint,
    warn,
    onChange: (revision) => news.tools(revision),
  })
  const book = new ConversationBook(sqlMemoryRepository(database))
  const runStore = sqlRunStore(database)
  const waiting = new WaitingRuns(runStore)
  const traces = await TraceFiles.open(folder)
  const turns = new TurnDesk({
    ...{ models, system: options.system, tools, book, waiting, runStore, traces, warn },
    stateSecret: await stateSecret(folder),
    onChange: (id) => conversations.changed(id),
  })
  const conversations = new Conversations({
    ...{ book, turns, waiting, tools, traces, news, warn, exportConversation },
    system: options.system,
  })
  const calls = new HandCalls(tools, warn)
  const token = randomBytes(32).toString('base64url')
  const session = sessionOf(options, tools.sources)
  const routes = routesOf({ session, tools, calls, conversations, turns, news })
  const server = await HttpServer.listen({ ...ports, port, token, routes, warn })
  let closed: Promise<void> | undefined
  const close = async (): Promise<void> => {
    tools.close()
    news.close()
    await Promise.all([calls.close(), turns.leave()])
    await conversations.settled()
    await server.close()
  }
  return {
    url: `http://127.0.0.1:${server.port}/?token=${token}`,
    port: server.port,
    close: () => (closed ??= close()),
    [Symbol.asyncDispose]: () => (closed ??= close()),
  }
}

const OPTIONS: readonly (keyof PlaygroundOptions)[] = [
  ...(['tools', 'models', 'database', 'folder', 'system', 'port'] as const),
  ...(['exportConversation', 'lint', 'warn', 'allowInProduction'] as const),
]

function check(options: PlaygroundOptions): void {
  checkOptions('servePlayground()', options, OPTIONS)
  const { port, models, allowInProduction = false } = options
  if (process.env['NODE_ENV'] === 'production' && !allowInProduction)
    throw new ConfigurationError(
      'invalid-option',
      'Whoever has the address of a playground can call its tools, so none is served where NODE_ENV is "production". ' +
        'Unset NODE_ENV, or give servePlayground() { allowInProduction: true }.',
    )
  if (port !== undefined) checkNumber('port', port, { least: 0, isWhole: true })
  if (!(port === undefined || port <= 65_535))
    throw new ConfigurationError('invalid-option', `There is no port ${port}.`)
  if (!Array.isArray(models) || models.length === 0)
    throw new ConfigurationError('invalid-option', 'servePlayground() got no model.')
}

function sessionOf(options: PlaygroundOptions, sources: readonly string[]): Session {
  const { models, exportConversation } = options
  return {
    version: version(),
    sources,
    models: models.map(({ id, label, isDemo = false }) => ({ id, label, isDemo })),
    canExport: exportConversation !== undefined,
  }
}

function version(): string {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  return (JSON.parse(manifest) as { readonly version: string }).version
}
