/**
 * THE MATRIX: every construct × parameter, nested property, array element and result. The sources are
 * written to a folder, really generated, really compiled with every strict flag, and really imported.
 */
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ChatClient, type ToolCallback } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import ts from 'typescript'
import { beforeAll, describe, expect, it } from 'vitest'
import { createGenerator } from '../../packages/cli/src/generate/generator.ts'
import { ROWS, type Row } from './matrix-rows.ts'
import { root, temporaryFolder } from './source-folder.ts'
import type { JsonValue } from '../../packages/cli/src/generate/shape/shape.ts'

const folder = temporaryFolder()

const fileOf = (row: Row): string => join(folder, `row-${ROWS.indexOf(row)}.ts`)

const sourceOf = ({ type, declare = '', imports = '', real }: Row): string => `${imports}
${declare}
export const expected = (): ${type} => (${real})
export class Matrix {
  received: unknown = 'nothing'
  /**
   * Takes it.
   * @tool
   */
  parameter(value: ${type}): void { this.received = value }
  /**
   * Takes it, if it is there.
   * @tool
   */
  optional(value?: ${type}, other?: string): void { this.received = value ?? other }
  /**
   * Takes it inside.
   * @tool
   */
  property(holder: { inner: ${type}; other?: string }): void { this.received = holder }
  /**
   * Takes many.
   * @tool
   */
  element(values: (${type})[]): void { this.received = values }
  /**
   * Gives it.
   * @tool
   */
  result(): ${type} { return expected() }
  /**
   * Gives it later.
   * @tool
   */
  async later(): Promise<{ inner: ${type} }> { return { inner: expected() } }
}
`

const OPTIONS = {
  target: 'ES2022', lib: ['ES2023'], module: 'NodeNext', moduleResolution: 'NodeNext', strict: true,
  noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, noUnusedLocals: true,
  noUnusedParameters: true, noImplicitReturns: true, noPropertyAccessFromIndexSignature: true,
  verbatimModuleSyntax: true, isolatedModules: true, isolatedDeclarations: true, declaration: true,
  allowImportingTsExtensions: true, skipLibCheck: true, noEmit: true, types: ['node'],
  paths: { toolwright: [join(root, 'packages/toolwright/src/index.ts')] },
} // prettier-ignore

interface Module {
  expected(): unknown
  Matrix: new () => { received: unknown }
}
interface Made {
  readonly tools: ReadonlyMap<string, ToolCallback>
  readonly instance: { received: unknown }
  readonly expected: unknown
}
const made = new Map<Row, Made>()

beforeAll(async () => {
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const parcels =
    'export interface Parcel { sent: Date; to: Town }\ninterface Town { city: string }\n'
  writeFileSync(join(folder, 'parcels.ts'), parcels)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: OPTIONS }))
  for (const row of ROWS) writeFileSync(fileOf(row), sourceOf(row))
  const generated = createGenerator({ cwd: folder }).generate(ROWS.map(fileOf))
  expect(generated.flatMap(({ problems }) => problems)).toEqual([])
  for (const { output, text } of generated) writeFileSync(output, text!)
  for (const row of ROWS) {
    const source = (await import(fileOf(row))) as Module
    const tools = (await import(fileOf(row).replace('.ts', '.tools.ts'))) as {
      matrixTools(instance: object): readonly ToolCallback[]
    }
    const instance = new source.Matrix()
    const all = tools.matrixTools(instance).map((one) => [one.definition.name, one] as const)
    made.set(row, { tools: new Map(all), instance, expected: source.expected() })
  }
})

it('compiles under every strict flag', () => {
  const config = ts.convertCompilerOptionsFromJson(OPTIONS, folder)
  expect(config.errors).toEqual([])
  const files = ROWS.map((row) => fileOf(row).replace('.ts', '.tools.ts'))
  const program = ts.createProgram(files, config.options)
  const said = files.flatMap((file) =>
    [
      ...program.getSyntacticDiagnostics(program.getSourceFile(file)),
      ...program.getSemanticDiagnostics(program.getSourceFile(file)),
      ...program.getDeclarationDiagnostics(program.getSourceFile(file)),
    ].map(({ file: at, start = 0, messageText }) => {
      const { line } = at!.getLineAndCharacterOfPosition(start)
      return `${at!.fileName}:${line + 1} ${ts.flattenDiagnosticMessageText(messageText, ' ')}\n${at!.text.split('\n')[line]}`
    }),
  )
  expect(said).toEqual([])
})

it('answers a model through the client', async () => {
  const row = ROWS.find(({ construct }) => construct === 'an interface')!
  const { tools, instance, expected } = made.get(row)!
  const model = scriptedModel([
    { toolCalls: [{ name: 'property', arguments: { holder: { inner: row.good } } }] },
    { toolCalls: [{ name: 'later' }] },
    'Done.',
  ])
  const run = ChatClient.create(model)
    .prompt('Go')
    .tools([...tools.values()])
    .call()
  expect(await run.content()).toBe('Done.')
  expect(instance.received).toStrictEqual({ inner: expected })
})

const places = [
  { name: 'parameter', inner: 'value', at: '$.value', wrap: (value: JsonValue) => ({ value }), real: (x: unknown) => x },
  { name: 'optional', inner: 'value', at: '$.value', wrap: (value: JsonValue) => ({ value }), real: (x: unknown) => x },
  { name: 'property', inner: 'holder', at: '$.holder.inner', wrap: (inner: JsonValue) => ({ holder: { inner } }), real: (inner: unknown) => ({ inner }) },
  { name: 'element', inner: 'values', at: '$.values[0]', wrap: (value: JsonValue) => ({ values: [value] }), real: (x: unknown) => [x] },
] // prettier-ignore

describe.each(ROWS)('$construct', (row) => {
  it.each(places)('as $name', async ({ name, at, wrap, real }) => {
    const { tools, instance, expected } = made.get(row)!
    const callback = tools.get(name)!
    expect(schemaAt(callback, name)).toEqual(row.schema)
    await callback.call(JSON.stringify(wrap(row.good)))
    const isNullish = name === 'optional' && expected === null
    expect(instance.received).toStrictEqual(isNullish ? undefined : real(expected))
    if (row.bad === 'nothing is bad') return
    const refused = callback.call(JSON.stringify(wrap(row.bad)))
    await expect(refused).rejects.toMatchObject({
      name: 'ToolInputError',
      issues: expect.arrayContaining([expect.objectContaining({ path: at + (row.at ?? '') })]),
    })
  })

  it('as result', async () => {
    const { tools } = made.get(row)!
    const later = tools.get('later')!
    const output = await later.call('{}')
    expect(JSON.parse(output as string)).toEqual({ inner: row.returned ?? row.good })
    const { outputSchema } = later.definition as {
      outputSchema?: { properties: { inner: unknown } }
    }
    expect(outputSchema?.properties.inner).toEqual(row.output ?? row.schema)
    await expect(tools.get('result')!.call('{}')).resolves.toBeDefined()
  })
})

/** The schema of the value within the tool's input. */
function schemaAt({ definition }: ToolCallback, name: string): unknown {
  const { properties } = definition.inputSchema as { properties: { [name: string]: any } }
  if (name === 'property') return properties.holder.properties.inner
  return name === 'element' ? properties.values.items : properties.value
}
