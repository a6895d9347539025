/**
 * The way to one server: made when it is first needed, shared by everything that needs it, and made anew after it was
 * lost. Each need tries once; a server that cannot be reached is given more and more time between tries.
 */
import type {
  Client,
  ElicitRequest,
  StreamableHTTPClientTransport,
  Transport,
} from '@modelcontextprotocol/client'
import { McpError, redact, type ObservedFacts } from 'toolwright'
import { connectionFacts } from './connection-facts.ts'
import { httpTransport } from './http-transport.ts'
import type {
  HttpServer,
  McpEra,
  McpServer,
  McpToolsOptions,
  StdioServer,
} from './mcp-tools-options.ts'
import { MessageFilter } from './message-filter.ts'
import { loadSdk, loadStdioTransport } from './on-demand.ts'
import { CONNECTING, toMcpError } from './sdk-errors.ts'
import { ServerRequests } from './server-requests.ts'
import { MOST_SIGN_INS, signInFor, type SignIn } from './sign-in.ts'

export const DEFAULT_TIMEOUT_MS = 60_000
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 10_000
/** How long a program may be silent when it is asked for the newer protocol, until it counts as one of the older. */
const PROBE_MS = 5_000

/** A connection that is open, with what of it the callers use. */
export interface OpenConnection {
  readonly client: Client
  readonly filter: MessageFilter
  readonly isHttp: boolean
  /** What is told of each call to those who observe it. */
  readonly facts: ObservedFacts
  /** Whether a call needs nothing of the SDK: a program's pipe that was made here, with the old protocol. */
  readonly isPlainPipe: boolean
  /** The server's last words on stderr. */
  readonly lastWords: () => string | undefined
  /**
   * Signs in if that is what the server wants and the program can. False: it is not, or it was done `times` times already
   * for this request.
   */
  readonly signedIn: (thrown: unknown, times: number) => Promise<boolean>
  /** Gives the connection up, so that the next need makes a new one. */
  readonly drop: () => void
}

export interface ConnectionEvents {
  listChanged(): void
  ignored(what: string): void
  /** A connection was lost and is open again. */
  reconnected(): void
  closed(): void
  /** A question of the server in the middle of a call. */
  elicited(params: ElicitRequest['params'], signal: AbortSignal): Promise<object>
}

export class Connection {
  readonly requests: ServerRequests
  readonly #server: McpServer
  readonly #options: McpToolsOptions
  readonly #events: ConnectionEvents
  readonly #label: string
  readonly #signIn: SignIn | undefined
  #opening: Promise<OpenConnection> | undefined
  #open: OpenConnection | undefined
  #isClosed = false
  #hadOne = false
  #failures = 0
  #failedAt = 0

  constructor(
    {
      server,
      options,
      label,
    }: { readonly server: McpServer; readonly options: McpToolsOptions; readonly label: string },
    events: ConnectionEvents,
  ) {
    this.#server = server
    this.#options = options
    this.#label = label
    this.#events = events
    this.#signIn = signInFor(server)
    this.requests = new ServerRequests(options)
  }

  /** The open connection, if there is one now. */
  get current(): OpenConnection | undefined {
    return this.#open
  }

