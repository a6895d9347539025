/**
 * A reply as a list of small actions on the socket. The plan is made first, from the turn and its
 * faults; playing it is the only place that touches the connection.
 */
import type { ServerResponse } from 'node:http'
import { setImmediate as nextTick, setTimeout as pause } from 'node:timers/promises'
import type { Dialect, Frame, NumberedTurn } from './dialect.ts'
import { framingAt } from './line-end.ts'
import type { FaultFraming, FaultTurn } from './scenario.ts'

export type ReplyAction =
  | { readonly do: 'send'; readonly bytes: Uint8Array }
  | { readonly do: 'wait'; readonly ms: number }
  /** The same bytes over and over, as fast as the client reads them. */
  | { readonly do: 'flood'; readonly bytes: Uint8Array; readonly times: number }
  /** Bytes past the end of the answer, where HTTP allows none. */
  | { readonly do: 'overrun'; readonly bytes: Uint8Array }
  | { readonly do: 'stall' }
  | { readonly do: 'reset' }
  | { readonly do: 'end' }

export interface ReplyPlan {
  readonly contentType: string
  /** Sent as Content-Length. Absent: chunked. */
  readonly length?: number
  /** The end of the body is the end of the connection. */
  readonly closes?: boolean
  readonly actions: readonly ReplyAction[]
}

const ERROR_MESSAGE = 'The model is overloaded.'
const FLOOD = { bytes: new Uint8Array(65_536).fill(0x78), times: 24_000 }
/** An event that no dialect speaks. */
const GARBAGE: Frame = { data: 'this is {no JSON' }
/** Stands in texts for a byte that is no UTF-8. */
export const BROKEN_BYTE = '\uE000'

/** How a planned reply ends, apart from what is sent before. */
function lastActions(turn: FaultTurn): readonly ReplyAction[] {
  switch (turn.ending) {
    case 'reset':
    case 'reset-inside':
    case 'reset-after-end':
      // Lets the client see the bytes before; a reset may overtake them otherwise.
      return [{ do: 'wait', ms: 20 }, { do: 'reset' }]
    case 'stall':
      return [{ do: 'stall' }]
    case 'endless-line':
    case 'endless-events':
      return [{ do: 'flood', ...FLOOD }, { do: 'end' }]
    default:
      return [{ do: 'end' }]
  }
}

const UNBROKEN: ReadonlySet<FaultTurn['ending']> = new Set([
  undefined,
  'complete',
  'no-end-marker',
  'finish-twice',
  'reset-after-end',
])

/** Whether the answer ends before its finish reason. */
export const breaksOff = (turn: FaultTurn): boolean => !UNBROKEN.has(turn.ending)

export function planStream(dialect: Dialect, numbered: NumberedTurn): ReplyPlan {
  const { turn } = numbered
  const framing = turn.framing ?? {}
  if (turn.ending === 'error-body')
    return whole('application/json', dialect.errorBody(500, ERROR_MESSAGE))
  const { contentType: usual, textOf } = dialect.streamFormat
  const frames = streamFrames(dialect, numbered)
  const texts = frames.map((frame, position) => textOf(frame, framingAt(framing, position)))
  if (framing.byteOrderMark) texts.unshift('\uFEFF')
  if (turn.ending === 'endless-line') texts.push(textOf(dialect.endless.frame, framing).trimEnd())
  if (turn.ending === 'reset-inside') texts.push(halfOf(texts.pop()!))
  const contentType = turn.contentType ?? usual
  if (turn.ending === 'endless-events') {
    const many = utf8(texts.at(-1)!.repeat(1000))
    const flood: ReplyAction = { do: 'flood', bytes: many, times: 24_000 }
    return { contentType, actions: [...sends(texts, framing), flood, { do: 'end' }] }
  }
  const actions = [...sends(texts, framing), ...lastActions(turn)]
  return { contentType, ...announced(turn, actions), actions }
}

const halfOf = (text: string): string => text.slice(0, text.length / 2)

/** A length that is not that of the body. The connection must then close, or the client would wait. */
function announced(
  { announcedTooMuch }: FaultTurn,
  actions: readonly ReplyAction[],
): Pick<ReplyPlan, 'length' | 'closes'> {
  if (announcedTooMuch === undefined) return {}
  const sent = actions.map((action) => (action.do === 'send' ? action.bytes.length : 0))
  return { length: sent.reduce((sum, length) => sum + length, announcedTooMuch), closes: true }
}

function streamFrames(dialect: Dialect, numbered: NumberedTurn): readonly Frame[] {
  const { turn, number } = numbered
  const { body, finish, end } = dialect.frames(numbered)
  if (turn.ending === 'error-event') return [...body, dialect.errorFrame(ERROR_MESSAGE)]
  if (turn.ending === 'no-finish') return [...body, ...end]
  if (turn.ending === 'garbage') return [...body, GARBAGE, ...finish, ...end]
  if (turn.ending === 'finish-twice') return [...body, ...finish, ...finish, ...end]
  if (breaksOff(turn)) return body
  if (turn.ending === 'no-end-marker') return [...body, ...finish]
  const late = turn.late ? dialect.frames({ turn: turn.late, number: number + 1000 }) : undefined
  return [...body, ...finish, ...end, ...(late ? [...late.body, ...late.finish, ...late.end] : [])]
}

