/**
 * The policy against data that leaves by a trick: whoever wrote untrusted content may have told the model to send away
 * what is private. It reads labels only, and knows nothing of what is in a call.
 */
import { checkOptions } from '../internal/check-options.ts'
import { checkKinds, FUNCTION, oneOf, type Kinds } from '../schema/option-kinds.ts'
import type { PolicyCall, ToolPolicy } from './policy.ts'

export interface NoExfiltrationOptions {
  /** What becomes of a call that would send: somebody is asked (default), or it is denied. */
  readonly onBreach?: 'ask' | 'deny'
  /** A policy of the program's own. The stricter verdict holds. */
  readonly policy?: ToolPolicy
}

const KINDS: Kinds<NoExfiltrationOptions> = {
  onBreach: /* @__PURE__ */ oneOf('ask', 'deny'),
  policy: FUNCTION,
}

const MET = 'Private data and untrusted content have met in this run'

/**
 * Lets no call send anything once private data and untrusted content have met in the run, unless somebody approves it.
 * What a tool does is what its `labels` say; a tool whose hint is `openWorld` sends and is untrusted unless they say otherwise.
 *
 * @example
 * const inbox = tool({ name: 'inbox', labels: { reads: 'private', emits: 'untrusted' }, execute: readInbox })
 * const send = tool({ name: 'send', labels: { sends: true }, execute: sendMail })
 * ChatClient.create(model, { tools: [inbox, send], policy: noExfiltration() })
 */
export function noExfiltration(options: NoExfiltrationOptions = {}): ToolPolicy {
  checkOptions('noExfiltration()', options, Object.keys(KINDS))
  checkKinds('noExfiltration()', options, KINDS)
  const { onBreach = 'ask', policy = () => 'allow' as const } = options
  return async (call, context) => {
    if (!isBreach(call)) return policy(call, context)
    if (onBreach === 'deny') return { deny: `${MET}: nothing may be sent out any more.` }
    const ask = `${MET}, and this call sends data out.`
    const own = await policy(call, context)
    if (own === 'allow' || own === 'ask') return { ask }
    return typeof own === 'object' && 'ask' in own ? { ...own, ask: `${own.ask} ${ask}` } : own
  }
}

/** A tool that reads private data and sends it brings both together by itself. Its own answer comes too late to trick anybody. */
function isBreach({ labels: { tool, run } }: PolicyCall): boolean {
  const isPrivate = run.private === true || tool?.reads === 'private'
  return tool?.sends === true && run.trust === 'untrusted' && isPrivate
}
