/**
 * Checks the packages as a user would get them: packed, unpacked elsewhere, linted by publint, every
 * door imported by plain node and by the compiler, the command started. Expects a build. Takes folders of
 * packages as its arguments; without any, those of the table of doors.
 */
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { builtinModules } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { PACKAGES } from './doors/table.js'
import { checkCommand } from './exports/check-command.ts'
import { installPacked, type InstalledPackage, type Manifest } from './exports/install-packed.ts'
import { HANG_GUARD_MS } from './hang-guard.ts'

/** What a reader of the package expects beside its code. */
const PAPERS = ['README.md', 'LICENSE']
const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall', 'prepare', 'prepublish']

const root = fileURLToPath(new URL('..', import.meta.url))
const consumer = mkdtempSync(join(tmpdir(), 'check-exports-'))
const problems: string[] = []

function checkFiles({ folder, files }: InstalledPackage): void {
  for (const path of files) {
    if (/\.test\.|(^|\/)src\//.test(path)) problems.push(`${path} does not belong in the package`)
    if (path.endsWith('.map') && !hasItsSources(join(folder, path)))
      problems.push(`${path} points to sources that are not in the package`)
  }
  for (const name of PAPERS) {
    if (!files.includes(name)) problems.push(`${name} is missing`)
  }
}

/** Sources are not shipped, so a map must hold their text. */
function hasItsSources(map: string): boolean {
  const { sources, sourcesContent = [] } = JSON.parse(readFileSync(map, 'utf8')) as {
    sources: string[]
    sourcesContent?: (string | null)[]
  }
  return sources.every((_, index) => typeof sourcesContent[index] === 'string')
}

async function checkWithPublint({ folder }: InstalledPackage): Promise<void> {
  const { messages, pkg } = await publint({ pkgDir: folder, pack: false, strict: true })
  for (const message of messages) problems.push(`publint: ${formatMessage(message, pkg!)}`)
}

function checkManifest({ manifest }: InstalledPackage): void {
  for (const script of Object.keys(manifest.scripts ?? {})) {
    if (INSTALL_SCRIPTS.includes(script)) problems.push(`install script "${script}"`)
  }
  const { dependencies, peerDependencies, optionalDependencies } = manifest
  const row = PACKAGES.find(({ name }) => name === manifest.name)
  const needed = Object.keys({ ...dependencies, ...optionalDependencies })
  const peers = Object.keys(peerDependencies ?? {})
  const refused = [
    ...needed.filter((name) => !row?.dependencies.includes(name)),
    ...peers.filter((name) => !row?.peers.includes(name)),
  ]
  for (const name of refused) problems.push(`dependency "${name}" is not allowed`)
  for (const name of peers) {
    if (!manifest.peerDependenciesMeta?.[name]?.optional)
      problems.push(`peer "${name}" is not optional`)
  }
}

/** Doors of code: `toolwright`, `toolwright/openai` … */
function doorsOf(manifest: Manifest): string[] {
  const paths = Object.keys(manifest.exports ?? {}).filter((path) => !path.endsWith('.json'))
  return paths.map((path) => manifest.name + path.slice(1))
}

/** Runs in a plain node process of its own, so that nothing of tsx is measured. */
const importEveryDoor = `
const before = new Set(Object.getOwnPropertyNames(globalThis))
const report = []
for (const door of process.argv.slice(1)) {
  try {
    const names = Object.keys(await import(door))
    if (names.length === 0) report.push(door + ' exports nothing')
    if (names.includes('default')) report.push(door + ' has a default export')
  } catch (error) {
    report.push(door + ' does not import: ' + error.message)
  }
}
const handles = process.getActiveResourcesInfo().filter((kind) => !/^(TTY|Pipe|FSReqPromise|CloseReq)/.test(kind))
if (handles.length > 0) report.push('importing opened ' + handles.join(', '))
const globals = Object.getOwnPropertyNames(globalThis).filter((name) => !before.has(name))
if (globals.length > 0) report.push('importing made globals: ' + globals.join(', '))
console.log(JSON.stringify(report))
process.exit()
`

function checkImports(doors: readonly string[]): void {
  const args = ['--input-type=module', '--eval', importEveryDoor, ...doors]
  const options = { cwd: consumer, encoding: 'utf8', timeout: HANG_GUARD_MS } as const
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, args, options)
  if (status === 0) problems.push(...(JSON.parse(stdout) as string[]))
  else
    problems.push(`importing the doors failed (${signal ?? status}): ${stderr || 'it did not end'}`)
}

