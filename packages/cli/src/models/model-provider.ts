/** The contract of a model provider for `chat`. `providers.ts` lists them; add further ones there. */
import type { ChatModel } from 'toolwright'

export type Environment = { readonly [name: string]: string | undefined }

/** What the model is wanted for. */
export interface ModelUse {
  /** Tools are offered: where the provider has a choice, it takes a model that has them. */
  readonly tools: boolean
}

export interface ModelProvider {
  /** The name before the colon in `--model provider:name`. */
  readonly name: string
  /** One line of help: how to connect it. */
  readonly connect: string
  /** Whether it may be used when no model is named: its key is set, or it answers on this machine. */
  isConnected(env: Environment): boolean | Promise<boolean>
  /**
   * Makes a model; without a name, the provider's usual one. Throws `CommandError` if something is missing.
   */
  make(name: string | undefined, env: Environment, use: ModelUse): Promise<ChatModel>
}
