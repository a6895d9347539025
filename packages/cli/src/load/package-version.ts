/** The version of the package that a file belongs to. */
import { readFileSync } from 'node:fs'
import { nearest } from './module-loader.ts'

const NONE = '0.0.0'

export function packageVersionFor(file: string): string {
  const manifest = nearest('package.json', file)
  if (manifest === undefined) return NONE
  try {
    const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version?: unknown }
    return typeof version === 'string' && version !== '' ? version : NONE
  } catch {
    return NONE
  }
}
