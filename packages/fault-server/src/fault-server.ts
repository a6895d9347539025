/**
 * A loopback provider that misbehaves on purpose. It answers each request with the next turn of a
 * script, in the dialect asked for, streamed or whole as the request says, and refuses with 400 what a
 * strict provider would refuse. Node only; for tests.
 */
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Dialect } from './dialect.ts'
import { DIALECTS, FAULT_DIALECTS, type FaultDialect } from './dialects.ts'
import { FaultServerError } from './fault-server-error.ts'
import { DROPS } from './drops.ts'
import { breaksOff, planStream, planWhole, playReply } from './reply.ts'
import type { FaultRefusal, FaultScenario, FaultScript, FaultStep, FaultTurn } from './scenario.ts'

/** Either a scenario or turns of your own. */
export interface FaultServerOptions {
  /** Which provider it imitates. */
  readonly dialect: FaultDialect
  /** How it misbehaves: one of `FAULT_SCENARIOS`. */
  readonly scenario?: FaultScenario
  /** What it sends, turn by turn, instead of a scenario. */
  readonly turns?: FaultScript
}

export interface RecordedRequest {
  /** After the host, with the query. */
  readonly path: string
  /** The parsed body; undefined when it is no JSON. */
  readonly body: unknown
  /** The body as it came. */
  readonly text: string
  readonly headers: IncomingHttpHeaders
  /** Whether a stream was asked for. */
  readonly streamed: boolean
}

export interface FaultServer {
  /** With the version path, as adapters expect it. */
  readonly baseUrl: string
  /** Every request that came, refused ones included. */
  readonly requests: readonly RecordedRequest[]
  /** What a strict provider would have refused, and this one did. */
  readonly violations: readonly string[]
  /** Answers that are neither finished nor given up by the client. */
  readonly openResponses: number
  /** Resolves when an answer has fallen silent. */
  readonly stalled: Promise<void>
  /** Cuts every connection and stops listening. */
  close(): Promise<void>
}

/**
 * Starts a fault server on a free port of 127.0.0.1.
 *
 * @example
 * const server = await faultServer({ dialect: 'anthropic', turns: [{ text: ['Hi'], ending: 'eof' }] })
 * const model = anthropic('any', { baseUrl: server.baseUrl, apiKey: 'none' })
 */
export async function faultServer(options: FaultServerOptions): Promise<FaultServer> {
  const script = options.scenario?.script ?? options.turns
  if (!Object.hasOwn(DIALECTS, options.dialect))
    throw new FaultServerError(
      `Unknown dialect "${String(options.dialect)}". Use one of: ${FAULT_DIALECTS.join(', ')}.`,
    )
  if (!script || (options.scenario && options.turns))
    throw new FaultServerError('The server needs a script. Give either a scenario or turns.')
  const provider = new MisbehavingProvider(DIALECTS[options.dialect], script)
  await provider.listen()
  return provider
}

/** One conversation: its script, what was asked and what was answered. */
class MisbehavingProvider implements FaultServer {
  readonly requests: RecordedRequest[] = []
  readonly violations: string[] = []
  readonly stalled: Promise<void>
  openResponses = 0

  readonly #dialect: Dialect
  readonly #script: FaultScript
  readonly #server: Server
  readonly #sent: FaultTurn[] = []
  #steps = 0
  #refusing: { readonly refusal: FaultRefusal; readonly until: number } | undefined
  #onStall: () => void = () => {}

  constructor(dialect: Dialect, script: FaultScript) {
    this.#dialect = dialect
    this.#script = script
    this.stalled = new Promise((resolve) => (this.#onStall = resolve))
    this.#server = createServer((request, response) => void this.#handle(request, response))
    this.#server.on('clientError', (_error, socket) => socket.destroy())
  }

  get baseUrl(): string {
    const { port } = this.#server.address() as AddressInfo
    return `http://127.0.0.1:${port}${this.#dialect.basePath}`
  }

  listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(0, '127.0.0.1', resolve)
    })
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve())
      this.#server.closeAllConnections()
    })
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.openResponses += 1
    response.once('close', () => (this.openResponses -= 1))
    // A client that leaves early is part of the game.
    for (const side of [request, response]) side.on('error', () => {})
    try {
      await this.#answer(request, response)
    } catch {
      response.destroy()
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const bytes = await bodyOf(request)
    const asked = { path: request.url ?? '/', body: parsed(bytes) }
    const mode = request.method === 'POST' ? this.#dialect.answerMode(asked) : undefined
    const recorded: RecordedRequest = {
      ...asked,
      text: new TextDecoder().decode(bytes),
      headers: request.headers,
      streamed: mode === 'stream',
    }
    this.requests.push(recorded)
    if (mode === undefined) return this.#refuse(response, { status: 404, message: 'Not found.' })
    const violations = this.#dialect.validate({ ...recorded, sent: this.#sent })
    this.violations.push(...violations)
    if (violations.length)
      return this.#refuse(response, { status: 400, message: violations.join('; ') })
    if (this.#refusing && Date.now() < this.#refusing.until)
      return this.#refuse(response, this.#refusing.refusal)
    const step = this.#nextStep()
    if ('status' in step) return this.#refuse(response, step)
    if ('drop' in step) return DROPS[step.drop](response)
    await this.#play(step, recorded, response)
  }

  #nextStep(): FaultStep {
    this.#steps += 1
    if (typeof this.#script === 'function') return this.#script(this.#steps)
    const step = this.#script[Math.min(this.#steps, this.#script.length) - 1]
    return step ?? { status: 500, message: 'The script is empty.' }
  }

  async #play(turn: FaultTurn, request: RecordedRequest, response: ServerResponse): Promise<void> {
    if (!breaksOff(turn)) this.#sent.push(turn)
    const numbered = { turn, number: this.#steps }
    const plan = (request.streamed ? planStream : planWhole)(this.#dialect, numbered)
    await playReply(plan, response, this.#onStall)
  }

  #refuse(response: ServerResponse, refusal: FaultRefusal): void {
    const { status, message = 'Refused.', retryAfterSeconds, location, page } = refusal
    const retryAfter = retryAfterSeconds?.toString() ?? headerOf(refusal.retryAfter)
    if (retryAfterSeconds !== undefined && refusal !== this.#refusing?.refusal)
      // Timers may wake a little early.
      this.#refusing = { refusal, until: Date.now() + retryAfterSeconds * 1000 - 10 }
    response.writeHead(status, {
      'content-type': page ? 'text/html' : 'application/json',
      ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
      ...(location === undefined ? {} : { location }),
    })
    response.end(page ? `${PAGE}${message}` : this.#dialect.errorBody(status, message))
  }
}

const PAGE = '<!DOCTYPE html><html><title>Gateway</title><p>'

function headerOf(retryAfter: FaultRefusal['retryAfter']): string | undefined {
  if (typeof retryAfter !== 'object') return retryAfter
  return new Date(Date.now() + retryAfter.dateInSeconds * 1000).toUTCString()
}

/** Bytes that are not UTF-8, or no JSON, are no body at all. */
function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}

async function bodyOf(request: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
