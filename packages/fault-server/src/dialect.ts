/**
 * What a dialect must be able to do: know its paths, render a turn as events and as one JSON body, word an
 * error, and check a request as strictly as the provider would. The server itself knows no dialect; a new
 * one is a folder of `dialects/` and a row of its table.
 */
import type { FaultFraming, FaultTurn } from './scenario.ts'

/** One event of a stream. */
export interface Frame {
  readonly event?: string
  readonly data: string
}

/** A turn as events; everything before `finish` may be the last thing a broken stream sends. */
export interface TurnFrames {
  readonly body: readonly Frame[]
  readonly finish: readonly Frame[]
  readonly end: readonly Frame[]
}

/** A turn as one JSON text; a broken body ends at `cut`, before the finish reason. */
export interface WholeTurn {
  readonly text: string
  readonly cut: number
}

/** A turn with its place in the conversation, from which ids are made. */
export interface NumberedTurn {
  readonly turn: FaultTurn
  readonly number: number
}

/** How the events of a stream lie on the wire. */
export interface StreamFormat {
  readonly contentType: string
  /** The text of one event, laid out as the framing asks, as far as the format knows such a thing. */
  textOf(frame: Frame, framing: FaultFraming): string
}

export interface AskedPath {
  /** After the host, with the query: `/v1/messages`. */
  readonly path: string
  /** The parsed body; undefined when it is no JSON. */
  readonly body: unknown
}

export interface ReceivedRequest extends AskedPath {
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined }
  readonly text: string
  /** The turns this conversation was answered with, oldest first. */
  readonly sent: readonly FaultTurn[]
}

export interface Dialect {
  /** What the base URL has after the host, as adapters expect it: `/v1`, or nothing. */
  readonly basePath: string
  /** Whether the answer is to be streamed; undefined where the provider has no such path. */
  answerMode(asked: AskedPath): 'stream' | 'whole' | undefined
  readonly streamFormat: StreamFormat
  frames(turn: NumberedTurn): TurnFrames
  whole(turn: NumberedTurn): WholeTurn
  /** The start of a stream and of a body whose text never ends. */
  readonly endless: { readonly frame: Frame; readonly whole: string }
  /** An error inside a stream. */
  errorFrame(message: string): Frame
  errorBody(status: number, message: string): string
  /** What a strict provider would refuse, in its order; empty when the request is sound. */
  validate(request: ReceivedRequest): readonly string[]
}
