/**
 * Stands between a program and PostgreSQL and cuts the connection at a commit: before the server hears of it, or after
 * it happened and before the program hears of that.
 */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface CuttingProxy {
  /** Of the server, by way of the proxy. */
  readonly url: string
  /** Cuts the connection that says `commit` next. */
  cutNext(when: 'before' | 'after'): void
  /** Refuses every connection from now on. */
  shut(): void
  /** How often it cut. */
  readonly cuts: number
  [Symbol.asyncDispose](): Promise<void>
}

export async function cuttingProxy(url: string): Promise<CuttingProxy> {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  let next: 'before' | 'after' | undefined
  let isShut = false
  let cuts = 0

  const server = createServer((client) => {
    if (isShut) return void client.destroy()
    const upstream = connect(Number(target.port), target.hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        client.destroy()
        upstream.destroy()
      })
    }
    let isMute = false
    client.on('data', (data) => {
      if (next && data.includes('commit')) {
        const when = next
        next = undefined
        cuts++
        if (when === 'before') return void client.destroy()
        isMute = true
      }
      upstream.write(data)
    })
    upstream.on('data', (data) => {
      if (isMute) client.destroy()
      else client.write(data)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  return {
    url: url.replace(`:${target.port}/`, `:${port}/`),
    cutNext(when) {
      next = when
    },
    shut() {
      isShut = true
    },
    get cuts() {
      return cuts
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
