/** The address of an Ollama server, from OLLAMA_HOST. */

const PORT = '11434'

/**
 * Accepts `host`, `host:port`, `:port` or a whole address, also with the path of one of its APIs. A server that
 * listens on all interfaces is reached on this machine.
 */
export function ollamaAddress(host = ''): string {
  const trimmed = host.trim().replace(/\/+$/, '')
  const address = /^https?:\/\//i.test(trimmed) ? trimmed : `http://${withHost(trimmed)}`
  if (!URL.canParse(address)) return `http://127.0.0.1:${PORT}`
  const url = new URL(address)
  if (url.hostname === '0.0.0.0' || url.hostname === '[::]') url.hostname = '127.0.0.1'
  // Without a port, the web's default port applies only if a scheme was written.
  if (url.port === '' && address !== trimmed) url.port = PORT
  const path = url.pathname.replace(/\/+$/, '').replace(/\/(?:v1|api)$/, '')
  return `${url.origin}${path}`
}

const withHost = (host: string): string =>
  host === '' || host.startsWith(':') ? `127.0.0.1${host}` : host