  /** Connects if there is no connection. A caller that leaves does not end it for the others. */
  async open(signal?: AbortSignal): Promise<OpenConnection> {
    if (this.#isClosed)
      throw new McpError('mcp-closed', `The tools of server "${this.#label}" were closed.`)
    if (this.#open) return this.#open
    this.#opening ??= this.#connect().finally(() => (this.#opening = undefined))
    return signal ? unlessAborted(this.#opening, signal) : this.#opening
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const opening = this.#opening
    const open = this.#open ?? (await opening?.catch(() => undefined))
    this.#open = undefined
    // A client that the program made is the program's to close.
    if (open && !isClient(this.#server)) await open.client.close()
  }

  async #connect(): Promise<OpenConnection> {
    await this.#pause()
    try {
      const open = isClient(this.#server) ? this.#adopt(this.#server) : await this.#make()
      if (this.#isClosed) {
        if (!isClient(this.#server)) await open.client.close()
        throw new McpError('mcp-closed', `The tools of server "${this.#label}" were closed.`)
      }
      this.#failures = 0
      this.#open = open
      if (this.#hadOne) this.#events.reconnected()
      this.#hadOne = true
      return open
    } catch (thrown) {
      this.#failures++
      this.#failedAt = Date.now()
      throw thrown
    }
  }

  /** The time that is left until the next try. */
  async #pause(): Promise<void> {
    if (this.#failures === 0) return
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** (this.#failures - 1), LONGEST_PAUSE_MS)
    const left = this.#failedAt + pause - Date.now()
    if (left > 0) await new Promise((resolve) => setTimeout(resolve, left))
  }

  async #make(): Promise<OpenConnection> {
    const server = this.#server as StdioServer | HttpServer
    const isHttp = 'url' in server
    const era = this.#options.era ?? (isHttp ? 'auto' : 'legacy')
    try {
      return await this.#start(server, era)
    } catch (thrown) {
      // An old program may end when it is asked what it does not know; it is started again for the old protocol.
      const mayBeOld =
        !isHttp &&
        era === 'auto' &&
        !(thrown instanceof McpError && thrown.code === 'mcp-unreachable')
      if (!mayBeOld) throw thrown
      return this.#start(server, 'legacy')
    }
  }

  async #start(
    server: StdioServer | HttpServer,
    era: McpEra,
    signIns = 0,
  ): Promise<OpenConnection> {
    const { StdioTransport, DroppedLine } = await loadStdioTransport()
    const transport =
      'url' in server ? await httpTransport(server, this.#signIn) : new StdioTransport(server)
    const filter = new MessageFilter(transport, this.#events)
    const client = await this.#newClient(era)
    client.onerror = (error) => {
      if (error instanceof DroppedLine) this.#events.ignored(error.message)
    }
    const lastWords = (): string | undefined =>
      transport instanceof StdioTransport ? transport.lastWords : undefined
    const { timeoutMs = DEFAULT_TIMEOUT_MS } = this.#options
    const signedIn = (thrown: unknown, times: number): Promise<boolean> =>
      this.#signedIn(thrown, transport, times)
    try {
      await client.connect(transport, { timeout: timeoutMs })
    } catch (thrown) {
      const again = await signedIn(thrown, signIns).finally(() =>
        transport.close().catch(() => undefined),
      )
      if (again) return this.#start(server, era, signIns + 1)
      throw toMcpError(thrown, { server: this.#label, what: CONNECTING, lastWords: lastWords() })
    }
    const isHttp = 'url' in server
    const isPlainPipe = !isHttp && client.getProtocolEra() !== 'modern'
    return this.#opened({ client, filter, isHttp, isPlainPipe, lastWords, signedIn })
  }

  async #signedIn(thrown: unknown, transport: Transport, times: number): Promise<boolean> {
    if (times >= MOST_SIGN_INS || !this.#signIn?.canAnswer(thrown)) return false
    try {
      await this.#signIn.finish(transport as StreamableHTTPClientTransport)
      return true
    } catch (cause) {
      const why = redact(cause instanceof Error ? cause.message : String(cause))
      throw new McpError(
        'mcp-unauthorized',
        `Signing in at server "${this.#label}" failed: ${why}`,
        { cause, server: this.#label },
      )
    }
  }

  async #newClient(era: McpEra): Promise<Client> {
    const { Client } = await loadSdk()
    const { timeoutMs = DEFAULT_TIMEOUT_MS } = this.#options
    const mode = era === 'modern' ? { pin: '2026-07-28' } : era
    // The silence of an address says nothing about its protocol.
    const probeMs = 'url' in this.#server ? timeoutMs : Math.min(timeoutMs, PROBE_MS)
    const client = new Client(
      { name: 'toolwright', version: '0.1.0' },
      {
        versionNegotiation: { mode, probe: { timeoutMs: probeMs } },
        capabilities: { elicitation: { form: {}, url: {} }, ...this.requests.capabilities },
        inputRequired: { autoFulfill: false },
        // Results are checked here, by a checker that generates no code; the SDK would load one that does.
        jsonSchemaValidator: NO_VALIDATOR,
      },
    )
    this.#serve(client)
    return client
  }

  /** Questions and, if the program gave them, models and folders. Anything else is refused by the SDK. */
  #serve(client: Client): void {
    client.setRequestHandler(
      'elicitation/create',
      ({ params }, { mcpReq }) => this.#events.elicited(params, mcpReq.signal) as never,
    )
    const { sampling, roots } = this.#options
    if (sampling)
      client.setRequestHandler(
        'sampling/createMessage',
        ({ method, params }) => this.requests.answer(method, params) as never,
      )
    if (roots)
      client.setRequestHandler(
        'roots/list',
        ({ method }) => this.requests.answer(method, undefined) as never,
      )
  }

  /** A client that the program connected. What it answers itself stays its own. */
  #adopt(client: Client): OpenConnection {
    const { transport } = client
    if (!transport)
      throw new McpError(
        'mcp-closed',
        `The client given to mcpTools() for "${this.#label}" is not connected.`,
      )
    const filter = adopted.get(transport) ?? new MessageFilter(transport, this.#events)
    adopted.set(transport, filter)
    try {
      client.assertCanSetRequestHandler('elicitation/create')
      client.setRequestHandler(
        'elicitation/create',
        ({ params }, { mcpReq }) => this.#events.elicited(params, mcpReq.signal) as never,
      )
    } catch {
      // It answers questions itself, or has not offered to.
    }
    const isHttp = transport.hasPerRequestStream === true
    return this.#opened({
      client,
      filter,
      isHttp,
      isPlainPipe: false,
      lastWords: () => undefined,
      signedIn: () => Promise.resolve(false),
    })
  }

  #opened(parts: Omit<OpenConnection, 'drop' | 'facts'>): OpenConnection {
    const { client, filter, isHttp } = parts
    const forget = (): void => {
      if (this.#open !== open) return
      this.#open = undefined
      this.#events.closed()
    }
    const open: OpenConnection = {
      ...parts,
      facts: connectionFacts(this.#server, client, isHttp),
      drop: () => {
        forget()
        if (!isClient(this.#server)) void client.close().catch(() => undefined)
      },
    }
    const before = client.onclose
    client.onclose = () => {
      before?.()
      forget()
      filter.closed()
    }
    if (client.getProtocolEra() === 'modern') subscribe(client)
    return open
  }
}

const adopted = new WeakMap<Transport, MessageFilter>()

/** News of changed lists come only to those who ask for them. Not waited for: the list works without. */
function subscribe(client: Client): void {
  if (!client.getServerCapabilities()?.tools?.listChanged) return
  client.listen({ toolsListChanged: true }).catch(() => undefined)
}

const NO_VALIDATOR = {
  getValidator: () => (data: unknown) => ({ valid: true, data, errorMessage: undefined }),
} as never

export const isClient = (server: McpServer): server is Client =>
  'callTool' in server && typeof server.callTool === 'function'

export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  let leave: () => void
  const left = new Promise<never>((_resolve, reject) => {
    leave = () => reject(signal.reason as Error)
    signal.addEventListener('abort', leave)
  })
  try {
    return await Promise.race([work, left])
  } finally {
    signal.removeEventListener('abort', leave!)
  }
}
