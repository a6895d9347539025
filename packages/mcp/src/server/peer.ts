/** The client behind a request, as far as it changes what it gets. */
import type { ClientCapabilities, Server, ServerContext } from '@modelcontextprotocol/server'
import type { Principal } from './serve-tools-options.ts'
import type { Asking, Elicitation } from './form.ts'
import { MISSING_CAPABILITY, Refusal } from './refusal.ts'
import type { Era, ToolsByName } from './tool-list.ts'

export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks'
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'

export interface Peer {
  readonly era: Era
  readonly principal: Principal
  /** Undefined: it said nothing, and cannot be asked anything. */
  readonly capabilities: ClientCapabilities | undefined
  readonly context: ServerContext
  /** Of the protocol that it speaks. */
  readonly version: string | undefined
  /** The tools, if they were listed for this request before. */
  readonly tools?: ToolsByName | undefined
}

/** The client behind one request to a server. */
export type PeerOf = (context: ServerContext) => Peer

/** Every caller of a server without sign-in. */
export const ANYBODY: Principal = { id: '' }

/** `server`: knows what a client of the older protocol said when it connected. */
export function peerOf(era: Era, context: ServerContext, server: Server): Peer {
  const { principal, tools } = Object(context.http?.authInfo?.extra) as Partial<Peer>
  const envelope = context.mcpReq.envelope as { readonly [key: string]: unknown } | undefined
  const declared = envelope?.[CAPABILITIES] as ClientCapabilities | undefined
  return {
    era,
    principal: principal ?? ANYBODY,
    capabilities: era === 'modern' ? declared : server.getClientCapabilities(),
    context,
    version: server.getNegotiatedProtocolVersion(),
    tools,
  }
}

/** What the client lacks to be asked all of this; undefined if nothing. */
export function missingFor(
  { capabilities = {} }: Peer,
  asked: readonly Asking[],
): ClientCapabilities | undefined {
  const elicitation = missingElicitation(
    capabilities,
    asked.flatMap((asks) => (asks.method === 'elicitation/create' ? [asks.params] : [])),
  )
  const lacks = (method: Asking['method'], capability: 'sampling' | 'roots'): boolean =>
    capabilities[capability] === undefined && asked.some((asks) => asks.method === method)
  const missing = {
    ...(elicitation && { elicitation }),
    ...(lacks('sampling/createMessage', 'sampling') && { sampling: {} }),
    ...(lacks('roots/list', 'roots') && { roots: {} }),
  }
  return Object.keys(missing).length > 0 ? missing : undefined
}

function missingElicitation(
  { elicitation }: ClientCapabilities,
  asked: readonly Elicitation[],
): ClientCapabilities['elicitation'] {
  const isUrl = asked.some(({ mode }) => mode === 'url')
  const isForm = asked.some(({ mode }) => mode === 'form')
  const canUrl = elicitation?.url !== undefined
  // Before there were modes, an empty object meant forms.
  const canForm = elicitation !== undefined && (elicitation.form !== undefined || !canUrl)
  if ((canUrl || !isUrl) && (canForm || !isForm)) return undefined
  return { ...(isForm && { form: {} }), ...(isUrl && { url: {} }) }
}

export function takesTasks({ era, capabilities }: Peer): boolean {
  const { extensions } = (capabilities ?? {}) as { readonly extensions?: object }
  return era === 'modern' && extensions !== undefined && TASKS_EXTENSION in extensions
}

export const withoutTasks = (text = 'This client does not declare the tasks extension.'): Refusal =>
  new Refusal(MISSING_CAPABILITY, text, {
    requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } },
  })
