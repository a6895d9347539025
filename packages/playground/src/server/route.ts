/** What the page may ask, as a table: a method, a path, and who answers. */
import type { IncomingMessage } from 'node:http'
import type { JsonSchema } from 'toolwright'
import type { EventStream } from './send-events.ts'

export interface Asked {
  readonly request: IncomingMessage
  /** What stands in the path where the pattern has `{id}`. */
  readonly id: string
  readonly query: URLSearchParams
  /** The body, if it fits. */
  json<Body>(schema: JsonSchema): Promise<Body>
  text(): Promise<string>
}

export type Answer =
  { readonly status: number; readonly json?: unknown } | { readonly events: EventStream }

export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** With at most one `{id}`. */
  readonly path: string
  readonly answer: (asked: Asked) => Promise<Answer>
}

export interface FoundRoute {
  readonly route: Route
  readonly id: string
}

/** `other`: the path is there, for another method. */
export function findRoute(
  routes: readonly Route[],
  method: string,
  path: string,
): FoundRoute | 'other' | undefined {
  const there = routes.flatMap((route) => {
    const id = idIn(route.path, path)
    return id === undefined ? [] : [{ route, id }]
  })
  return (
    there.find(({ route }) => route.method === method) ?? (there.length > 0 ? 'other' : undefined)
  )
}

function idIn(pattern: string, path: string): string | undefined {
  const [before = '', after] = pattern.split('{id}')
  if (after === undefined) return pattern === path ? '' : undefined
  const isIt = path.startsWith(before) && path.endsWith(after)
  const id = isIt ? path.slice(before.length, path.length - after.length) : ''
  return ID.test(id) ? id : undefined
}

/** Ids are made by the server: letters, numbers and hyphens. */
const ID = /^[\w-]{1,100}$/
