/**
 * What a dialect must be able to do: render a turn as events and as one JSON body, word an error, and
 * check a request as strictly as the provider would. The server itself knows no dialect.
 */
import type { FaultTurn } from './scenario.ts'

/** One server-sent event. */
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

export interface ReceivedRequest {
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined }
  readonly text: string
  readonly body: unknown
  /** The turns this conversation was answered with, oldest first. */
  readonly sent: readonly FaultTurn[]
}

export interface DialectRendering {
  /** The path after the base URL. */
  readonly route: string
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

/** The whole argument text of a call. */
export const argumentText = (call: { readonly arguments: readonly string[] }): string =>
  call.arguments.join('')

/** The id the wire shows: `undefined` when the field is to be left out. */
export function wireId(
  call: { readonly id?: string | null },
  generated: string,
): string | undefined {
  return call.id === null ? undefined : (call.id ?? generated)
}

export const usageOf = (turn: FaultTurn): { inputTokens: number; outputTokens: number } =>
  turn.usage ?? { inputTokens: 20, outputTokens: 10 }

export const finishOf = (turn: FaultTurn): NonNullable<FaultTurn['finish']> =>
  turn.finish ?? (turn.toolCalls?.length ? 'tool-calls' : 'stop')
