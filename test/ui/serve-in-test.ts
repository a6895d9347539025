/** Servers of the tests of a file, each closed when its test has ended. */
import { afterEach } from 'vitest'
import { serveHttp, type HttpServer, type WebHandler } from './http-server.ts'

export function serveInTest(): (handler: WebHandler) => Promise<HttpServer> {
  const servers: HttpServer[] = []
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close()
  })
  return async (handler) => {
    const server = await serveHttp(handler)
    servers.push(server)
    return server
  }
}
