/** Something that a server lets clients read: one address, or a template of many. */
import type { ToolContext } from 'toolwright'

/** Values of the variables of a template, decoded. They come from outside: check them before they name a file. */
export interface ResourceVariables {
  readonly [name: string]: string
}

/** Text, bytes, or `undefined`: there is none at this address. */
export type ResourceContent = string | Uint8Array | undefined

export interface ServedResource {
  /**
   * An address such as `notes://today`, or a template such as `notes://{year}/{day}`. A variable takes anything up to
   * the text after it, but no `/`, `?` or `#`; `{+path}` takes those too, and may only be the last variable.
   */
  readonly uri: string
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly mimeType?: string
  /** How long clients may keep what they read, in ms. Default 0: they ask again. */
  readonly ttlMs?: number
  /**
   * Reads it. It runs as a tool does: within its time and limits, and `context.suspend` asks the user first. A policy
   * sees it under the tool name `resources/read <name>`. What it throws reaches the client as an error, redacted.
   */
  read(
    uri: string,
    variables: ResourceVariables,
    context: ToolContext,
  ): ResourceContent | Promise<ResourceContent>
  /** Suggests values of a template's variable while a person types. The first 100 are sent. */
  readonly complete?: {
    readonly [variable: string]: (
      typed: string,
      others: ResourceVariables,
    ) => readonly string[] | Promise<readonly string[]>
  }
}
