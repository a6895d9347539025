import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { locateTools } from './locate-tools.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolwright-locate-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Where the tool `wanted` is found, as `file:line`; a line with `HERE` is where it should be. */
function located(files: { readonly [name: string]: string }): string | undefined {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const paths = Object.keys(files).map((name) => join(folder, name))
  const place = locateTools(paths, ['wanted']).get('wanted')
  return place && `${place.file.slice(folder.length + 1)}:${place.line}`
}

const lineOf = (name: string, text: string): string =>
  `${name}:${text.split('\n').findIndex((line) => line.includes('HERE')) + 1}`

it.each([
  [
    'a name among the options of tool()',
    `const wanted = 1
     export const other = tool({
       name: 'wanted', // HERE
       description: 'x' })`,
  ],
  [
    'a name before data that only looks like one',
    `const rows = [{ name: 'wanted' }]
     tool({ description: 'x', name: 'wanted' }) // HERE`,
  ],
  [
    'the key of a record',
    `export const tools = {
       wanted: tool({ execute() {} }), // HERE
     }`,
  ],
  [
    'the variable of a tool without a name',
    `export const
       wanted = tool({ execute() {} }) // HERE`,
  ],
  [
    'a tagged method before one of the same name',
    `class Other { wanted() {} }
     export class Tools {
       /**
        * What it does
        * @tool
        */
       wanted() {} // HERE
     }`,
  ],
  [
    'a tag that names it',
    `export class Tools {
       wanted() {}
       /**
        * @tool
        * @name wanted
        */
       another() {} // HERE
     }`,
  ],
  [
    'a decorated private method',
    `class Tools {
       other() { return this.wanted() }
       @Tool() #wanted() {} // HERE
     }`,
  ],
  [
    'the name in a decorator',
    `class Tools {
       wanted() {}
       @Tool({ name: 'wanted' }) // HERE
       other() {}
     }`,
  ],
  [
    'a key of defineTools',
    `class Tools {
       static tools = defineTools<Tools>({
         wanted: { description: 'x' }, // HERE
       })
     }`,
  ],
])('finds %s', (_what, text) => {
  expect(located({ 'a.ts': text })).toBe(lineOf('a.ts', text))
})

it('points behind a generated file to its source', () => {
  const generated =
    "// Written by `toolwright generate` from a.ts. Change that file and run it again.\ntool({ name: 'wanted', description: '' })"
  writeFileSync(join(folder, 'a.ts'), '\n\n/** @tool */\nexport function wanted() {}')
  expect(located({ 'a.tools.ts': generated })).toBe('a.ts:4')
})

it('gives nothing for what is not there, and lives with files that are gone or broken', () => {
  expect(located({ 'a.ts': 'export function ( {{{' })).toBeUndefined()
  expect(locateTools([join(folder, 'gone.ts')], ['wanted']).size).toBe(0)
})
