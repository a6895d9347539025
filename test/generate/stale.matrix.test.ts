/** A class changes and its generated file does not: TypeScript itself complains, in the generated file. */
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { beforeAll, expect, it } from 'vitest'
import { createGenerator } from '../../packages/cli/src/generate/generator.ts'
import { root, temporaryFolder } from './source-folder.ts'

const folder = temporaryFolder()

const SOURCE = `
export enum Size { Small = 'small', Large = 'large' }
export enum Level { Low, High }
export interface Address { street: string; zip: string; hint?: string }
export class Money { amount = 0; currency = '' }
export type Payment = { kind: 'cash'; paid: Date } | { kind: 'card'; number: string }
export interface Order { at: Date; address: Address; sizes: Size[] }
export class Shop {
  /**
   * Order something.
   * @tool
   */
  order(order: Order, by: Payment, note?: string): void {}
  /**
   * Ship it.
   * @tool
   */
  ship(to: Address, how: 'air' | 'sea', level: Level, box: { width: number; height: number }): void {}
  /**
   * Pay.
   * @tool
   */
  pay(money: Money): void {}
}
/**
 * Count things.
 * @tool
 */
export function count(from: number, to: number): void {}
`

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  strict: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  noEmit: true,
  types: ['node'],
  paths: { toolwright: [join(root, 'packages/toolwright/src/index.ts')] },
}
const source = join(folder, 'shop.ts')
const output = join(folder, 'shop.tools.ts')
const known = new Map<string, ts.SourceFile>()
let program: ts.Program | undefined

/** What TypeScript says about the generated file beside this source. */
function complaints(changed: string): readonly string[] {
  const host = ts.createCompilerHost(OPTIONS)
  const read = host.getSourceFile.bind(host)
  host.getSourceFile = (path, version) => {
    if (path === source) return ts.createSourceFile(path, changed, version)
    const file = known.get(path) ?? read(path, version)
    if (file) known.set(path, file)
    return file
  }
  program = ts.createProgram([output], OPTIONS, host, program)
  return program
    .getSemanticDiagnostics(program.getSourceFile(output))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))
}

beforeAll(() => {
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(source, SOURCE)
  const [made] = createGenerator({ cwd: folder }).generate([source])
  expect(made!.problems).toEqual([])
  writeFileSync(output, made!.text!)
  expect(complaints(SOURCE)).toEqual([])
})

it.each([
  ['a method renamed', 'ship(to', 'send(to'],
  ['a parameter added', 'ship(to: Address', 'ship(to: Address, from: Address'],
  ['a parameter removed', ', by: Payment', ''],
  ['an optional parameter added', 'note?: string', 'note?: string, more?: string'],
  ['an optional parameter removed', ', note?: string', ''],
  ['a parameter that must be given now', 'note?: string', 'note: string'],
  ['a parameter of another type', 'from: number', 'from: string'],
  ['a property added', 'zip: string;', 'zip: string; city: string;'],
  ['a property removed', 'zip: string;', ''],
  ['an optional property added', 'hint?: string', 'hint?: string; more?: string'],
  ['an optional property removed', '; hint?: string', ''],
  ['a property of another type', 'zip: string', 'zip: number'],
  ['a revived property of another type', '{ at: Date', '{ at: number'],
  ['a property of a type without a name added', 'width: number', 'width: number; depth: number'],
  ['a property of a type without a name removed', 'width: number; ', ''],
  ['a field of a class added', 'amount = 0', 'amount = 0; cents = 0'],
  ['a field of a class removed', 'amount = 0;', ''],
  ['a member of a text enum removed', `, Large = 'large'`, ''],
  ['a member of a numeric enum removed', 'Low, High', 'Low'],
  ['a member of a union of literals removed', `'air' | 'sea'`, `'air'`],
  ['a member of a union of objects removed', ` | { kind: 'card'; number: string }`, ''],
  ['a property of a member of a union added', `{ kind: 'cash';`, `{ kind: 'cash'; by: string;`],
  ['a function renamed', 'function count', 'function counted'],
])('%s', (_name, before, after) => {
  expect(SOURCE).toContain(before)
  expect(complaints(SOURCE.replace(before, after))).not.toEqual([])
})
