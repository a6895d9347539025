/** `@Tool()` compiled only with standard decorators: with `experimentalDecorators` every use was TS1241. More options: the slow suites. */
import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { diagnosticsOf, programFolder } from '../types/diagnostics-of.ts'
import { HIDDEN, MEMBERS, source, toolCompiles } from './decorator-modes.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const typescript7 = join(root, 'node_modules/.cache/toolchains/node_modules/typescript/bin/tsc')
const { folder, remove } = programFolder('decorator-modes')
afterAll(remove)

toolCompiles('standard decorators', { ...MEMBERS, ...HIDDEN }, {})
toolCompiles('experimentalDecorators', MEMBERS, { experimentalDecorators: true })

describe('without parentheses', () => {
  it.each([
    ['standard decorators', {}],
    ['experimentalDecorators', { experimentalDecorators: true }],
  ])('@Tool does not compile with %s', (_name, options) => {
    const [diagnostics] = diagnosticsOf(folder, [source('@Tool bare(): void {}')], options)
    expect(diagnostics).not.toEqual([])
  })
})

describe('TypeScript 7', () => {
  it('compiles the same in both modes', ({ skip }) => {
    skip(!existsSync(typescript7), 'bash .ci/toolchains fetches what it needs')
    const compile = (members: object, experimentalDecorators: boolean): string => {
      writeFileSync(join(folder, 'all.ts'), source(Object.values(members).join('\n  ')))
      const compilerOptions = { experimentalDecorators, noUnusedLocals: false }
      const config = { extends: join(root, 'tsconfig.json'), compilerOptions, files: ['all.ts'] }
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ ...config, include: [] }))
      const run = spawnSync(process.execPath, [typescript7, '-p', folder], { encoding: 'utf8' })
      return run.stdout + run.stderr
    }
    expect(compile({ ...MEMBERS, ...HIDDEN }, false)).toBe('')
    expect(compile(MEMBERS, true)).toBe('')
  })
})
