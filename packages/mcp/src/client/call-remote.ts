/**
 * One call of a remote tool, from the arguments to the answer: connect, send, answer questions, read the result. It leaves
 * by a question where a person has to answer one, and goes on from what was kept with it.
 */
import type { Client } from '@modelcontextprotocol/client'
import {
  McpError,
  ToolExecutionError,
  toolRunOf,
  type Json,
  type ToolContext,
  type ToolRun,
} from 'toolwright'
import type { McpToolResult } from '../content/tool-result.ts'
import { canonicalText } from '../remote/canonical.ts'
import { callMeta } from './call-meta.ts'
import type { CallsInFlight } from './calls-in-flight.ts'
import { readComplete } from './check-result.ts'
import { refusalFacts } from './connection-facts.ts'
import {
  DEFAULT_TIMEOUT_MS,
  unlessAborted,
  type Connection,
  type OpenConnection,
} from './connection.ts'
import type { HeldCalls } from './held-calls.ts'
import { sortInput, type KeptRound } from './input-required.ts'
import { ONLY, requestsOf, visitOf, type Answered, type Kept } from './kept-question.ts'
import { LiveCall } from './live-call.ts'
import type { McpToolsOptions } from './mcp-tools-options.ts'
import type { RawResult } from './inbound.ts'
import { askedMeta, type Asked } from './message-filter.ts'
import { questionOf, readAnswer, type RemoteAnswer, type RequestsByKey } from './remote-question.ts'
import type { RemoteDefinition } from './remote-definition.ts'
import type { RunNotices } from './run-notices.ts'
import { inLastWords, isCut, isSessionGone, isUnsent, toMcpError } from './sdk-errors.ts'

export interface ServerParts {
  readonly label: string
  readonly options: McpToolsOptions
  readonly connection: Connection
  readonly calls: CallsInFlight
  readonly held: HeldCalls
  readonly notices: RunNotices
}

export interface CalledTool {
  readonly definition: RemoteDefinition
  /** Whether a call that was cut off may be sent again. */
  readonly repeatable: boolean
}

/** What was tried before, for one call. */
interface Tries {
  readonly isSecond: boolean
  readonly signIns: number
}

const FIRST_TRY: Tries = { isSecond: false, signIns: 0 }

/** A call that was sent, and the ways to send it again. */
interface SentCall {
  readonly open: OpenConnection
  readonly repeat: (() => Promise<Next>) | undefined
  readonly signIns: number
  readonly signedIn: () => Promise<Next>
}

/** Rounds that follow each other without a person. */
const MOST_ROUNDS = 10
/** The longest that a timer takes: the call's own time is counted here. */
const NEVER_MS = 2 ** 31 - 1

type Next =
  | { readonly kind: 'result'; readonly raw: RawResult }
  | { readonly kind: 'ask'; readonly requests: RequestsByKey; readonly kept: Kept }

export async function callRemote(
  parts: ServerParts,
  tool: CalledTool,
  { input, context }: { readonly input: object; readonly context: ToolContext },
): Promise<McpToolResult> {
  const run = toolRunOf(context)
  try {
    return await new RemoteCall(parts, tool, { input, context, run }).settle()
  } catch (thrown) {
    const refused = run.facts && refusalFacts(thrown)
    if (refused) run.facts?.(refused)
    throw thrown
  } finally {
    parts.notices.tell(run.notice)
  }
}

interface Job {
  readonly input: object
  readonly context: ToolContext
  readonly run: ToolRun
}

class RemoteCall {
  readonly #parts: ServerParts
  readonly #tool: CalledTool
  readonly #job: Job

  constructor(parts: ServerParts, tool: CalledTool, job: Job) {
    this.#parts = parts
    this.#tool = tool
    this.#job = job
  }

