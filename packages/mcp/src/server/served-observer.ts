/** What observers of a served call are told of the request that it answers, by the names of OpenTelemetry. */
import type { ObservedFacts, Observer } from 'toolwright'
import { sessionMark } from '../remote/session-mark.ts'
import type { Peer } from './peer.ts'
import type { ServeToolsOptions } from './serve-tools-options.ts'

/** Numbers, or short words: an id is a client's to choose. */
const PLAIN_ID = /^[\w.:-]{1,64}$/

/** `target`: which tool or prompt is asked for, under its name. */
export function servedFacts({ context, version }: Peer, target: ObservedFacts): ObservedFacts {
  const { sessionId, http, mcpReq } = context
  const id = String(mcpReq.id)
  return {
    'mcp.method.name': mcpReq.method,
    ...target,
    ...(version !== undefined && { 'mcp.protocol.version': version }),
    ...(sessionId !== undefined && { 'mcp.session.id': sessionMark(sessionId) }),
    ...(PLAIN_ID.test(id) && { 'jsonrpc.request.id': id }),
    'network.transport': http ? 'tcp' : 'pipe',
  }
}

/** The same observers, to whom the run is told as the answer to a request. */
export function servedObserver(
  { observer }: ServeToolsOptions,
  facts: ObservedFacts,
): ServeToolsOptions['observer'] {
  if (observer === undefined) return undefined
  const each = (one: Observer): Observer => toldOf(one, facts)
  return Array.isArray(observer)
    ? (observer as readonly Observer[]).map(each)
    : each(observer as Observer)
}

const toldOf = (observer: Observer, facts: ObservedFacts): Observer => ({
  ...(observer.name !== undefined && { name: observer.name }),
  ...(observer.content !== undefined && { content: observer.content }),
  start: (kind, info) => observer.start(kind, kind === 'client' ? { ...info, facts } : info),
  ...(observer.around && {
    around: (observation, run) => observer.around!(observation, run),
  }),
})
