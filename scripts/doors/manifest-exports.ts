/** The `exports` of a package's manifest, as its doors have it. */
import type { Package } from './table.js'

export type ManifestExports = { readonly [path: string]: string | { readonly default: string } }

export function manifestExports({ doors }: Package): ManifestExports {
  const entries = doors.map(({ path, entry }) => {
    const built = `./dist/${entry.replace(/\.ts$/, '')}`
    return [path, { types: `${built}.d.ts`, default: `${built}.js` }] as const
  })
  return { ...Object.fromEntries(entries), './package.json': './package.json' }
}
