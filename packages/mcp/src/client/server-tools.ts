/**
 * The tools of one server: listed when a run first asks, kept as long as the server allows, and offered in the server's
 * order. Each is known by its own name; what it is called here is decided when it is offered.
 */
import { McpError, type ToolListing } from 'toolwright'
import { withoutHidden } from '../remote/hidden-text.ts'
import { changedSincePinned } from '../remote/pins.ts'
import type { ServerParts } from './call-remote.ts'
import { CallsInFlight } from './calls-in-flight.ts'
import { Connection, DEFAULT_TIMEOUT_MS, type OpenConnection } from './connection.ts'
import { HeldCalls } from './held-calls.ts'
import { listEntries, type ListedEntries } from './list-tools.ts'
import type { McpServer, McpToolsOptions, QuarantinedTool } from './mcp-tools-options.ts'
import { sortTools, type OfferableTool, type SortedTools } from './offerable-tools.ts'
import { RunNotices } from './run-notices.ts'
import { isCut, isUnsent, toMcpError } from './sdk-errors.ts'
import { identityOf, labelOf } from './server-label.ts'

interface Listed extends SortedTools {
  readonly listedAt: number
  readonly ttlMs: number
  /** Whose list it is; undefined if it is everybody's. */
  readonly credential: string | undefined
}

/** How long a list is used if the server does not say. One that tells of changes is asked again when it does. */
const DEFAULT_TTL_MS = 5 * 60_000
/** A server that says again and again that its list changed is asked once in this time, in ms. */
const STORM_MS = 1_000
const STORM = 10
const MOST_NOTICES = 20

export class ServerTools {
  readonly label: string
  readonly #server: McpServer
  readonly #parts: ServerParts
  #listed: Listed | undefined
  #listing: Promise<Listed> | undefined
  #isStale = false
  #changes = 0
  #instructions: string | undefined
  #closed: McpError | undefined

  constructor(server: McpServer, options: McpToolsOptions) {
    this.#server = server
    this.label = options.name ?? labelOf(server)
    const notices = new RunNotices(this.label)
    const ignored = (what: string): void => notices.add('mcp-ignored', what)
    const calls = new CallsInFlight(ignored)
    const held = new HeldCalls()
    const connection = new Connection(
      { server, options, label: this.label },
      {
        ignored,
        listChanged: () => this.#changed(),
        closed: () => undefined,
        reconnected: () =>
          notices.add('mcp-connection', 'The connection was lost, and was made anew.'),
        elicited: (params, signal) => calls.elicited(params, signal),
      },
    )
    this.#parts = { label: this.label, options, connection, calls, held, notices }
  }

  get quarantined(): readonly QuarantinedTool[] {
    return this.#listed?.quarantined ?? []
  }

  get instructions(): string | undefined {
    return this.#instructions
  }

  refresh(): void {
    this.#isStale = true
    this.#changes = 0
  }

