/**
 * One `tools/call` that is on its way. It outlives the run that asked: while a person answers the server's question the
 * run is suspended, and whoever resumes it in this process goes on with this very call.
 */
import { McpError, toolRunOf, type ObservedFacts, type ToolContext } from 'toolwright'
import { requestFacts } from './connection-facts.ts'
import type { RawResult, RequestId } from './inbound.ts'
import type { RemoteAnswer, RemoteRequest } from './remote-question.ts'

export interface AskedQuestion {
  readonly request: RemoteRequest
  respond(answer: RemoteAnswer): void
}

export type CallNews =
  | { readonly kind: 'result'; readonly raw: RawResult }
  | { readonly kind: 'failure'; readonly thrown: unknown }
  | ({ readonly kind: 'question' } & AskedQuestion)

export interface LiveCallOptions {
  readonly server: string
  readonly toolName: string
  readonly timeoutMs: number
  /** Of the connection it goes through. */
  readonly facts: ObservedFacts
}

export class LiveCall {
  /** The run that asked, as far as it is known: questions of one run may be shown to it. */
  readonly runKey: string
  readonly #options: LiveCallOptions
  #context: ToolContext | undefined
  #id: RequestId | undefined
  #leave: (() => void) | undefined
  #timer: NodeJS.Timeout | undefined
  #aborted: { readonly reason: unknown } | undefined
  #onAbort: ((reason: unknown) => void) | undefined
  #news: CallNews[] = []
  #wake: (() => void) | undefined
  isOver = false
  /** Whether it waits for a person. */
  isAsking = false

  constructor(context: ToolContext, options: LiveCallOptions) {
    this.#options = options
    this.runKey = context.idempotencyKey.slice(0, context.idempotencyKey.lastIndexOf('/') + 1)
    this.attach(context)
  }

  /** Calls `listener` when the call is to be ended, at once if it already is. A controller for each would cost more. */
  whenAborted(listener: (reason: unknown) => void): void {
    if (this.#aborted) listener(this.#aborted.reason)
    else this.#onAbort = listener
  }

  /** Sends the request; what comes of it is news. */
  start(send: () => Promise<RawResult>): void {
    send().then(
      (raw) => this.#over({ kind: 'result', raw }),
      (thrown: unknown) => this.#over({ kind: 'failure', thrown: this.#reasonOr(thrown) }),
    )
  }

  /** The request leaves. Who observes the call is told how. */
  sent(id: RequestId): void {
    this.#id = id
    if (this.#context)
      toolRunOf(this.#context).facts?.({ ...this.#options.facts, ...requestFacts(id) })
  }

  /** Belongs to this run from now on: its abort ends the call, and progress goes to it. */
  attach(context: ToolContext): void {
    const { signal } = context
    const abort = (): void => this.abort(signal.reason)
    this.#context = context
    this.#leave = () => signal.removeEventListener('abort', abort)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
    // It was sent by a run before.
    if (this.#id !== undefined) this.sent(this.#id)
    this.#restart()
  }

  /** Belongs to no run: it waits for an answer, and its time stands still. */
  detach(): void {
    clearTimeout(this.#timer)
    this.#leave?.()
    this.#context = undefined
  }

  progress(value: unknown): void {
    if (!this.#context) return
    this.#restart()
    this.#context.progress(value)
  }

  question(asked: AskedQuestion): void {
    this.isAsking = true
    const respond = (answer: RemoteAnswer): void => {
      this.isAsking = false
      asked.respond(answer)
    }
    this.#tell({ kind: 'question', request: asked.request, respond })
  }

  abort(reason: unknown): void {
    if (this.isOver || this.#aborted) return
    this.#aborted = { reason }
    this.#onAbort?.(reason)
  }

  /** What happens next. */
  async next(): Promise<CallNews> {
    if (this.#news.length === 0)
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    return this.#news.shift()!
  }

  /** Why it was ended here: the SDK says of everything that it timed out. */
  #reasonOr(thrown: unknown): unknown {
    const reason = this.#aborted?.reason
    return reason instanceof McpError ? reason : thrown
  }

  #over(news: CallNews): void {
    this.isOver = true
    this.detach()
    this.#tell(news)
  }

  #tell(news: CallNews): void {
    this.#news.push(news)
    this.#wake?.()
    this.#wake = undefined
  }

  #restart(): void {
    const { server, toolName, timeoutMs } = this.#options
    clearTimeout(this.#timer)
    if (this.isOver) return
    this.#timer = setTimeout(() => {
      const error = new McpError(
        'mcp-timeout',
        `Server "${server}" did not answer the call of "${toolName}" within ${timeoutMs} ms.`,
        { server, retryable: true },
      )
      this.abort(error)
    }, timeoutMs)
  }
}
