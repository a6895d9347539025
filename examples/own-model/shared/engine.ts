/** The provider of the example: an engine in the same process that gives an answer piece by piece. */
import type { Message, ToolDefinition } from 'toolwright'

export interface EngineRequest {
  readonly messages: readonly Message[]
  readonly tools: readonly ToolDefinition[]
  readonly temperature?: number
  readonly maxTokens?: number
}

export type EnginePiece =
  | { readonly text: string }
  /** A call begins with its name and goes on with pieces of its arguments. */
  | { readonly call: string; readonly name: string }
  | { readonly call: string; readonly arguments: string }
  | { readonly end: 'done' | 'too long'; readonly tokens: readonly [asked: number, said: number] }

export interface Engine {
  /** Throws what went wrong, or the reason of the signal. */
  generate(request: EngineRequest, signal?: AbortSignal): AsyncIterable<EnginePiece>
}
