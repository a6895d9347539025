/** The playground in a real browser: its server in this process, with tools and models of the test, and a page that is open. */
import { subscribe } from 'node:diagnostics_channel'
import { mkdtempSync, rmSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { servePlayground, type Playground, type PlaygroundOptions } from '@toolwright/playground'
import { openDatabase } from '@toolwright/sql'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import {
  toolsOf,
  type ChatModel,
  type ToolCallback,
  type ToolCallbackProvider,
  type ToolSource,
} from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { onTestFinished } from 'vitest'
import { HANG_GUARD_MS } from '../../scripts/hang-guard.ts'

export interface Desk {
  readonly page: Page
  readonly playground: Playground
  /** What is kept is in `chat.db` there. */
  readonly folder: string
  /** What the page asked of other places, and what it complained about. */
  readonly stray: readonly string[]
  /** What the server told whoever started it. */
  readonly warnings: readonly string[]
  /** Ends all connections of the pages, as a bad network does. */
  cut(): void
  /** Another tab of the same playground. */
  tab(): Promise<Page>
  /** Other tools from now on, as after a change of their file; or the reason why they cannot be loaded. */
  change(tools: readonly ToolSource[] | string): void
  /** The server ends and another begins on the same database. The pages go to the new address. */
  restart(): Promise<void>
}

export interface DeskOptions extends Partial<Omit<PlaygroundOptions, 'tools' | 'models'>> {
  readonly tools?: readonly ToolSource[]
  /** What the tools come from. Default: `tools.ts`. */
  readonly sources?: readonly string[]
  readonly model?: ChatModel
  readonly models?: PlaygroundOptions['models']
  /** Of the page: its size, its colours. */
  readonly screen?: BrowserContextOptions
  /** What follows `#` in the address. */
  readonly at?: string
}

const DESKTOP = { width: 1280, height: 800 }
/** For what the page shows a moment later: a busy machine is slow, and the test's own guard ends what hangs. */
export const POLL = { timeout: HANG_GUARD_MS }
export const PHONE = { width: 360, height: 740 }

export async function openDesk(browser: Browser, options: DeskOptions = {}): Promise<Desk> {
  const {
    tools = [],
    model = scriptedModel([]),
    screen = {},
    at = '',
    sources = ['tools.ts'],
    ...rest
  } = options
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-playground-'))
  const database = await openDatabase(`file:${join(folder, 'chat.db')}`)
  const offered = new ChangingTools(tools, sources)
  const warnings: string[] = []
  const serve = (port = 0): Promise<Playground> =>
    servePlayground({
      models: [{ id: 'scripted', label: 'Scripted', model }],
      folder,
      ...rest,
      port,
      database,
      tools: offered,
      warn: (message) => void warnings.push(message),
    })
  let playground = await serve()
  const context = await browser.newContext({ viewport: DESKTOP, ...screen })
  // A busy machine is slow, and the test's own guard ends what hangs.
  context.setDefaultTimeout(HANG_GUARD_MS)
  onTestFinished(async () => {
    await context.close()
    await playground.close()
    await database.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const stray: string[] = []
  const tab = async (): Promise<Page> => {
    const page = await context.newPage()
    const origin = new URL(playground.url).origin
    page.on('request', (request) => {
      if (!/^(?:data|blob):/.test(request.url()) && !request.url().startsWith(origin))
        stray.push(request.url())
    })
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) stray.push(message.text())
    })
    page.on('pageerror', (error) => stray.push(error.message))
    page.on('dialog', (dialog) => {
      stray.push(dialog.message())
      void dialog.dismiss()
    })
    await page.goto(playground.url + at)
    return page
  }
  const page = await tab()
  return {
    page,
    get playground() {
      return playground
    },
    folder,
    cut: () => cutConnections(playground.port),
    stray,
    warnings,
    tab,
    change: (next) => offered.change(next),
    async restart() {
      await playground.close()
      playground = await serve(playground.port)
      await page.goto(playground.url + new URL(page.url()).hash)
    },
  }
}

/** Sockets on which servers of this process were asked. */
const sockets = new Set<Socket>()
subscribe('http.server.request.start', (message) => {
  const { socket } = message as { readonly socket: Socket }
  if (sockets.has(socket)) return
  sockets.add(socket)
  socket.once('close', () => sockets.delete(socket))
})

function cutConnections(port: number): void {
  for (const socket of sockets) if (socket.localPort === port) socket.destroy()
}

const isProvider = (source: ToolSource): source is ToolCallbackProvider =>
  'toolCallbacks' in (source as object)

class ChangingTools {
  readonly sources: readonly string[]
  readonly quarantined = []
  problem: string | undefined
  #tools: readonly ToolSource[]
  readonly #listeners = new Set<() => void>()

  constructor(tools: readonly ToolSource[], sources: readonly string[]) {
    this.sources = sources
    this.#tools = tools
  }

  async list(): Promise<readonly { callback: ToolCallback; source: string }[]> {
    const all = this.#tools.map((each) =>
      isProvider(each) ? each.toolCallbacks() : toolsOf(each as ToolCallback),
    )
    return (await Promise.all(all)).flat().map((callback) => ({ callback, source: 'tools.ts' }))
  }

  runSources(): readonly ToolSource[] {
    return this.#tools
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  change(next: readonly ToolSource[] | string): void {
    if (typeof next === 'string') this.problem = next
    else {
      this.problem = undefined
      this.#tools = next
    }
    for (const listener of this.#listeners) listener()
  }
}
