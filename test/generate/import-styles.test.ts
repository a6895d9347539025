/** The generated file looks like the file it belongs to: its imports, quotes, semicolons, indentation, line ends. */
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { createGenerator } from '../../packages/cli/src/generate/generator.ts'
import { temporaryFolder, writeFiles } from './source-folder.ts'

const folder = temporaryFolder()
const generator = createGenerator({ cwd: folder })
let count = 0

const SOURCE = `export class Alarms {
  /**
   * Rings.
   * @tool
   */
  ring(at: Date): void {}
}
`

function generated(options: object, source = SOURCE, name = 'alarms.ts') {
  const home = join(folder, String(++count))
  writeFiles(home, {
    [name]: source,
    'other.ts': 'export interface Other { at: Date }\n',
    'package.json': '{ "type": "module" }',
    'tsconfig.json': JSON.stringify({
      compilerOptions: { target: 'ES2022', types: [], ...options },
    }),
  })
  const [made] = generator.generate([join(home, name)])
  expect(made!.problems).toEqual([])
  return made!
}

const NEXT = { module: 'NodeNext' }
const BUNDLER = { module: 'ESNext', moduleResolution: 'bundler' }

it.each([
  [NEXT, 'alarms.ts', './alarms.js'],
  [{ ...NEXT, allowImportingTsExtensions: true, noEmit: true }, 'alarms.ts', './alarms.ts'],
  [{ ...NEXT, rewriteRelativeImportExtensions: true }, 'alarms.ts', './alarms.ts'],
  [BUNDLER, 'alarms.ts', './alarms'],
  [BUNDLER, 'alarms.tsx', './alarms'],
  [NEXT, 'alarms.mts', './alarms.mjs'],
  [NEXT, 'alarms.cts', './alarms.cjs'],
  [NEXT, 'alarms.tsx', './alarms.js'],
])('%j: %s is imported as %s', (options, name, specifier) => {
  const { text, output } = generated({ ...options, jsx: 'preserve' }, SOURCE, name)
  expect(text).toContain(`import type { Alarms } from '${specifier}'`)
  expect(basename(output)).toBe(`alarms.tools${name.slice(6).replace('x', '')}`)
})

it.each([
  [`import './other.ts'`, NEXT, './alarms.ts'],
  [`import './other.js'`, BUNDLER, './alarms.js'],
  [`import './other'`, NEXT, './alarms'],
])('the source’s own habit wins: %s', (line, options, specifier) => {
  expect(generated(options, `${line}\n${SOURCE}`).text).toContain(`from '${specifier}'`)
})

it('types are imported as the source imports them, or from the file that exports them', () => {
  const named = SOURCE.replace('at: Date', 'other: Other')
  const text = generated(NEXT, `import type { Other } from './other.js'\n${named}`).text
  expect(text).toContain(`import type { Other } from './other.js'`)
  const inner = SOURCE.replace('at: Date', `other: import('./other.js').Other`)
  expect(generated(NEXT, inner).text).toContain(`import type { Other } from './other.js'`)
})

it('quotes, semicolons, indentation and line ends are those of the source', () => {
  const source = `const a = "x";\nconst b = "y";\n${SOURCE}`
    .replaceAll('  ', '\t')
    .replaceAll('\n', '\r\n')
  const { text } = generated(NEXT, source)
  expect(text).toContain('import type { Alarms } from "./alarms.js";\r\n')
  expect(text).toContain('\r\n\ttool({\r\n\t\tname: "ring",\r\n')
  expect(text!.replaceAll('\r\n', '')).not.toContain('\n')
  expect(text!.trimEnd().endsWith(';')).toBe(true)
})

it('no line is longer than a hundred columns where it can be helped', () => {
  const many = Array.from({ length: 12 }, (_none, index) => `argument${index}: Date | null`).join(
    ', ',
  )
  const { text } = generated(NEXT, SOURCE.replace('at: Date', many))
  for (const line of text!.split('\n')) expect(line.length).toBeLessThanOrEqual(100)
})

it('what the text depends on is listed: sources, their imports, tsconfig files', () => {
  const source = `import type { Other } from './other.js'\n${SOURCE.replace('at: Date', 'at: Other')}`
  const { dependencies } = generated(NEXT, source)
  expect(dependencies.map((path) => basename(path)).sort()).toEqual([
    'alarms.ts', 'other.ts', 'package.json', 'tsconfig.json',
  ]) // prettier-ignore
})

it('a change on disk is seen by the same generator: source, import and tsconfig', () => {
  const home = join(folder, 'watched')
  const file = join(home, 'alarms.ts')
  const text = () => generator.generate([file])[0]!.text
  writeFiles(home, {
    'package.json': '{ "type": "module" }',
    'tsconfig.json': JSON.stringify({ compilerOptions: NEXT }),
    'other.ts': 'export interface Other { first: string }\n',
    'alarms.ts': `import type { Other } from './other.js'\n${SOURCE.replace('at: Date', 'at: Other')}`,
  })
  expect(text()).toContain('first: {')
  writeFiles(home, { 'other.ts': 'export interface Other { second: string }\n' })
  expect(text()).toContain('second: {')
  writeFiles(home, { 'alarms.ts': SOURCE })
  expect(text()).toContain('new Date(at)')
  writeFiles(home, { 'tsconfig.json': JSON.stringify({ compilerOptions: BUNDLER }) })
  expect(text()).toContain(`from './alarms'`)
})
