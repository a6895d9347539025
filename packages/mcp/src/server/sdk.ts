/** The SDK takes a third of a second to load, so that it is loaded when something is served, not when it is imported. */
export type Sdk = typeof import('@modelcontextprotocol/server')

export const loadSdk = (): Promise<Sdk> => import('@modelcontextprotocol/server')
export const loadStdio = () => import('@modelcontextprotocol/server/stdio')
