/** `resources/list`, `resources/templates/list` and `resources/read`. */
import type { ReadResourceResult, Server } from '@modelcontextprotocol/server'
import { toolRunOf, type Json } from 'toolwright'
import { toBase64 } from '../content/base64.ts'
import { guarded } from './guarded.ts'
import { pageOf } from './page.ts'
import type { Peer, PeerOf } from './peer.ts'
import { INVALID_PARAMS, Refusal } from './refusal.ts'
import type { FoundResource, ResourceTemplateEntry } from './resource-list.ts'
import { runWork, type Work } from './run-work.ts'
import type { ResourceContent, ServedResource } from './served-resource.ts'
import type { Serving } from './serving.ts'

export function addResources(server: Server, serving: Serving, peerOf: PeerOf): void {
  server.setRequestHandler('resources/list', ({ params }) =>
    guarded(serving, async () => {
      const { fixed } = await serving.resources()
      const { items, next } = pageOf(fixed, ({ uri }) => uri, params?.cursor)
      return { resources: items.map((each) => ({ uri: each.uri, ...factsOf(each) })), ...next }
    }),
  )
  server.setRequestHandler('resources/templates/list', ({ params }) =>
    guarded(serving, async () => {
      const { templates } = await serving.resources()
      const { items, next } = pageOf(templates, ({ resource }) => resource.uri, params?.cursor)
      const listed = ({ resource }: ResourceTemplateEntry) => ({
        uriTemplate: resource.uri,
        ...factsOf(resource),
      })
      return { resourceTemplates: items.map(listed), ...next }
    }),
  )
  server.setRequestHandler('resources/read', ({ params: { uri } }, context) =>
    guarded(serving, async () => {
      const found = await findResource(serving, uri)
      const peer = peerOf(context)
      const answer = (json: Json): ReadResourceResult => toReadResult(found, { uri, json, peer })
      return runWork(serving, peer, { work: readWork(found, uri), answer })
    }),
  )
}

export async function findResource(serving: Serving, uri: string): Promise<FoundResource> {
  const found = (await serving.resources()).find(uri)
  if (!found) throw notFound(uri)
  return found
}

/** The address goes back as it came, but not without bounds. */
const notFound = (uri: string): Refusal =>
  new Refusal(INVALID_PARAMS, 'Resource not found', { uri: uri.slice(0, 1000) })

const factsOf = ({ name, title, description, mimeType }: ServedResource) => ({
  name,
  ...(title !== undefined && { title }),
  ...(description !== undefined && { description }),
  ...(mimeType !== undefined && { mimeType }),
})

const readWork = ({ resource, variables }: FoundResource, uri: string): Work => ({
  name: `resources/read ${resource.name}`,
  given: { uri },
  async run(context) {
    const json = toJson(await resource.read(uri, variables, context))
    if (json === null)
      toolRunOf(context).facts?.({ 'rpc.response.status_code': String(INVALID_PARAMS) })
    return json
  },
})

function toJson(content: ResourceContent): Json {
  if (content === undefined) return null
  if (typeof content === 'string') return { text: content }
  if (content instanceof Uint8Array) return { blob: toBase64(content) }
  throw new Error('The resource gave neither a text nor bytes.')
}

interface ReadContent {
  readonly uri: string
  readonly json: Json
  readonly peer: Peer
}

function toReadResult(
  { resource: { mimeType, ttlMs } }: FoundResource,
  { uri, json, peer }: ReadContent,
): ReadResourceResult {
  if (json === null) throw notFound(uri)
  const content = json as { readonly text: string } | { readonly blob: string }
  return {
    contents: [{ uri, ...(mimeType !== undefined && { mimeType }), ...content }],
    ...(ttlMs !== undefined && mayKeep(peer) && { ttlMs, cacheScope: 'private' as const }),
  }
}

/** What was read with a person's answers is for this one time. The older protocol has no such hints. */
const mayKeep = ({ era, context }: Peer): boolean =>
  era === 'modern' && context.mcpReq.requestState() === undefined
