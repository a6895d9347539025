/**
 * The exports check sees what it claims to see: a made-up package with every fault. That it lets a good
 * one pass is shown by `npm run exports` on the library itself.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'check-exports-test-'))
afterAll(() => rmSync(folder, { recursive: true }))

const MANIFEST = {
  name: 'toolwright',
  version: '1.0.0',
  license: 'MIT',
  type: 'module',
  sideEffects: false,
  files: ['dist'],
  engines: { node: '>=20' },
  exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
}
const CODE = {
  'dist/index.js': "export { one } from './one.js'\n",
  'dist/index.d.ts': "export { one } from './one.js'\n",
  'dist/one.js': 'export const one = 1\n',
  'dist/one.d.ts': 'export declare const one: number\n',
}

function check(name: string, manifest: object, files: { readonly [path: string]: string }) {
  const packageFolder = join(folder, name)
  const all = { ...CODE, ...files, 'package.json': JSON.stringify({ ...MANIFEST, ...manifest }) }
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(packageFolder, path)), { recursive: true })
    writeFileSync(join(packageFolder, path), text)
  }
  const tsx = join(root, 'node_modules/tsx/dist/cli.mjs')
  const script = join(root, 'scripts/check-exports.ts')
  const args = [tsx, script, packageFolder]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
  })
  return { status, output: stdout + stderr }
}

describe('the exports check', () => {
  it('names every fault of a bad one', () => {
    const { status, output } = check(
      'bad',
      {
        scripts: { postinstall: 'node nothing.js' },
        dependencies: { zod: '4.0.0' },
        exports: {
          '.': { types: './dist/index.d.ts', default: './dist/index.js' },
          './broken': { types: './dist/one.d.ts', default: './dist/broken.js' },
          './missing': { types: './dist/one.d.ts', default: './dist/missing.js' },
        },
      },
      {
        'dist/one.js':
          "import 'node:fs'\nsetInterval(() => {}, 1000).ref()\nglobalThis.leaked = 1\nexport const one = 1\nexport default 1\n",
        'dist/index.js': "export { one, default } from './one.js'\n",
        'dist/index.d.ts': 'export declare const one: Nowhere\n',
        'dist/broken.js': "throw new Error('at import')\n",
        'dist/one.test.js': '',
        'dist/one.js.map': '{ "version": 3, "sources": ["../src/one.ts"], "mappings": "" }',
      },
    )
    expect(output).toContain('dist/one.test.js does not belong in the package')
    expect(output).toContain('dist/one.js.map points to sources that are not in the package')
    expect(output).toContain('README.md is missing')
    expect(output).toContain('LICENSE is missing')
    expect(output).toContain('install script "postinstall"')
    expect(output).toContain('dependency "zod" is not allowed')
    expect(output).toMatch(/publint: .*missing\.js/)
    expect(output).toContain('toolwright has a default export')
    expect(output).toContain('toolwright/broken does not import: at import')
    expect(output).toContain('importing opened Timeout')
    expect(output).toContain('importing made globals: leaked')
    expect(output).toMatch(/toolwright reaches "node:fs" through .*one\.js/)
    expect(output).toMatch(/the declarations do not compile[\s\S]*Nowhere/)
    expect(status).toBe(1)
  })

  it('names what is wrong with a command', () => {
    const { status, output } = check(
      'bad-command',
      {
        name: '@toolwright/cli',
        version: '1.2.3',
        exports: undefined,
        bin: { toolwright: './bin/toolwright.js' },
        files: ['bin'],
        dependencies: { 'left-pad': '1.0.0' },
      },
      { 'bin/toolwright.js': "#!/usr/bin/env node\nconsole.log('1.0.0')\n" },
    )
    expect(output).toContain('dependency "left-pad" is not allowed')
    expect(output).toContain('toolwright --version printed "1.0.0\\n" instead of "1.2.3\\n"')
    expect(output).toContain('instead of "add\\n  Of the library installed here\\n"')
    expect(status).toBe(1)
  })
})
