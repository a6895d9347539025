/**
 * What a client carries while a call waits: a signed reference to the run that the store keeps. It counts for one tool
 * with its arguments and one caller, until it expires. It holds no secrets: the client can read it. That it is used
 * once is the run store's doing.
 */
import type { Json } from 'toolwright'
import { canonicalText } from '../remote/canonical.ts'
import { INVALID_PARAMS, Refusal } from './refusal.ts'
import { base64UrlToText, isSame, textToBase64Url, type Sign } from './sealing.ts'

/** The call that a state is good for. */
export interface BoundCall {
  readonly tool: string
  readonly arguments: unknown
  readonly principal: string
}

/** The waiting run, and what was answered of its questions so far. */
export interface WaitingRun {
  readonly runId: string
  readonly stateId: string
  /** Answers by the key of their question, as the client gave them. */
  readonly given?: { readonly [key: string]: Json }
  /** How often an answer to what is asked did not fit. */
  readonly wrong?: number
}

interface Payload extends WaitingRun {
  readonly expires: number
  readonly call: string
}

export interface RequestStates {
  seal(run: WaitingRun, call: BoundCall): Promise<string>
  /** Throws a `Refusal` that says why the state does not count. */
  open(state: string, call: BoundCall): Promise<WaitingRun>
}

export interface RequestStateOptions {
  readonly sign: Sign
  readonly ttlMs: number
  now(): number
}

const VERSION = 'tw1'

export function requestStates({ sign, ttlMs, now }: RequestStateOptions): RequestStates {
  const mark = (call: BoundCall): Promise<string> =>
    sign('call', canonicalText([call.tool, call.arguments ?? {}, call.principal]))
  return {
    async seal(run, call) {
      const payload: Payload = { ...run, expires: now() + ttlMs, call: await mark(call) }
      const body = textToBase64Url(JSON.stringify(payload))
      return [VERSION, body, await sign('state', body)].join('.')
    },
    async open(state, call) {
      const [version, body = '', signature = '', ...more] = state.split('.')
      const isOurs = await isSame(sign, signature, await sign('state', body))
      if (version !== VERSION || more.length > 0 || !isOurs)
        throw refused('state-forged', 'was not issued by this server, or was changed')
      const { expires, call: marked, ...run } = JSON.parse(base64UrlToText(body)) as Payload
      if (expires < now()) throw refused('state-expired', 'has expired. Make the call anew')
      if (!(await isSame(sign, marked, await mark(call))))
        throw refused(
          'state-of-another-call',
          'belongs to another call. Repeat that call with the same tool, arguments and credentials',
        )
      return run
    },
  }
}

/** The run does not wait any more, or was never kept. */
export const stateUsed = (): Refusal =>
  refused('state-used', 'was used before, or its call waits no more. Nothing ran again')

const refused = (reason: string, why: string): Refusal =>
  new Refusal(INVALID_PARAMS, `This requestState ${why}.`, { reason })
