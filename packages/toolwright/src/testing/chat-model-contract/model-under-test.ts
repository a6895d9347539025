/**
 * What a test gives to the chat model suite: a way to make a model whose provider answers by a script.
 * The words of the script are those of `@toolwright/fault-server`, so `faultServer({ dialect, turns })`
 * plays it as it is.
 */
import type { ChatModel, ChatOptions } from '../../model/chat-model.ts'

/** One answer, part by part in this order. */
export interface ContractAnswer {
  readonly reasoning?: string
  /** In the pieces a stream sends. */
  readonly text?: readonly string[]
  readonly toolCalls?: readonly ContractToolCall[]
  /** Default: `tool-calls` with calls, else `stop`. */
  readonly finish?: 'length'
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number }
  /** Falls silent after all this and never finishes. */
  readonly ending?: 'stall'
}

export interface ContractToolCall {
  readonly id: string
  readonly name: string
  /** The JSON text in the pieces a stream sends. */
  readonly arguments: readonly string[]
}

/** An error instead of an answer, with the status an HTTP provider would give it. */
export interface ContractRefusal {
  readonly status: number
  readonly message: string
}

export type ContractTurn = ContractAnswer | ContractRefusal

export interface ModelUnderTest {
  readonly model: ChatModel
  /** The body of every request so far, as text. */
  sent?(): readonly string[]
  /** Frees what the model needed; called once. */
  close?(): void | Promise<void>
}

export interface ChatModelContractSetup {
  /** A fresh model with these default options, whose provider answers one request by each turn. */
  create(
    turns: readonly ContractTurn[],
    options: ChatOptions,
  ): ModelUnderTest | Promise<ModelUnderTest>
  /** What `create` gives has `sent`: adds the cases about requests. Default false. */
  readonly seesRequests?: boolean
  /** The provider tells what its model thought. Default true. */
  readonly reasoning?: boolean
  /** Keys the models of `create` are given; adds the case that errors do not show them. */
  readonly secrets?: readonly string[]
  /** How long one exchange may take before it counts as hanging. Default 5,000. */
  readonly patienceMs?: number
}