  async settle(): Promise<McpToolResult> {
    const { run } = this.#job
    let next =
      run.answers.length === 0 || run.kept === undefined
        ? await this.#send({}, [])
        : await this.#goOn(run.kept as unknown as Kept)
    for (
      let round = 0;
      next.kind === 'result' && next.raw.resultType === 'input_required';
      round++
    ) {
      if (round >= MOST_ROUNDS)
        throw this.#protocol(`asked for more input ${MOST_ROUNDS} times without a question`)
      next = await this.#nextRound(next.raw)
    }
    if (next.kind === 'ask') {
      const { requests, kept } = next
      return run.ask(questionOf(this.#parts.label, requests) as Json, kept as unknown as Json)
    }
    return readComplete(next.raw, { ...this.#tool, run, server: this.#parts.label })
  }

  /** Goes on after a person's answer; one that does not fit is asked for again. */
  #goOn(kept: Kept): Promise<Next> {
    const { run } = this.#job
    const requests = requestsOf(kept)
    const read = readAnswer(requests, run.answers.at(-1)!)
    if (!read.ok)
      return run.ask(questionOf(this.#parts.label, requests, read.problem) as Json, run.kept)
    if (kept.kind === 'round') return this.#answerRound(kept.round, read.answers)
    if (kept.kind === 'held') return this.#answerHeld(kept, read.answers[ONLY]!)
    return this.#afterVisit(Object.values(read.answers))
  }

  async #answerRound(
    { automatic, refused, requestState }: KeptRound,
    answers: { readonly [key: string]: RemoteAnswer },
  ): Promise<Next> {
    const given: { [key: string]: unknown } = { ...answers }
    for (const key of refused) given[key] = { action: 'cancel' }
    for (const [key, { method, params }] of Object.entries(automatic))
      given[key] = await this.#parts.connection.requests.answer(method, params)
    return this.#send(
      {
        ...(Object.keys(given).length > 0 && { inputResponses: given }),
        ...(requestState !== undefined && { requestState }),
      },
      [],
    )
  }

  #answerHeld(kept: Kept & { readonly kind: 'held' }, answer: RemoteAnswer): Promise<Next> {
    const answered = [...kept.answered, { request: kept.request, answer }]
    const held = this.#parts.held.take(kept.token)
    if (!held) return this.#send({}, answered)
    held.call.attach(this.#job.context)
    held.respond(answer)
    return this.#watched(() => this.#follow(held.call, answered), answered)
  }

  #afterVisit(answers: readonly RemoteAnswer[]): Promise<Next> {
    if (answers.every(({ action }) => action === 'accept')) return this.#send({}, [])
    throw new ToolExecutionError('the person did not do what the server asked for.', this.#about())
  }

  async #nextRound(raw: RawResult): Promise<Next> {
    const { requests, ...round } = sortInput(raw, this.#parts.notices)
    if (
      !round.requestState &&
      Object.keys({ ...requests, ...round.automatic }).length + round.refused.length === 0
    )
      throw this.#protocol('asked for more input without saying which')
    if (Object.keys(requests).length === 0) return this.#answerRound({ ...round, requests }, {})
    return { kind: 'ask', requests, kept: { kind: 'round', round: { ...round, requests } } }
  }

  /** Sends the call. It is sent a second time only if the first did not reach the server, or may run twice. */
  async #send(
    extra: object,
    answered: readonly Answered[],
    { isSecond, signIns }: Tries = FIRST_TRY,
  ): Promise<Next> {
    const { context, run } = this.#job
    const { connection, calls, label, options } = this.#parts
    const open = await connection.open(context.signal)
    const { name } = this.#tool.definition
    const call = new LiveCall(context, {
      server: label,
      toolName: name,
      timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
      facts: open.facts,
    })
    // Only the old protocol over HTTP asks on the stream of the call that it asks for.
    const hasOwnStream = open.isHttp && open.client.getProtocolEra() !== 'modern'
    call.start(() => calls.send(call, () => this.#request(open, call, extra), hasOwnStream))
    return this.#watched(() => this.#follow(call, answered), answered, {
      open,
      repeat: isSecond
        ? undefined
        : () => {
            run.notice(
              'mcp-connection',
              `The connection to server "${label}" was lost; "${name}" is called again.`,
            )
            return this.#send(extra, answered, { isSecond: true, signIns })
          },
      signIns,
      signedIn: () => this.#send(extra, answered, { isSecond, signIns: signIns + 1 }),
    })
  }

  #request(open: OpenConnection, call: LiveCall, extra: object): Promise<RawResult> {
    const { context, input } = this.#job
    const params = {
      name: this.#tool.definition.name,
      arguments: { ...input },
      _meta: callMeta(context, this.#parts.options),
      ...extra,
    }
    return open.isPlainPipe
      ? open.filter.direct.callTool(params, call)
      : this.#throughSdk(open.client, call, params)
  }

  async #throughSdk(
    client: Client,
    call: LiveCall,
    params: { readonly _meta: object },
  ): Promise<RawResult> {
    const { name, inputSchema } = this.#tool.definition
    const asked: Asked = {
      progress: (progress) => call.progress(progress),
      sent: (id) => call.sent(id),
    }
    const controller = new AbortController()
    call.whenAborted((reason) => controller.abort(reason))
    const marked = { ...params, _meta: { ...params._meta, ...askedMeta(asked) } }
    const result = await client.callTool(marked as never, {
      signal: controller.signal,
      timeout: NEVER_MS,
      allowInputRequired: true,
      // Without its output: the SDK reads the headers' rule from it, and nothing to check.
      toolDefinition: { name, inputSchema } as never,
    })
    return asked.raw ?? (result as RawResult)
  }

  /** Waits for the answer, and answers again what was answered before. */
  async #follow(call: LiveCall, answered: readonly Answered[]): Promise<Next> {
    const left = [...answered]
    for (;;) {
      const news = await call.next()
      if (news.kind === 'failure') throw news.thrown
      if (news.kind === 'result') return news
      const known = left.findIndex(
        ({ request }) => canonicalText(request) === canonicalText(news.request),
      )
      if (known === -1) {
        const token = this.#parts.held.hold(call, news)
        const { request } = news
        return {
          kind: 'ask',
          requests: { [ONLY]: request },
          kept: { kind: 'held', token, request, answered },
        }
      }
      news.respond(left.splice(known, 1)[0]!.answer)
    }
  }

