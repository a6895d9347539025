/**
 * Stands between a transport and the SDK, which rejects a whole list for one bad tool and a whole answer for one block it
 * does not know. Answers to requests that are marked (`tools/list`, `tools/call`) are put aside as they came; the SDK gets
 * an empty one with a ticket, and whoever asked exchanges the ticket. What answers nothing that was asked is dropped here.
 */
import type { JSONRPCMessage, Transport, TransportSendOptions } from '@modelcontextprotocol/client'

export interface FilterListener {
  /** The server's list of tools is another now. */
  listChanged(): void
  /** Something was dropped. `what` is a sentence. */
  ignored(what: string): void
}

/** What a server answered, as it came. */
export type RawResult = { readonly [key: string]: unknown }

/** The code of errors that are made here, not by the server, and why they were made. */
export const OWN_ERROR = -32_099
export const CUT = 'The answer was cut off.'

const TICKET = 'toolwright/ticket'
/** In `_meta` of requests whose answers are put aside. It does not leave: others that use the same client get theirs whole. */
export const PUT_ASIDE = { [TICKET]: true } as const
/** Requests of a server within the time below, beyond which it is not answered any more. */
const MOST_REQUESTS = 100
const REQUESTS_MS = 10_000

type RequestId = string | number
type Inbound = { readonly [key: string]: unknown }

export class MessageFilter {
  readonly #transport: Transport
  readonly #listener: FilterListener
  /** The method of each request that waits for its answer. */
  readonly #waiting = new Map<RequestId, string>()
  readonly #putAside = new Set<RequestId>()
  readonly #raw = new Map<RequestId, RawResult>()
  #requests: number[] = []
  #deliver: Transport['onmessage']

  constructor(transport: Transport, listener: FilterListener) {
    this.#transport = transport
    this.#listener = listener
    this.#deliver = transport.onmessage
    const take = (message: JSONRPCMessage): void => this.#take(message as unknown as Inbound)
    Object.defineProperty(transport, 'onmessage', {
      configurable: true,
      get: () => (this.#deliver ? take : undefined),
      set: (deliver: Transport['onmessage']) => (this.#deliver = deliver),
    })
    const send = transport.send.bind(transport)
    transport.send = (message, options) => {
      const unmarked = this.#unmarked(message as unknown as Inbound)
      return send(unmarked as unknown as JSONRPCMessage, this.#sent(unmarked, options))
    }
  }

  /** The answer that the SDK's result stands for. */
  rawOf(result: unknown): RawResult {
    const { _meta } = Object(result) as { readonly _meta?: { readonly [TICKET]?: RequestId } }
    const ticket = _meta?.[TICKET] ?? -1
    const raw = this.#raw.get(ticket)
    this.#raw.delete(ticket)
    return raw ?? (Object(result) as RawResult)
  }

  #unmarked(message: Inbound): Inbound {
    const { id, params } = message
    const { _meta } = Object(params) as { readonly _meta?: { readonly [key: string]: unknown } }
    if (!isId(id) || _meta?.[TICKET] !== true) return message
    this.#putAside.add(id)
    const { [TICKET]: _mark, ...rest } = _meta
    return { ...message, params: { ...(params as object), _meta: rest } }
  }

  /** Notes what is asked, and what is given up: a late answer is not news then. */
  #sent(
    { id, method, params }: Inbound,
    options?: TransportSendOptions,
  ): TransportSendOptions | undefined {
    if (method === 'notifications/cancelled')
      this.#waiting.delete((params as { readonly requestId: RequestId }).requestId)
    if (!isId(id) || typeof method !== 'string') return options
    this.#waiting.set(id, method)
    options?.requestSignal?.addEventListener('abort', () => this.#waiting.delete(id))
    // Who watches the stream itself knows what its end means.
    if (options?.onRequestStreamEnd) return options
    return { ...options, onRequestStreamEnd: () => this.#cut(id) }
  }

  /** The stream that an answer was to come on has ended without it. */
  #cut(id: RequestId): void {
    if (!this.#waiting.has(id)) return
    this.#answer(id, { error: { code: OWN_ERROR, message: CUT } })
  }

  #take(message: Inbound): void {
    const { id, method } = message
    if (typeof method === 'string')
      return id === undefined ? this.#notified(message, method) : this.#asked(message)
    if (!isId(id) || !this.#waiting.has(id))
      return this.#listener.ignored(
        `It answered ${shown(id)}, which was not asked or is already answered.`,
      )
    this.#answer(id, message)
  }

  #answer(id: RequestId, message: Inbound): void {
    const method = this.#waiting.get(id)!
    const isPutAside = this.#putAside.delete(id)
    this.#waiting.delete(id)
    const { error } = message
    if (error === undefined && !isPutAside) return this.#pass({ ...message, id })
    this.#pass({
      jsonrpc: '2.0',
      id,
      ...(error === undefined ? this.#result(id, method, message) : failure(error)),
    })
  }

  #result(id: RequestId, method: string, { result }: Inbound): object {
    if (typeof result !== 'object' || result === null || Array.isArray(result))
      return failure({ code: OWN_ERROR, message: `The answer to ${method} has no result.` })
    this.#raw.set(id, result as RawResult)
    const empty =
      method === 'tools/list' ? { tools: [], ttlMs: 0, cacheScope: 'private' } : { content: [] }
    return { result: { ...empty, resultType: 'complete', _meta: { [TICKET]: id } } }
  }

  #notified(message: Inbound, method: string): void {
    if (method === 'notifications/tools/list_changed') this.#listener.listChanged()
    if (method === 'notifications/progress' && !this.#isAwaited(message)) return
    this.#pass(message)
  }

  /** Progress of a request that does not wait, or is another's, is not passed on. */
  #isAwaited({ params }: Inbound): boolean {
    const { progressToken } = Object(params) as { readonly progressToken?: unknown }
    if (isId(progressToken) && this.#waiting.has(progressToken)) return true
    this.#listener.ignored(
      `It reported progress of ${shown(progressToken)}, which nothing waits for.`,
    )
    return false
  }

  #asked(message: Inbound): void {
    const now = Date.now()
    this.#requests = [...this.#requests.filter((at) => now - at < REQUESTS_MS), now].slice(
      -MOST_REQUESTS - 1,
    )
    if (this.#requests.length <= MOST_REQUESTS) return this.#pass(message)
    this.#listener.ignored(`It asked more than ${MOST_REQUESTS} times within ${REQUESTS_MS} ms.`)
  }

  #pass(message: object): void {
    this.#deliver?.call(this.#transport, message as JSONRPCMessage)
  }
}

/** The error of an answer, whatever the server put there. */
function failure(error: unknown): { readonly error: object } {
  const { code, message, data } = Object(error) as Inbound
  return {
    error: {
      code: Number.isSafeInteger(code) ? code : OWN_ERROR,
      message: typeof message === 'string' ? message : 'The server gave no reason.',
      ...(data !== undefined && { data }),
    },
  }
}

const isId = (x: unknown): x is RequestId => typeof x === 'number' || typeof x === 'string'

const shown = (id: unknown): string => (JSON.stringify(id) ?? 'nothing').slice(0, 60)
