/** Asks a server for all pages of its list of tools, within bounds. Nothing is read into what the entries hold. */
import type { OpenConnection } from './connection.ts'
import type { RawResult } from './inbound.ts'
import { askedMeta, type Asked } from './message-filter.ts'

export interface ListedEntries {
  readonly entries: readonly unknown[]
  /** How long the list may be used, in ms; undefined if the server does not say. */
  readonly ttlMs?: number
  /** Whether it may be used for other users who are signed in. */
  readonly isPublic: boolean
  /** Why there may be more than was read. */
  readonly cut?: string
}

const MOST_PAGES = 1_000
const MOST_TOOLS = 10_000
const LONGEST_TTL_MS = 24 * 60 * 60_000
const METHOD_NOT_FOUND = -32_601

export async function listEntries(
  { client }: OpenConnection,
  options: { readonly timeout: number },
): Promise<ListedEntries> {
  const entries: unknown[] = []
  const seen = new Set<string>()
  let cursor: string | undefined
  let first: RawResult | undefined
  const ended = (cut?: string): ListedEntries => ({
    entries: entries.slice(0, MOST_TOOLS),
    ...freshness(first),
    ...(cut && { cut }),
  })
  for (let page = 1; ; page++) {
    const asked: Asked = {}
    const params = { _meta: askedMeta(asked), ...(cursor !== undefined && { cursor }) }
    const answer = client.request({ method: 'tools/list', params } as never, options)
    const raw = await answer.then((result) => asked.raw ?? (result as RawResult), ifNoTools)
    first ??= raw
    if (!Array.isArray(raw.tools)) return ended('a page of the list has no tools')
    entries.push(...(raw.tools as readonly unknown[]).slice(0, MOST_TOOLS + 1))
    const { nextCursor } = raw
    if (entries.length > MOST_TOOLS) return ended(`it has more than ${MOST_TOOLS} tools`)
    if (typeof nextCursor !== 'string' || nextCursor === '') return ended()
    if (seen.has(nextCursor)) return ended('its pages go round in a circle')
    if (page >= MOST_PAGES) return ended(`it has more than ${MOST_PAGES} pages`)
    seen.add((cursor = nextCursor))
  }
}

/** A server without tools may not know the question. */
function ifNoTools(thrown: unknown): RawResult {
  if ((Object(thrown) as { readonly code?: unknown }).code !== METHOD_NOT_FOUND) throw thrown
  return { tools: [] }
}

function freshness(first: RawResult = {}): Pick<ListedEntries, 'ttlMs' | 'isPublic'> {
  const { ttlMs, cacheScope } = first
  const known = typeof ttlMs === 'number' && ttlMs >= 0
  return {
    ...(known && { ttlMs: Math.min(ttlMs, LONGEST_TTL_MS) }),
    isPublic: cacheScope === 'public',
  }
}
