/** HTTP responses with an error of JSON-RPC, for requests that did not reach the protocol. */

export interface RpcFault {
  readonly code: number
  readonly message: string
}

/** For a request that could be read as far as its id. */
export const rpcFault = (status: number, id: string | number | null, error: RpcFault): Response =>
  Response.json({ jsonrpc: '2.0', id, error }, { status })

export const rpcError = (status: number, code: number, message: string): Response =>
  rpcFault(status, null, { code, message })
