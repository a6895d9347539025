/**
 * Stands between a transport and the SDK, which rejects a whole list for one bad tool and a whole answer for one block it
 * does not know. Requests that carry an `Asked` (`tools/list`, `tools/call`) get their answer and their progress here, as
 * the server sent them; the SDK gets an empty answer. What answers nothing that was asked is dropped here.
 */
import type { JSONRPCMessage, Transport, TransportSendOptions } from '@modelcontextprotocol/client'
import { DirectRequests } from './direct-requests.ts'
import {
  failure,
  isId,
  OWN_ERROR,
  resultOf,
  type Inbound,
  type RawResult,
  type RequestId,
} from './inbound.ts'

export interface FilterListener {
  /** The server's list of tools is another now. */
  listChanged(): void
  /** Something was dropped. `what` is a sentence. */
  ignored(what: string): void
}

export const CUT = 'The answer was cut off.'

/** A request whose answer is wanted as the server sent it. */
export interface Asked {
  /** What came, once the SDK has resolved. Nothing came if the client is another's that answers by itself. */
  raw?: RawResult
  readonly progress?: (progress: RawResult) => void
  /** It leaves, under this id. */
  readonly sent?: (id: RequestId) => void
}

const ASKED = 'toolwright/asked'
/** The `_meta` of such a request. It does not leave: others that use the same client get their answers whole. */
export const askedMeta = (asked: Asked): { readonly [ASKED]: Asked } => ({ [ASKED]: asked })
/** Requests of a server within the time below, beyond which it is not answered any more. */
const MOST_REQUESTS = 100
const REQUESTS_MS = 10_000

export class MessageFilter {
  /** Requests that the SDK does not see. */
  readonly direct: DirectRequests
  readonly #transport: Transport
  readonly #listener: FilterListener
  /** The method of each request that waits for its answer. */
  readonly #waiting = new Map<RequestId, string>()
  readonly #asked = new Map<RequestId, Asked>()
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
    this.direct = new DirectRequests((message) => send(message as unknown as JSONRPCMessage))
    transport.send = (message, options) => {
      const unmarked = this.#unmarked(message as unknown as Inbound)
      return send(unmarked as unknown as JSONRPCMessage, this.#sent(unmarked, options))
    }
  }

  /** The connection is over; the SDK tells those who asked through it. */
  closed(): void {
    this.#asked.clear()
    this.direct.close()
  }

  #unmarked(message: Inbound): Inbound {
    const { id, params } = message
    const { _meta } = Object(params) as { readonly _meta?: { readonly [key: string]: unknown } }
    const asked = _meta?.[ASKED] as Asked | undefined
    if (!isId(id) || !asked) return message
    this.#asked.set(id, asked)
    asked.sent?.(id)
    const { [ASKED]: _mark, ...rest } = _meta!
    const meta = asked.progress ? { ...rest, progressToken: id } : rest
    return { ...message, params: { ...(params as object), _meta: meta } }
  }

  /** Notes what is asked, and what is given up: a late answer is not news then. */
  #sent(
    { id, method, params }: Inbound,
    options?: TransportSendOptions,
  ): TransportSendOptions | undefined {
    if (method === 'notifications/cancelled')
      this.#giveUp((params as { readonly requestId: RequestId }).requestId)
    if (!isId(id) || typeof method !== 'string') return options
    this.#waiting.set(id, method)
    options?.requestSignal?.addEventListener('abort', () => this.#giveUp(id))
    // Who watches the stream itself knows what its end means.
    if (options?.onRequestStreamEnd) return options
    return { ...options, onRequestStreamEnd: () => this.#cut(id) }
  }

  #giveUp(id: RequestId): void {
    this.#waiting.delete(id)
    this.#asked.delete(id)
  }

  /** The stream that an answer was to come on has ended without it. */
  #cut(id: RequestId): void {
    if (!this.#waiting.has(id)) return
    this.#answer(id, { error: { code: OWN_ERROR, message: CUT } })
  }

  #take(message: Inbound): void {
    const { id, method } = message
    if (typeof method === 'string')
      return id === undefined ? this.#notified(message, method) : this.#requested(message)
    if (this.direct.take(message)) return
    if (!isId(id) || !this.#waiting.has(id))
      return this.#listener.ignored(
        `It answered ${shown(id)}, which was not asked or is already answered.`,
      )
    this.#answer(id, message)
  }

  #answer(id: RequestId, message: Inbound): void {
    const method = this.#waiting.get(id)!
    const asked = this.#asked.get(id)
    this.#giveUp(id)
    const { error } = message
    if (error === undefined && !asked) return this.#pass({ ...message, id })
    this.#pass({
      jsonrpc: '2.0',
      id,
      ...(error === undefined ? putAside(asked!, method, message) : { error: failure(error) }),
    })
  }

  #notified(message: Inbound, method: string): void {
    if (method === 'notifications/tools/list_changed') this.#listener.listChanged()
    if (method === 'notifications/progress' && this.#progressed(message)) return
    this.#pass(message)
  }

  /** Whether the progress was told, or dropped: that of a request that does not wait, or is another's. */
  #progressed({ params }: Inbound): boolean {
    const { progressToken, ...progress } = Object(params) as Inbound
    if (this.direct.progressed(progressToken, progress)) return true
    if (isId(progressToken) && this.#waiting.has(progressToken)) {
      const asked = this.#asked.get(progressToken)
      asked?.progress?.(progress)
      return asked !== undefined
    }
    this.#listener.ignored(
      `It reported progress of ${shown(progressToken)}, which nothing waits for.`,
    )
    return true
  }

  #requested(message: Inbound): void {
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

/** Keeps the answer for those who asked; the SDK gets an empty one. */
function putAside(asked: Asked, method: string, { result }: Inbound): object {
  const raw = resultOf(method, result)
  if ('error' in raw) return raw
  asked.raw = raw.result
  const empty =
    method === 'tools/list' ? { tools: [], ttlMs: 0, cacheScope: 'private' } : { content: [] }
  return { result: { ...empty, resultType: 'complete' } }
}

const shown = (id: unknown): string => (JSON.stringify(id) ?? 'nothing').slice(0, 60)