  async #watched(
    follow: () => Promise<Next>,
    answered: readonly Answered[],
    sent?: SentCall,
  ): Promise<Next> {
    try {
      return await follow()
    } catch (thrown) {
      this.#job.context.signal.throwIfAborted()
      const visit = visitOf(thrown)
      if (visit) return { kind: 'ask', requests: visit, kept: { kind: 'visit', requests: visit } }
      const hasNotRun = isUnsent(thrown) || (isSessionGone(thrown) && sent?.open.isHttp === true)
      if (hasNotRun || isCut(thrown)) sent?.open.drop()
      const mayRepeat =
        hasNotRun || (isCut(thrown) && this.#tool.repeatable && answered.length === 0)
      if (mayRepeat && sent?.repeat) return sent.repeat()
      // A request that was refused for want of a token did not run.
      if (sent && (await this.#signedIn(thrown, sent))) return sent.signedIn()
      throw this.#failure(thrown, sent?.open)
    }
  }

  #signedIn(thrown: unknown, { open, signIns }: SentCall): Promise<boolean> {
    return unlessAborted(open.signedIn(thrown, signIns), this.#job.context.signal)
  }

  #failure(thrown: unknown, open: OpenConnection | undefined): McpError {
    const { label } = this.#parts
    const { name } = this.#tool.definition
    if (!isCut(thrown))
      return toMcpError(thrown, { server: label, what: `calling "${name}"`, lastWords: undefined })
    return new McpError(
      'mcp-cut',
      `The connection to server "${label}" broke during the call of "${name}": nothing says whether it ran.${inLastWords(open?.lastWords())}`,
      { cause: thrown, server: label },
    )
  }

  #protocol(what: string): McpError {
    const { label } = this.#parts
    return new McpError('mcp-protocol', `Server "${label}" ${what}.`, { server: label })
  }

  #about(): { readonly toolName: string; readonly callId: string } {
    const { toolName, callId } = this.#job.context
    return { toolName, callId }
  }
}
