/**
 * Stands between a program and PostgreSQL and cuts the connection at a commit: before the server hears of it, or after
 * it happened and before the program hears of that.
 */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface CuttingProxy {
  /** Of the server, by way of the proxy. */
  readonly url: string
  /** Cuts the connection that says `commit` next. No other is let through before `meanwhile` is done. */
  cutNext(when: 'before' | 'after', meanwhile?: () => Promise<void>): void
  /** Refuses every connection from now on. */
  shut(): void
  /** How often it cut. */
  readonly cuts: number
  [Symbol.asyncDispose](): Promise<void>
}

export async function cuttingProxy(url: string): Promise<CuttingProxy> {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  let next: { readonly when: 'before' | 'after'; meanwhile(): Promise<void> } | undefined
  let gate = Promise.resolve()
  let isShut = false
  let cuts = 0

  const server = createServer((client) => {
    if (isShut) client.destroy()
    else void gate.then(() => join(client))
  })
  const join = (client: Socket): void => {
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
    let answered = (): void => {}
    client.on('data', (data) => {
      if (next && data.includes('commit\0')) {
        const { when, meanwhile } = next
        next = undefined
        cuts++
        if (when === 'before') {
          gate = meanwhile()
          return void client.destroy()
        }
        isMute = true
        answered = (): void => void (gate = meanwhile())
      }
      upstream.write(data)
    })
    upstream.on('data', (data) => {
      if (!isMute) return void client.write(data)
      answered()
      client.destroy()
    })
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  return {
    url: url.replace(`:${target.port}/`, `:${port}/`),
    cutNext(when, meanwhile = async () => {}) {
      next = { when, meanwhile }
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
