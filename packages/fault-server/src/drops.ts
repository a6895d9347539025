/** What a server does that gives no answer at all. */
import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { FaultDrop } from './scenario.ts'

type Drop = (response: ServerResponse) => Promise<void> | void

export const DROPS: { readonly [kind in FaultDrop['drop']]: Drop } = {
  'before-headers': (response) => void response.socket?.resetAndDestroy(),
  'after-headers': async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    // A reset may overtake the headers otherwise.
    await pause(20)
    response.socket?.resetAndDestroy()
  },
  'endless-headers': (response) => {
    const { socket } = response
    socket?.write('HTTP/1.1 200 OK\r\n')
    const more = (): void => {
      while (socket && !socket.destroyed && socket.write(`x-more: ${'x'.repeat(8000)}\r\n`));
      socket?.once('drain', more)
    }
    more()
    return new Promise((resolve) => socket?.once('close', () => resolve()))
  },
  'packed-bomb': (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
    response.end(bomb())
  },
}

let packed: Uint8Array | undefined
/** A megabyte that unpacks to one gigabyte: a text that does not end. Packed once, in parts. */
function bomb(): Uint8Array {
  if (packed !== undefined) return packed
  const start = gzipSync('{"text":"')
  const part = gzipSync(Buffer.alloc(64 * 1024 * 1024, 0x78))
  packed = Buffer.concat([start, ...Array.from({ length: 16 }, () => part)])
  return packed
}
