/**
 * Checks the package as a user would get it: packed, unpacked elsewhere, linted by publint, every
 * door imported by plain node and by the compiler. Expects a build. Takes the package's folder as its
 * argument; without one, the library's.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'

/** Packages the library may depend on at run time. Adding one needs a decision page. */
const ALLOWED_DEPENDENCIES: readonly string[] = []
/** Optional peers, each reached from a door of its own. */
const ALLOWED_PEERS: readonly string[] = ['esbuild', 're2js']
const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall', 'prepare', 'prepublish']

interface Manifest {
  readonly name: string
  readonly exports: { readonly [path: string]: string | { readonly default: string } }
  readonly scripts?: object
  readonly dependencies?: object
  readonly peerDependencies?: object
  readonly peerDependenciesMeta?: { readonly [name: string]: { readonly optional?: boolean } }
  readonly optionalDependencies?: object
}

const root = fileURLToPath(new URL('..', import.meta.url))
const consumer = mkdtempSync(join(tmpdir(), 'check-exports-'))
const installed = join(consumer, 'node_modules/toolwright')
const problems: string[] = []

/** What `npm publish` would send, where `npm install` would put it. */
function installPacked(): Manifest {
  const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', consumer]
  const output = execFileSync('npm', pack, {
    cwd: process.argv[2] ?? join(root, 'packages/toolwright'),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [packed] = JSON.parse(output) as { filename: string; files: { path: string }[] }[]
  for (const { path } of packed!.files) {
    if (/\.test\.|\.map$|(^|\/)src\//.test(path))
      problems.push(`${path} does not belong in the package`)
  }
  mkdirSync(installed, { recursive: true })
  const tarball = join(consumer, packed!.filename)
  execFileSync('tar', ['-xzf', tarball, '-C', installed, '--strip-components', '1'])
  writeFileSync(join(consumer, 'package.json'), '{ "type": "module" }')
  return JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Manifest
}

async function checkWithPublint(): Promise<void> {
  const { messages, pkg } = await publint({ pkgDir: installed, pack: false, strict: true })
  for (const message of messages) problems.push(`publint: ${formatMessage(message, pkg!)}`)
}

function checkManifest(manifest: Manifest): void {
  for (const script of Object.keys(manifest.scripts ?? {})) {
    if (INSTALL_SCRIPTS.includes(script)) problems.push(`install script "${script}"`)
  }
  const { dependencies, peerDependencies, optionalDependencies } = manifest
  const needed = Object.keys({ ...dependencies, ...optionalDependencies })
  const peers = Object.keys(peerDependencies ?? {})
  const refused = [
    ...needed.filter((name) => !ALLOWED_DEPENDENCIES.includes(name)),
    ...peers.filter((name) => !ALLOWED_PEERS.includes(name)),
  ]
  for (const name of refused) problems.push(`dependency "${name}" is not allowed`)
  for (const name of peers) {
    if (!manifest.peerDependenciesMeta?.[name]?.optional)
      problems.push(`peer "${name}" is not optional`)
  }
}

/** Doors of code: `toolwright`, `toolwright/openai` … */
function doorsOf(manifest: Manifest): string[] {
  const paths = Object.keys(manifest.exports).filter((path) => !path.endsWith('.json'))
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
  const options = { cwd: consumer, encoding: 'utf8', timeout: 30_000 } as const
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, args, options)
  if (status === 0) problems.push(...(JSON.parse(stdout) as string[]))
  else
    problems.push(`importing the doors failed (${signal ?? status}): ${stderr || 'it did not end'}`)
}

/** Everything reachable from the root door, static or dynamic, must run where there is no Node. */
async function checkRuntimeNeutral(manifest: Manifest): Promise<void> {
  const { metafile } = await build({
    stdin: { contents: `export * from '${manifest.name}'`, resolveDir: consumer },
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
      if (external) problems.push(`the root door reaches "${path}" through ${file}`)
    }
  }
}

/** The declarations must compile with library checks on, for each way of resolving modules. */
function checkDeclarations(doors: readonly string[]): void {
  const imports = doors.map((door, index) => `import * as door${index} from '${door}'`)
  const uses = `console.log(${doors.map((_, index) => `door${index}`).join(', ')})`
  writeFileSync(join(consumer, 'all.ts'), [...imports, uses, ''].join('\n'))
  mkdirSync(join(consumer, 'node_modules/@types'), { recursive: true })
  for (const name of ['@types/node', 'undici-types']) {
    symlinkSync(join(root, 'node_modules', name), join(consumer, 'node_modules', name))
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
    .filter((line) => /^(all\.ts|node_modules\/toolwright\/)/.test(line))
  if (status !== 0 && ours.length > 0) {
    problems.push(`the declarations do not compile (${flags.join(' ')}):\n${ours.join('\n')}`)
  }
}

async function main(): Promise<void> {
  const manifest = installPacked()
  const doors = doorsOf(manifest)
  checkManifest(manifest)
  await checkWithPublint()
  checkImports(doors)
  await checkRuntimeNeutral(manifest)
  checkDeclarations(doors)
  for (const problem of problems) console.error(`- ${problem}`)
  console.log(`${doors.length} doors (${doors.join(', ')}), ${problems.length} problems`)
  process.exitCode = problems.length === 0 ? 0 : 1
}

try {
  await main()
} finally {
  rmSync(consumer, { recursive: true })
}