  async tools(listing?: ToolListing): Promise<readonly OfferableTool[]> {
    if (this.#closed) throw this.#closed
    const listed = (await this.#isFresh()) ? this.#listed! : await this.#list(listing)
    this.#tell(listed, listing)
    return listed.tools
  }

  async close(): Promise<void> {
    const { held, calls, connection } = this.#parts
    this.#closed = new McpError('mcp-closed', `The tools of server "${this.label}" were closed.`)
    held.close()
    calls.close(this.#closed)
    await connection.close()
  }

  #changed(): void {
    this.#isStale = true
    this.#changes++
  }

  async #isFresh(): Promise<boolean> {
    const listed = this.#listed
    if (!listed) return false
    const age = Date.now() - listed.listedAt
    if (this.#isStale) return this.#changes > STORM && age < STORM_MS
    if (age >= listed.ttlMs) return false
    return listed.credential === undefined || listed.credential === (await this.#credential())
  }

  /** One list at a time, for all who ask. One that fails leaves the old one in use. */
  async #list(listing?: ToolListing): Promise<Listed> {
    this.#listing ??= this.#ask().finally(() => (this.#listing = undefined))
    try {
      return await orAbort(this.#listing, listing?.signal)
    } catch (thrown) {
      listing?.signal?.throwIfAborted()
      if (!this.#listed) throw thrown
      const why = thrown instanceof Error ? thrown.message : String(thrown)
      listing?.notice(
        'mcp-list',
        `The list of server "${this.label}" could not be renewed, so the old one is used: ${why}`,
      )
      return this.#listed
    }
  }

  async #ask(): Promise<Listed> {
    this.#isStale = false
    this.#changes = 0
    try {
      const { open, entries } = await this.#entries()
      const instructions = open.client.getInstructions()
      this.#instructions = instructions && withoutHidden(instructions)
      const listed = await this.#sort(open, entries)
      this.#listed = listed
      return listed
    } catch (thrown) {
      this.#isStale = true
      throw thrown
    }
  }

  /** Listing changes nothing, so it is done again if the connection was lost. */
  async #entries(
    isSecond = false,
    signIns = 0,
  ): Promise<{ readonly open: OpenConnection; readonly entries: ListedEntries }> {
    const { connection, options } = this.#parts
    const open = await connection.open()
    try {
      return {
        open,
        entries: await listEntries(open, { timeout: options.timeoutMs ?? DEFAULT_TIMEOUT_MS }),
      }
    } catch (thrown) {
      const isLost = isCut(thrown) || isUnsent(thrown)
      if (isLost) open.drop()
      if (isLost && !isSecond) return this.#entries(true, signIns)
      if (await open.signedIn(thrown, signIns)) return this.#entries(isSecond, signIns + 1)
      throw toMcpError(thrown, {
        server: this.label,
        what: 'listing its tools',
        lastWords: open.lastWords(),
      })
    }
  }

  async #sort(
    open: OpenConnection,
    { entries, ttlMs, isPublic, cut }: ListedEntries,
  ): Promise<Listed> {
    const { options } = this.#parts
    const chosen = entries.filter((entry) => isChosen(nameOf(entry), options))
    const identity = identityOf(this.#server, options.name)
    const named = chosen.filter(
      (entry) => typeof (Object(entry) as { name?: unknown }).name === 'string',
    )
    const changed = options.pins
      ? await changedSincePinned(
          options.pins,
          identity,
          named as readonly { readonly name: string }[],
        )
      : NONE
    const { tools, quarantined, notes } = sortTools(chosen, changed, this.#parts)
    const tells = open.client.getServerCapabilities()?.tools?.listChanged === true
    return {
      tools,
      quarantined,
      notes: [
        ...notes,
        ...unmatched(entries.map(nameOf), options).map(
          (name) => `Server "${this.label}" has no tool "${name}", which an option names.`,
        ),
        ...(cut ? [`The list of server "${this.label}" is not complete: ${cut}.`] : []),
      ],
      listedAt: Date.now(),
      ttlMs: ttlMs ?? (tells ? Infinity : DEFAULT_TTL_MS),
      credential: isPublic ? undefined : await this.#credential(),
    }
  }

  #tell({ quarantined, notes }: Listed, listing: ToolListing | undefined): void {
    if (!listing) return
    const notice = listing.notice.bind(listing)
    this.#parts.notices.tell(notice)
    for (const { name, reason } of quarantined.slice(0, MOST_NOTICES))
      notice(
        'mcp-tool-quarantined',
        `Tool "${name}" of server "${this.label}" is not offered: ${reason}.`,
        { server: this.label, tool: name },
      )
    const more = quarantined.length - MOST_NOTICES
    if (more > 0)
      notice(
        'mcp-tool-quarantined',
        `${more} more tools of server "${this.label}" are not offered.`,
      )
    for (const note of notes.slice(0, MOST_NOTICES)) notice('mcp-list', note)
  }

  /** Who is signed in: private lists are for them alone. */
  async #credential(): Promise<string> {
    if (!('auth' in this.#server)) return ''
    const { auth } = this.#server
    if (typeof auth === 'string') return auth
    const provider = Object(auth) as {
      tokens?: () => Promise<{ access_token?: string } | undefined>
    }
    const tokens = await provider.tokens?.call(auth)
    return tokens?.access_token ?? ''
  }
}

const NONE: ReadonlySet<string> = new Set()

const nameOf = (entry: unknown): string =>
  String((Object(entry) as { readonly name?: unknown }).name)

/** Names in options that no tool has: misspelt ones would leave in what should be left out. */
function unmatched(
  names: readonly string[],
  { include, exclude, rename = {} }: McpToolsOptions,
): readonly string[] {
  const listed = (rule: McpToolsOptions['include']): readonly string[] =>
    typeof rule === 'function' || rule === undefined ? [] : rule
  const given = [...listed(include), ...listed(exclude), ...Object.keys(rename)]
  return [...new Set(given)].filter((name) => !names.includes(name))
}

function isChosen(name: string, { include, exclude }: McpToolsOptions): boolean {
  const is = (rule: NonNullable<McpToolsOptions['include']>): boolean =>
    typeof rule === 'function' ? rule(name) : rule.includes(name)
  return (include === undefined || is(include)) && !(exclude !== undefined && is(exclude))
}

function orAbort<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason as Error)
    signal.addEventListener('abort', leave, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}
