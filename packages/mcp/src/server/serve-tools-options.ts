/** What `serveTools()` takes and gives. No code of the SDK is loaded for it. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable, Writable } from 'node:stream'
import type { RunOptions, RunStore, ToolCallingManagerOptions } from 'toolwright'
import type { TraceContext } from '../client/mcp-tools-options.ts'
import type { ServedPrompt } from './served-prompt.ts'
import type { ServedResource } from './served-resource.ts'
import type { TaskRules } from './task-rule.ts'

/** A list, or a function that gives it anew for every request. */
export type Listed<Item> = readonly Item[] | (() => readonly Item[] | Promise<readonly Item[]>)

/** Who asks, as `auth` found out. */
export interface Principal {
  /** The same for the same caller: states and sessions are bound to it. */
  readonly id: string
  readonly scopes?: readonly string[]
  /** For the tools, as values of their context. */
  readonly context?: { readonly [key: string]: unknown }
}

/** Protects an HTTP server: one token for everybody, or a check of each. */
export type ServeAuth =
  | { readonly token: string }
  | {
      /** Undefined: the token is not valid. */
      verify(
        token: string,
        request: Request,
      ): Principal | undefined | Promise<Principal | undefined>
      /** Where clients get tokens, for the OAuth protected resource metadata. */
      readonly resource?: {
        readonly url: string
        readonly authorizationServers: readonly string[]
        readonly scopes?: readonly string[]
      }
    }

export interface ServeToolsOptions
  extends
    Pick<RunOptions, 'limits' | 'clock' | 'ids' | 'random' | 'observer' | 'logger' | 'durability'>,
    Pick<ToolCallingManagerOptions, 'policy' | 'exceptionProcessor'> {
  /** The server's name, for programs. */
  readonly name: string
  /** The version of what it serves. */
  readonly version: string
  /** Its name for people. */
  readonly title?: string
  /** How to use its tools, for models. */
  readonly instructions?: string
  /** Who may ask over HTTP. Default: everybody who reaches the loopback address. */
  readonly auth?: ServeAuth
  /** Values of the Host header that are answered. Default: loopback names. An empty list refuses all. */
  readonly allowedHosts?: readonly string[]
  /** Values of the Origin header that are answered, where one is sent. Default: loopback origins. */
  readonly allowedOrigins?: readonly string[]
  /** Signs states that leave; needed where another process may get them back. Default: a key of this process. */
  readonly stateSecret?: string
  /** Keeps the calls that wait. Must have `save` and `find`. Default: in memory. */
  readonly runStore?: RunStore
  /** How long a call may wait for its answer, in ms. Default: one day. */
  readonly stateTtlMs?: number
  /** Values of every tool's context. */
  readonly toolContext?: { readonly [key: string]: unknown }
  /**
   * Runs each call as part of the trace that its request came with, if it came with one (`traceparent`, `tracestate` and
   * `baggage` of `_meta`, and nothing else of it). It has to call `call` at once, and to return what that returns. The trace
   * is a stranger's word, and no model sees it. Default: it is ignored.
   */
  readonly inTrace?: <Result>(trace: TraceContext, call: () => Promise<Result>) => Promise<Result>
  /** Texts for users to start with. */
  readonly prompts?: Listed<ServedPrompt>
  /** What clients can read. */
  readonly resources?: Listed<ServedResource>
  /** How long clients may keep the lists of tools, prompts and resources, in ms. Default 60,000. */
  readonly listTtlMs?: number
  /** Calls longer than this become tasks for clients that take them, in ms. `0`: at once. Default: never. */
  readonly taskAfterMs?: number
  /** Tools whose calls become tasks by a rule of their own, by name. */
  readonly tasks?: TaskRules
  /** How long a task and its result are kept, in ms. Default: one hour. */
  readonly taskTtlMs?: number
  /** Calls that one caller may have running at the same time; more are refused. Default 256. */
  readonly maxConcurrentCalls?: number
  /** Sessions of clients of the older protocol that are open at the same time; more are refused. Default 1000. */
  readonly maxSessions?: number
  /** A session without a request for so long is ended, in ms. Default: one hour. */
  readonly sessionIdleMs?: number
  /** Size of a request over HTTP, in bytes. Default: 4 MiB. */
  readonly maxBodyBytes?: number
  /** Size of a prompt or of what is read of a resource, in bytes of JSON; more is refused. Default: 8 MiB. */
  readonly maxContentBytes?: number
}

export interface ListenOptions {
  /** `0`: any that is free. */
  readonly port: number
  /** Default `127.0.0.1`. */
  readonly host?: string
  /** Default `/mcp`. */
  readonly path?: string
}

export interface ListeningServer extends AsyncDisposable {
  readonly url: string
  readonly port: number
  close(): Promise<void>
}

/** For programs that lead their stdout elsewhere, so that what tools print does not get between messages. */
export interface ServedStreams {
  readonly input?: Readable
  readonly output?: Writable
}

export interface ServedTools extends AsyncDisposable {
  /** Serves this process's stdin and stdout, or other streams; resolves when the client has left. */
  stdio(streams?: ServedStreams): Promise<void>
  /** A web-standard handler. Hosts, origins and tokens are checked here. */
  fetch(request: Request): Promise<Response>
  /** The same for a server of `node:http`. */
  node(request: IncomingMessage, response: ServerResponse): Promise<void>
  listen(options: ListenOptions): Promise<ListeningServer>
  /** Tells connected clients that the tools are others now. */
  toolsChanged(): Promise<void>
  /** Tells connected clients that the prompts are others now. */
  promptsChanged(): Promise<void>
  /** Tells connected clients that there are other resources now. */
  resourcesChanged(): Promise<void>
  /** Tells those clients that subscribed to this resource that it holds something else now. */
  resourceChanged(uri: string): Promise<void>
  close(): Promise<void>
}
