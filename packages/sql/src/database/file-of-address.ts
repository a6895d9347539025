/**
 * Which file an address means. SQLite itself reads `?`, `#` and `%` of an address as parts of a URI, so that `c#1.db`
 * and `c#2.db` would both be the file `c`. Here a path is what is written.
 */
import { isAbsolute, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ConfigurationError } from 'toolwright'

/** What may stand behind the `?` of an address, and what SQLite makes of it. */
const KNOWN_PARAMETERS: readonly string[] = ['mode=ro', 'immutable=1']

/** What libsql is given: the path, or a URI where there are parameters. Nothing if this is no address of a file. */
export function fileOfAddress(address: string): string | undefined {
  if (!address.startsWith('file:')) return undefined
  const [, written = '', parameters] = /^file:([^?]*)(?:\?(.*))?$/s.exec(address)!
  const path = written.startsWith('//') ? pathOfUrl(written) : written
  if (path.includes('\0')) refuse('a name with a NUL sign in it, which no file has.')
  if (path === ':memory:') refuse('file::memory:; a database in memory is written as :memory:.')
  if (path === '' || /[/\\]$/.test(path)) refuse('file: without the name of a file behind it.')
  // An absolute path is never a URI or a special name to SQLite. Its `..` is left to the system, which follows links.
  const absolute = isAbsolute(path) ? path : process.cwd() + sep + path
  if (parameters === undefined) return absolute
  if (!parameters.split('&').every((each) => KNOWN_PARAMETERS.includes(each)))
    refuse(
      `a file: address with something else than ${KNOWN_PARAMETERS.join(' or ')} behind the "?"; a file whose name has a "?" is written as pathToFileURL(name).href.`,
    )
  const encoded = absolute.replace(/[%?#]/g, encodeURIComponent)
  return `file://${encoded.startsWith('/') ? '' : '/'}${encoded}?${parameters}`
}

function pathOfUrl(written: string): string {
  if (!written.startsWith('///'))
    refuse(
      'file:// and a name; a path is written behind file: alone (file:chat.db, file:/var/chat.db), a URL has three slashes.',
    )
  try {
    // A URL would silently leave these out, or change them.
    if (!/[#\\\t\n\r]/.test(written)) return fileURLToPath(`file:${written}`)
  } catch {
    // Such as a % that is not followed by two digits.
  }
  return refuse(
    'file:/// with signs that no URL has; write pathToFileURL(name).href, or the path behind file: alone.',
  )
}

function refuse(what: string): never {
  throw new ConfigurationError('invalid-option', `openDatabase() got ${what}`)
}
