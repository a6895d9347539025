/** What is told of a call to those who observe it, by the names of OpenTelemetry: how the server is reached, and how it refused. */
import type { Client } from '@modelcontextprotocol/client'
import { McpError, type ObservedFacts } from 'toolwright'
import { sessionMark } from '../remote/session-mark.ts'
import type { RequestId } from './inbound.ts'
import type { McpServer } from './mcp-tools-options.ts'

/** The same for every call of a connection. */
export function connectionFacts(server: McpServer, client: Client, isHttp: boolean): ObservedFacts {
  const version = client.getNegotiatedProtocolVersion()
  const { sessionId } = client.transport ?? {}
  return {
    'mcp.method.name': 'tools/call',
    ...(version !== undefined && { 'mcp.protocol.version': version }),
    ...(sessionId !== undefined && { 'mcp.session.id': sessionMark(sessionId) }),
    ...(isHttp && { 'network.transport': 'tcp' }),
    // What a client of the program's own speaks through, if not HTTP, is not known.
    ...('command' in server && { 'network.transport': 'pipe' }),
    ...('url' in server && addressFacts(new URL(server.url))),
  }
}

function addressFacts({ protocol, hostname, port }: URL): ObservedFacts {
  return {
    'server.address': hostname.replace(/^\[|\]$/g, ''),
    'server.port': port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port),
  }
}

/** Ids are counted by the SDK or here: nothing of them is a stranger's. */
export const requestFacts = (id: RequestId): ObservedFacts => ({ 'jsonrpc.request.id': String(id) })

/** The server ran the tool, and says that it failed. */
export const TOOL_ERROR: ObservedFacts = { 'error.type': 'tool_error' }

/** Undefined: it was no refusal of the server. */
export function refusalFacts(thrown: unknown): ObservedFacts | undefined {
  const code = thrown instanceof McpError ? thrown.rpcCode : undefined
  if (code === undefined) return undefined
  return { 'rpc.response.status_code': String(code), 'error.type': String(code) }
}
