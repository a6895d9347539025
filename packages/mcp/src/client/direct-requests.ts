/**
 * Calls that go to a program's pipe past the SDK, whose bookkeeping for each request costs more than all the rest of a
 * call (docs/decisions/0034). The old protocol adds nothing to a request on a pipe, so nothing is missing; everything
 * else that is asked goes through the SDK.
 */
import {
  failure,
  resultOf,
  type Inbound,
  type RawResult,
  type RequestId,
  type RpcFailure,
} from './inbound.ts'

export interface DirectCall {
  /** It leaves, under this id. */
  sent(id: RequestId): void
  progress(progress: RawResult): void
  /** Tells when the caller has left. */
  whenAborted(listener: (reason: unknown) => void): void
}

interface OpenRequest {
  readonly call: DirectCall
  readonly resolve: (raw: RawResult) => void
  readonly reject: (error: unknown) => void
}

/** Far from the ids that the SDK counts up from zero, and small enough for every server. */
const FIRST_ID = 2 ** 30
const METHOD = 'tools/call'

export class DirectRequests {
  readonly #send: (message: object) => Promise<void>
  readonly #open = new Map<unknown, OpenRequest>()
  #nextId = FIRST_ID

  constructor(send: (message: object) => Promise<void>) {
    this.#send = send
  }

  callTool(
    params: { readonly _meta: object; readonly [key: string]: unknown },
    call: DirectCall,
  ): Promise<RawResult> {
    const id = this.#nextId++
    call.sent(id)
    const _meta = { ...params._meta, progressToken: id }
    return new Promise((resolve, reject) => {
      this.#open.set(id, { call, resolve, reject })
      this.#send({ jsonrpc: '2.0', id, method: METHOD, params: { ...params, _meta } }).catch(
        (error: unknown) => this.#close(id)?.reject(error),
      )
      call.whenAborted((reason) => this.#cancel(id, reason))
    })
  }

  /** Whether the message answers one of these requests. */
  take({ id, error, result }: Inbound): boolean {
    const request = this.#close(id)
    if (!request) return false
    const answer = error === undefined ? resultOf(METHOD, result) : { error: failure(error) }
    if ('error' in answer) request.reject(toError(answer.error))
    else request.resolve(answer.result)
    return true
  }

  /** Whether the token is one of these requests. */
  progressed(token: unknown, progress: RawResult): boolean {
    const request = this.#open.get(token)
    request?.call.progress(progress)
    return request !== undefined
  }

  /** The connection is lost: nothing says what ran. */
  close(): void {
    const lost = toError({ code: 'CONNECTION_CLOSED', message: 'Connection closed' })
    for (const { reject } of this.#open.values()) reject(lost)
    this.#open.clear()
  }

  #close(id: unknown): OpenRequest | undefined {
    const request = this.#open.get(id)
    this.#open.delete(id)
    return request
  }

  #cancel(id: number, reason: unknown): void {
    const request = this.#close(id)
    if (!request) return
    const params = { requestId: id, reason: String(reason) }
    const told = this.#send({ jsonrpc: '2.0', method: 'notifications/cancelled', params })
    // A program that is gone needs no telling.
    told.catch(() => undefined)
    request.reject(reason)
  }
}

/** Has what the SDK's errors have. */
const toError = ({
  message,
  ...facts
}: Omit<RpcFailure, 'code'> & { readonly code: number | string }): Error =>
  Object.assign(new Error(message), facts)
