/**
 * Who hears of changes. Clients of the older protocol are told of every list, and of the resources that they subscribed
 * to; for newer ones the SDK keeps what they listen to.
 */
import type { McpHttpHandler, Server } from '@modelcontextprotocol/server'
import { guarded } from './guarded.ts'
import { INVALID_PARAMS, Refusal } from './refusal.ts'
import { findResource } from './resources.ts'
import type { Serving } from './serving.ts'

/** What is another now: a list, or what one resource holds. */
export type Change = 'tools' | 'prompts' | 'resources' | { readonly resource: string }

const MOST_SUBSCRIPTIONS = 1000

const subscribed = new WeakMap<Server, Set<string>>()

export function addSubscriptions(server: Server, serving: Serving): void {
  const uris = new Set<string>()
  subscribed.set(server, uris)
  server.setRequestHandler('resources/subscribe', ({ params: { uri } }) =>
    guarded(serving, async () => {
      await findResource(serving, uri)
      if (uris.size >= MOST_SUBSCRIPTIONS && !uris.has(uri))
        throw new Refusal(
          INVALID_PARAMS,
          `A client has at most ${MOST_SUBSCRIPTIONS} subscriptions.`,
        )
      uris.add(uri)
      return {}
    }),
  )
  server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
    uris.delete(uri)
    return {}
  })
}

const LISTS = {
  tools: (server: Server) => server.sendToolListChanged(),
  prompts: (server: Server) => server.sendPromptListChanged(),
  resources: (server: Server) => server.sendResourceListChanged(),
}

/** Tells the client of a connection or a session. A change of what is not served is not told. */
export async function tellClient(server: Server, change: Change): Promise<void> {
  if (typeof change === 'string') return LISTS[change](server)
  const { resource: uri } = change
  if (subscribed.get(server)?.has(uri) ?? true) await server.sendResourceUpdated({ uri })
}

/** Tells those who listen over HTTP. */
export function tellListeners({ notify }: McpHttpHandler, change: Change): void {
  if (typeof change === 'object') return notify.resourceUpdated(change.resource)
  if (change === 'tools') return notify.toolsChanged()
  return change === 'prompts' ? notify.promptsChanged() : notify.resourcesChanged()
}
