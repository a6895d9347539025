/** Which way a request takes: node:http on Node, fetch everywhere else. */
import type { Transport } from '../../ports/transport.ts'
import { fetchTransport } from './fetch-transport.ts'
import { nodeTransport } from './node-transport.ts'

const DEFAULT: Transport = nodeTransport ?? fetchTransport()

export function defaultTransport(): Transport {
  return DEFAULT
}
