/** What `mcpTools()` takes and gives. No code of the SDK is loaded for it. */
import type { AuthProvider, Client, OAuthClientProvider } from '@modelcontextprotocol/client'
import type { ChatModel, ToolCallback, ToolCallbackProvider, ToolListing } from 'toolwright'

/** A server that is a program: it is started when its tools are first asked for, and speaks over stdin and stdout. */
export interface StdioServer {
  readonly command: string
  readonly args?: readonly string[]
  /** Variables for the program, besides a few harmless ones: nothing else of this process's environment reaches it. */
  readonly env?: { readonly [name: string]: string }
  readonly cwd?: string
}

/** A server at an address, over streamable HTTP. */
export interface HttpServer {
  readonly url: string | URL
  readonly headers?: { readonly [name: string]: string }
  /** A text is a bearer token. Otherwise a provider of the SDK, or one that signs in by itself. */
  readonly auth?: string | AuthProvider | McpAuth
  /** The fetch that is used. Default: the global one. */
  readonly fetch?: typeof fetch
}

/** Signs in by OAuth: an `OAuthClientProvider` of the SDK that may also say what the browser came back with. */
export interface McpAuth extends OAuthClientProvider {
  /**
   * Called after `redirectToAuthorization`. Resolves, when the browser is back, with the address that it came back to or
   * with what stands after its `?`. Tokens are got with it, and what was refused is asked again. Without this method a
   * request that needs a person to sign in fails with `mcp-unauthorized`.
   */
  authorizationResponse?(): Promise<URL | URLSearchParams>
}

/** A server: a program, an address, or a connected client of the SDK (version 2). */
export type McpServer = StdioServer | HttpServer | Client

/** A server among several, with its own options. */
export type McpSource = (StdioServer | HttpServer | { readonly client: Client }) & McpToolsOptions

/** The protocol that is spoken. `legacy`: 2025-11-25 and older. `modern`: 2026-07-28. */
export type McpEra = 'auto' | 'legacy' | 'modern'

export interface McpToolsOptions {
  /**
   * What the server is called in names that clash, questions, notices, errors and pins. Default: its program or host,
   * never what it calls itself: a server must not be able to take another's name.
   */
  readonly name?: string
  /**
   * Stands before every name, followed by `_`, but for names that `rename` gives. Default: none; where names of several
   * servers clash, each gets its server's `name`.
   */
  readonly prefix?: string
  /** Tools by the server's own names: only these, or those for which the function says true. */
  readonly include?: readonly string[] | ((toolName: string) => boolean)
  /** The same, left out. */
  readonly exclude?: readonly string[] | ((toolName: string) => boolean)
  /** Other names for tools, by the server's own. */
  readonly rename?: { readonly [toolName: string]: string }
  /** Keys of the `toolContext` that are sent to the server, in `_meta`. Default: none. */
  readonly context?: readonly string[]
  /**
   * `untrusted` (default): what the server says of its tools only tightens; tools that do not say that they only read
   * ask for approval; results are labelled untrusted. `trusted`: its hints count as those of the program's own tools:
   * only what it calls destructive asks, and calls of tools that only read, or are idempotent, are sent again if the
   * connection broke.
   */
  readonly trust?: 'untrusted' | 'trusted'
  /**
   * A JSON file that remembers each tool's whole definition, as `{ server: { tool: sha256 } }`; it is made by the first
   * list. A tool that changed since is not offered until its entry is deleted.
   */
  readonly pins?: string
  /** How long connecting, listing, and one call may take, in ms. Default 60,000; progress starts a call's time anew. */
  readonly timeoutMs?: number
  /** Default: `legacy` for programs, `auto` for addresses. */
  readonly era?: McpEra
  /** The model that answers a server's sampling requests. Default: such requests are refused. */
  readonly sampling?: ChatModel
  /** Folders that the server may know of, as `file:` addresses. Default: none. */
  readonly roots?: readonly { readonly uri: string; readonly name?: string }[]
  /** Trace context for `_meta`, asked for each call. Default: none. */
  readonly traceContext?: () => TraceContext | undefined
}

export interface TraceContext {
  readonly traceparent?: string
  readonly tracestate?: string
  readonly baggage?: string
}

/** Why a tool of the server is not offered. */
export interface QuarantinedTool {
  readonly name: string
  readonly reason: string
}

/** The tools of a server, or of several. A tool source: they are listed when a run first asks for them. */
export interface McpTools extends ToolCallbackProvider, AsyncDisposable {
  toolCallbacks(listing?: ToolListing): Promise<readonly ToolCallback[]>
  /** What each server is called in names that clash, notices and errors: its `name`, or else its program or host. */
  readonly servers: readonly string[]
  /** Those that the newest list had and that are not offered. Empty before the first list. */
  readonly quarantined: readonly QuarantinedTool[]
  /** The server's words about how to use its tools, once it is connected. */
  readonly instructions: string | undefined
  /** Forgets the list: the next run asks for it anew. */
  refresh(): void
  /** Ends connections and programs. Calls that wait are rejected. */
  close(): Promise<void>
}
