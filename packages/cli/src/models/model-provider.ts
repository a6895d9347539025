/** What `chat` knows of a provider of models. The table of them is `providers.ts`; further ones join there. */
import type { ChatModel } from 'toolwright'

export type Environment = { readonly [name: string]: string | undefined }

export interface ModelProvider {
  /** Before the colon in `--model provider:name`. */
  readonly name: string
  /** One line of help: how to connect it. */
  readonly connect: string
  /** Whether it may be picked when no model was named: its key is set, or it answers on this machine. */
  isConnected(env: Environment): boolean | Promise<boolean>
  /** A model; without a name the provider's usual one. What is missing is a `CommandError`. */
  make(name: string | undefined, env: Environment): Promise<ChatModel>
}
