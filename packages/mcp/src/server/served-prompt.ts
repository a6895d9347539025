/** A prompt that a server offers: a text for a user to start with, filled in by arguments. */
import type { ToolContext, UserPart } from 'toolwright'

/** Arguments by name, as the client gave them: always texts. */
export interface PromptArguments {
  readonly [name: string]: string
}

export interface PromptArgument {
  readonly name: string
  readonly title?: string
  readonly description?: string
  /** Default false. */
  readonly required?: boolean
  /**
   * Suggests values while a person types. The first 100 are sent.
   *
   * @param others what is known of the other arguments
   */
  complete?(typed: string, others: PromptArguments): readonly string[] | Promise<readonly string[]>
}

/** A message of a prompt. Parts become one message each: the protocol has one piece of content in a message. */
export interface PromptMessage {
  readonly role: 'user' | 'assistant'
  readonly content: string | readonly UserPart[]
}

/** A text is one message of the user. */
export type PromptContent = string | readonly PromptMessage[]

export interface ServedPrompt {
  /** Unique among the prompts of a server. */
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly arguments?: readonly PromptArgument[]
  /**
   * Makes the prompt. It runs as a tool does: within its time and limits, and `context.suspend` asks the user first. A
   * policy sees it under the tool name `prompts/get <name>`. What it throws reaches the client as an error, redacted.
   */
  get(given: PromptArguments, context: ToolContext): PromptContent | Promise<PromptContent>
}
