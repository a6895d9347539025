/** An `input_required` answer, sorted: what a person answers, what is answered by itself, what is not answered. */
import { McpError, type Json } from 'toolwright'
import type { RawResult } from './inbound.ts'
import { readRequest, type RemoteRequest, type RequestsByKey } from './remote-question.ts'
import type { RunNotices } from './run-notices.ts'

/** What has to be known when the answer comes, in this process or another. */
export interface KeptRound {
  readonly requests: RequestsByKey
  /** Words of a model and folders: asked for when the person has answered, so that nothing is asked in vain. */
  readonly automatic: { readonly [key: string]: { readonly method: string; readonly params: Json } }
  readonly refused: readonly string[]
  /** The server's own, byte for byte. */
  readonly requestState?: string
}

export function sortInput(raw: RawResult, notices: RunNotices): KeptRound {
  const requests: { [key: string]: RemoteRequest } = {}
  const automatic: { [key: string]: { readonly method: string; readonly params: Json } } = {}
  const refused: string[] = []
  for (const [key, asked] of Object.entries(Object(raw.inputRequests) as object)) {
    const { method, params } = Object(asked) as {
      readonly method?: unknown
      readonly params?: Json
    }
    if (typeof method !== 'string')
      throw new McpError('mcp-protocol', 'The server asks for input without a method.')
    if (method !== 'elicitation/create') {
      automatic[key] = { method, params: params ?? null }
      continue
    }
    const request = readRequest(params)
    if ('fault' in request) {
      notices.add('mcp-ignored', `It ${request.fault}; the question was cancelled.`)
      refused.push(key)
    } else requests[key] = request
  }
  const { requestState } = raw
  return { requests, automatic, refused, ...(typeof requestState === 'string' && { requestState }) }
}
