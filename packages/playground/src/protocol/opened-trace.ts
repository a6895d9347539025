/** What happened, as the page shows it. Types only. */
import type { Message, ToolDefinition } from 'toolwright'
import type { Trace } from 'toolwright/trace'

export type OpenedTrace =
  | { readonly kind: 'trace'; readonly name: string; readonly trace: Trace }
  /** A cassette has no times: only what was asked and what came. */
  | {
      readonly kind: 'cassette'
      readonly name: string
      readonly exchanges: readonly TapeExchange[]
      readonly calls: readonly TapeCall[]
    }

export interface TapeExchange {
  readonly messages: readonly Message[]
  readonly tools: readonly Pick<ToolDefinition, 'name' | 'description'>[]
  /** The answer, as it is on the tape. */
  readonly answer: unknown
}

export interface TapeCall {
  readonly tool: string
  readonly input: unknown
  readonly outcome: unknown
}
