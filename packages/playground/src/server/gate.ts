/**
 * Who may ask: pages that this server gave out, and nobody else. A web page of somebody else reaches a server on loopback
 * as easily as its own; what it cannot do is send our host name, no foreign origin, and the token.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Refusal } from './refusal.ts'

/** By `Host` a name that somebody else lets point to 127.0.0.1 is told, by `Origin` a page of somebody else. */
export function checkAddress({ headers, rawHeaders }: IncomingMessage, port: number): void {
  const hosts = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${port}`)
  const isOneHost = rawHeaders.filter((name, at) => at % 2 === 0 && isHost(name)).length === 1
  if (!isOneHost || !hosts.includes(headers.host?.toLowerCase() ?? ''))
    throw foreign('The request names another host')
  const { origin } = headers
  if (origin !== undefined && !hosts.some((host) => origin === `http://${host}`))
    throw foreign('The request comes from another page')
}

const isHost = (name: string): boolean => name.toLowerCase() === 'host'

/** Browsers say who asks; programs do not, and need the token anyway. */
export function checkSite({ headers }: IncomingMessage): void {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    throw foreign('The request comes from another page')
}

const foreign = (what: string): Refusal =>
  new Refusal(403, 'foreign', {
    message: `${what}. Open the address that the playground printed when it started.`,
  })

export function checkToken({ headers }: IncomingMessage, token: string): void {
  if (isToken(headers['x-toolwright-token'], token)) return
  throw new Refusal(401, 'no-token', {
    message:
      'The request has no token, or that of an earlier start. Open the address that the playground printed when it started.',
  })
}

/** Takes the same time however much of it is right. */
export const isToken = (given: unknown, token: string): boolean =>
  typeof given === 'string' && timingSafeEqual(digest(given), digest(token))

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
