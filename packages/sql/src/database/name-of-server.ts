/** How messages call a server: its database and its host, without user and password. */
import { ConfigurationError } from 'toolwright'

/** Refuses what URLs would cut elsewhere than people think: a part of the password would be taken for the host. */
export function nameOfServer(address: string): string {
  const [, authority = '', rest = ''] = /^[a-z]+:\/\/([^/?#]*)(.*)$/s.exec(address) ?? []
  if (rest.includes('@') || authority.split('@').length > 2)
    refuse(
      'with an @ too many; signs such as @ : / ? # % in a user or a password are written as %40 %3A %2F %3F %23 %25 (encodeURIComponent() does it).',
    )
  const port = /:([^:\]]*)$/.exec(authority.slice(authority.indexOf('@') + 1))?.[1]
  if (port && !(/^\d+$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535))
    refuse('whose port is no number from 1 to 65535.')
  const { host, pathname, searchParams } = urlOf(address)
  const name = pathname.slice(1)
  const where = `at ${host || searchParams.get('host') || 'the usual host'}`
  return name ? `${name} ${where}` : where
}

function urlOf(address: string): URL {
  try {
    // pg decodes these parts, and throws something else than an error of the catalogue where it cannot.
    const url = new URL(address)
    for (const part of [url.username, url.password, url.pathname, url.host])
      decodeURIComponent(part)
    return url
  } catch {
    return refuse(
      'that is no URL; signs such as @ / # % in a password are written as %40 %2F %23 %25.',
    )
  }
}

function refuse(what: string): never {
  throw new ConfigurationError(
    'invalid-option',
    `openDatabase() got an address of PostgreSQL ${what}`,
  )
}
