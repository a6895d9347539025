/** What `npm publish` would send of a package, put where `npm install` would put it. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Manifest {
  readonly name: string
  readonly version: string
  readonly exports?: { readonly [path: string]: string | { readonly default: string } }
  readonly bin?: { readonly [name: string]: string }
  readonly scripts?: object
  readonly dependencies?: object
  readonly peerDependencies?: object
  readonly peerDependenciesMeta?: { readonly [name: string]: { readonly optional?: boolean } }
  readonly optionalDependencies?: object
}

export interface InstalledPackage {
  readonly folder: string
  readonly manifest: Manifest
  /** Paths inside the package. */
  readonly files: readonly string[]
}

export function installPacked(packageFolder: string, consumer: string): InstalledPackage {
  const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', consumer]
  const output = execFileSync('npm', pack, {
    cwd: packageFolder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [packed] = JSON.parse(output) as {
    name: string
    filename: string
    files: { path: string }[]
  }[]
  const folder = join(consumer, 'node_modules', packed!.name)
  mkdirSync(folder, { recursive: true })
  const tarball = join(consumer, packed!.filename)
  execFileSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components', '1'])
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
  return { folder, manifest, files: packed!.files.map(({ path }) => path) }
}