export function planWhole(dialect: Dialect, numbered: NumberedTurn): ReplyPlan {
  const { turn, number } = numbered
  const framing = turn.framing ?? {}
  const { text, cut } = dialect.whole(numbered)
  const body = wholeText(turn, breaksOff(turn) ? text.slice(0, cut) : text)
  const contentType = turn.contentType ?? 'application/json'
  if (turn.ending === 'error-event' || turn.ending === 'error-body')
    return whole(contentType, dialect.errorBody(500, ERROR_MESSAGE))
  if (turn.ending === 'endless-line' || turn.ending === 'endless-events')
    return {
      contentType,
      actions: [...sends([dialect.endless.whole], framing), ...lastActions(turn)],
    }
  if (turn.late) {
    const late = dialect.whole({ turn: turn.late, number: number + 1000 })
    const { length, actions } = whole(contentType, body)
    const overrun: ReplyAction = { do: 'overrun', bytes: utf8(late.text) }
    return { contentType, length, actions: [...actions.slice(0, -1), overrun, { do: 'end' }] }
  }
  const actions = [...sends([body], framing), ...lastActions(turn)]
  const closes = turn.ending === 'no-end-marker'
  return { contentType, closes, ...announced(turn, actions), actions }
}

function whole(contentType: string, text: string): ReplyPlan {
  const bytes = utf8(text)
  return { contentType, length: bytes.length, actions: [{ do: 'send', bytes }, { do: 'end' }] }
}

/** The nearest a JSON body has to odd framing: odd white space, where JSON allows it. */
function wholeText(turn: FaultTurn, text: string): string {
  const { newline, comments, byteOrderMark } = turn.framing ?? {}
  const blank = comments ? '\n\n' : newline === 'mixed' ? '\r\n\n\r' : (newline ?? '')
  const spaced = blank === '' ? text : `${blank}{${blank}${text.slice(1)}${blank}`
  return byteOrderMark ? `\uFEFF${spaced}` : spaced
}

function utf8(text: string): Uint8Array {
  const parts = text.split(BROKEN_BYTE).map((part) => new TextEncoder().encode(part))
  if (parts.length === 1) return parts[0]!
  const broken = Uint8Array.of(0xff)
  return Buffer.concat(parts.flatMap((part, at) => (at === 0 ? [part] : [broken, part])))
}

function sends(texts: readonly string[], framing: FaultFraming): ReplyAction[] {
  const all = framing.bytesPerChunk === Infinity ? [texts.join('')] : texts
  return all
    .flatMap((text) => pieces(utf8(text), framing.bytesPerChunk))
    .flatMap((bytes) => {
      const send: ReplyAction = { do: 'send', bytes }
      return framing.pauseMs ? [{ do: 'wait', ms: framing.pauseMs }, send] : [send]
    })
}

function pieces(bytes: Uint8Array, size = bytes.length): Uint8Array[] {
  const cut: Uint8Array[] = []
  if (size === Infinity) return [bytes]
  for (let at = 0; at < bytes.length; at += size) cut.push(bytes.subarray(at, at + size))
  return cut
}

/** Plays a plan until its end, or until the client has gone. */
export async function playReply(
  plan: ReplyPlan,
  response: ServerResponse,
  onStall: () => void,
): Promise<void> {
  if (plan.closes) response.useChunkedEncodingByDefault = false
  response.writeHead(200, {
    'content-type': plan.contentType,
    ...(plan.length === undefined ? {} : { 'content-length': String(plan.length) }),
    ...(plan.closes ? { connection: 'close' } : {}),
  })
  for (const action of plan.actions) {
    if (response.destroyed) return
    if (action.do === 'stall') onStall()
    await perform(action, response)
  }
}

async function perform(action: ReplyAction, response: ServerResponse): Promise<void> {
  switch (action.do) {
    case 'send':
      await write(response, action.bytes)
      return
    case 'wait':
      await pause(action.ms)
      return
    case 'flood':
      for (let sent = 0; sent < action.times && !response.destroyed; sent += 1)
        await write(response, action.bytes)
      return
    case 'overrun':
      response.socket?.write(action.bytes)
      return
    case 'stall':
      await closed(response)
      return
    case 'reset':
      response.socket?.resetAndDestroy()
      return
    case 'end':
      response.end()
  }
}

async function write(response: ServerResponse, bytes: Uint8Array): Promise<void> {
  if (response.write(bytes)) await nextTick()
  else await drained(response)
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      response.off('drain', settle)
      response.off('close', settle)
      resolve()
    }
    response.once('drain', settle)
    response.once('close', settle)
  })
}

function closed(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => response.once('close', () => resolve()))
}