/** The doors of which the table says that nothing behind them needs Node. */
function neutralDoorsOf(manifest: Manifest): string[] {
  const row = PACKAGES.find(({ name }) => name === manifest.name)
  const neutral = row?.doors.filter((door) => door.neutral && manifest.exports?.[door.path]) ?? []
  return neutral.map(({ path }) => manifest.name + path.slice(1))
}

/** Everything reachable from such a door, static or dynamic, must run where there is no Node. */
async function checkRuntimeNeutral(door: string): Promise<void> {
  const { metafile } = await build({
    stdin: { contents: `export * from '${door}'`, resolveDir: consumer },
    absWorkingDir: consumer,
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'neutral',
    external: ['node:*', ...builtinModules],
    logLevel: 'silent',
  })
  for (const [file, { imports }] of Object.entries(metafile.inputs)) {
    for (const { path, external } of imports) {
      if (external) problems.push(`${door} reaches "${path}" through ${file}`)
    }
  }
}

/**
 * What `npm install` would put beside a package, for as long as something is done with it. Declarations are compiled with all of
 * it; code is imported without, but for what the table names: a door loads what it needs of others when that is first used.
 */
function withDependencies(names: readonly string[], work: () => void): void {
  const missing = names
    .map(
      (name) => [join(root, 'node_modules', name), join(consumer, 'node_modules', name)] as const,
    )
    .filter(([, place]) => !existsSync(place))
  for (const [source, place] of missing) {
    mkdirSync(dirname(place), { recursive: true })
    symlinkSync(source, place)
  }
  try {
    work()
  } finally {
    for (const [, place] of missing) rmSync(place)
  }
}

/** The declarations must compile with library checks on, for each way of resolving modules. */
function checkDeclarations(doors: readonly string[]): void {
  const imports = doors.map((door, index) => `import * as door${index} from '${door}'`)
  const uses = `console.log(${doors.map((_, index) => `door${index}`).join(', ')})`
  writeFileSync(join(consumer, 'all.ts'), [...imports, uses, ''].join('\n'))
  mkdirSync(join(consumer, 'node_modules/@types'), { recursive: true })
  for (const name of ['@types/node', 'undici-types']) {
    const place = join(consumer, 'node_modules', name)
    if (!existsSync(place)) symlinkSync(join(root, 'node_modules', name), place)
  }
  for (const [module, resolution] of [
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ] as const) {
    compile(['--module', module, '--moduleResolution', resolution, '--types', 'node'])
  }
}

function compile(flags: readonly string[]): void {
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const strict = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--target', 'es2022']
  const args = [tsc, ...strict, '--lib', 'es2023', ...flags, 'all.ts']
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: consumer, encoding: 'utf8' })
  // Others' declarations are theirs to mend.
  const ours = stdout
    .split('\n')
    .filter((line) => /^(all\.ts|node_modules\/(@toolwright|toolwright)\/)/.test(line))
  if (status !== 0 && ours.length > 0) {
    problems.push(`the declarations do not compile (${flags.join(' ')}):\n${ours.join('\n')}`)
  }
}

/** What it offers, in a few words. */
async function checkPackage(installed: InstalledPackage): Promise<string> {
  const { manifest } = installed
  checkFiles(installed)
  checkManifest(installed)
  await checkWithPublint(installed)
  if (manifest.bin) {
    problems.push(...checkCommand(installed, { consumer, root }))
    return `the command ${Object.keys(manifest.bin).join(', ')}`
  }
  const doors = doorsOf(manifest)
  const { importsAtOnce = [] } = PACKAGES.find(({ name }) => name === manifest.name) ?? {}
  withDependencies(importsAtOnce, () => checkImports(doors))
  for (const door of neutralDoorsOf(manifest)) await checkRuntimeNeutral(door)
  withDependencies(Object.keys(manifest.dependencies ?? {}), () => checkDeclarations(doors))
  return `${doors.length} doors (${doors.join(', ')})`
}

async function main(): Promise<void> {
  writeFileSync(join(consumer, 'package.json'), '{ "type": "module" }')
  const given = process.argv.slice(2)
  const folders =
    given.length > 0 ? given : PACKAGES.map(({ folder }) => join(root, 'packages', folder))
  const checked: string[] = []
  for (const folder of folders) checked.push(await checkPackage(installPacked(folder, consumer)))
  for (const problem of problems) console.error(`- ${problem}`)
  console.log(`${checked.join(', ')}, ${problems.length} problems`)
  process.exitCode = problems.length === 0 ? 0 : 1
}

try {
  await main()
} finally {
  for (const folder of [consumer, `${consumer}-bare`])
    rmSync(folder, { recursive: true, force: true })
}
