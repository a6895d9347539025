/**
 * Everything that is loaded when it is first needed. The SDK's client costs a third of a second and 26 MB, so it comes
 * with the first connection, not with the import of this package; so does what starts programs.
 */
export const loadSdk = (): Promise<typeof import('@modelcontextprotocol/client')> =>
  import('@modelcontextprotocol/client')

export const loadStdioTransport = (): Promise<typeof import('./stdio-transport.ts')> =>
  import('./stdio-transport.ts')
