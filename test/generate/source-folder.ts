/** Sources in a folder of their own, and what the generator makes of them. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll } from 'vitest'
import type { Generation } from '../../packages/cli/src/generate/generation.ts'
import { createGenerator } from '../../packages/cli/src/generate/generator.ts'

export const root: string = resolve(import.meta.dirname, '../..')

/** A folder that is removed after the tests of the file. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-generate-')))
  afterAll(() => rmSync(folder, { recursive: true }))
  return folder
}

export type Files = { readonly [name: string]: string }

export function writeFiles(home: string, files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true })
    writeFileSync(join(home, name), text)
  }
}

/** Generates for `alarm-tools.ts`, each time in a fresh folder that knows the library. */
export function sourceFolder(): (source: string, others?: Files) => Generation {
  const folder = temporaryFolder()
  const generator = createGenerator({ cwd: folder })
  writeFiles(folder, {
    'package.json': '{ "type": "module" }',
    'tsconfig.json': JSON.stringify({ compilerOptions: OPTIONS }),
  })
  let count = 0
  return (source, others = {}) => {
    const home = join(folder, String(++count))
    writeFiles(home, { 'alarm-tools.ts': source, ...others })
    return generator.generate([join(home, 'alarm-tools.ts')])[0]!
  }
}

const OPTIONS = {
  strict: true,
  target: 'ES2022',
  lib: ['ES2023'],
  module: 'NodeNext',
  types: [],
  paths: { toolwright: [join(root, 'packages/toolwright/src/index.ts')] },
}
