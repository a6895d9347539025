/** A policy decides on each call before it runs, after its input was checked. */
import type { Label } from '../messages/message.ts'
import type { ToolContext } from '../tools/tool-context.ts'
import type { ToolDefinition } from '../tools/tool-definition.ts'
import type { ToolLabels } from '../tools/tool-metadata.ts'

export interface PolicyCall {
  readonly callId: string
  /** The call whose tool made this one, if a tool did. */
  readonly parentCallId?: string
  readonly toolName: string
  /** The checked input. */
  readonly input: unknown
  readonly definition: ToolDefinition
  /**
   * What the tool declares, and the run's high-water mark so far. The calls of one answer are judged in order: what an
   * earlier one brings counts for the next, also if it still runs.
   */
  readonly labels: { readonly tool?: ToolLabels; readonly run: Label }
}

/** With a reason: for whoever approves, or for the model. */
export type PolicyVerdict =
  'allow' | 'ask' | { readonly ask: string } | 'deny' | { readonly deny: string }

/** A policy that throws denies the call. */
export type ToolPolicy = (
  call: PolicyCall,
  context: ToolContext,
) => PolicyVerdict | Promise<PolicyVerdict>
