/**
 * What one tool costs the compiler, for each way to write it, as a slope: projects of many different zod
 * tools are checked, and the same projects with the schemas alone are subtracted.
 */
import { spawnSync, type SpawnSyncReturns } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface TypeCost {
  /** How the tools were written. */
  readonly form: string
  /** Type instantiations per tool between 20 and 200, and between 200 and 1,000 tools. */
  readonly early: number
  readonly late: number
  /** Seconds the compiler spends checking 1,000 tools. */
  readonly checkSeconds: number
  /** The same for the 1,000 schemas alone. */
  readonly schemaSeconds: number
}

interface Measurement {
  readonly instantiations: number
  readonly checkSeconds: number
}

const COUNTS = [20, 200, 1000] as const

export function measureTypeCosts(root: string): TypeCost[] {
  const folder = mkdtempSync(join(tmpdir(), 'type-cost-'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(configFor(root)))
  const measured = (write: (count: number) => string): Measurement[] =>
    COUNTS.map((count) => measure(root, folder, write(count)))
  try {
    const plain = measured(withSchemas)
    return Object.entries(FORMS).map(([form, write]) => costOf(form, measured(write), plain))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function costOf(
  form: string,
  [small, middle, large]: readonly Measurement[],
  [plainSmall, plainMiddle, plainLarge]: readonly Measurement[],
): TypeCost {
  return {
    form,
    early: perTool(small!, middle!, 180) - perTool(plainSmall!, plainMiddle!, 180),
    late: perTool(middle!, large!, 800) - perTool(plainMiddle!, plainLarge!, 800),
    checkSeconds: large!.checkSeconds,
    schemaSeconds: plainLarge!.checkSeconds,
  }
}

const perTool = (fewer: Measurement, more: Measurement, between: number): number =>
  (more.instantiations - fewer.instantiations) / between

const HEADER = `import { defineTools, tool, Tool } from 'toolwright'
import { z } from 'zod'
export { defineTools, tool, Tool, z }
`
/** Tools in one class. */
const PER_CLASS = 10

// Different names everywhere: the compiler remembers a type it has seen.
const schemaOf = (index: number): string =>
  `z.object({ city${index}: z.string(), days${index}: z.number().optional(), unit: z.enum(['c', 'f${index}']) })`

const each = (count: number, line: (index: number) => string): string =>
  HEADER + Array.from({ length: count }, (_, index) => line(index)).join('\n')

function withTools(count: number): string {
  return each(
    count,
    (i) => `export const tool${i} = tool({
  name: 'tool${i}',
  description: 'Tool ${i}',
  input: ${schemaOf(i)},
  execute: ({ city${i}, unit }) => \`\${city${i}} in \${unit}\`,
})`,
  )
}

const methodOf = (i: number): string => `tool${i}({ city${i}, unit }: {
    city${i}: string; days${i}?: number; unit: 'c' | 'f${i}'
  }): string { return \`\${city${i}} in \${unit}\` }`

const optionsOf = (i: number): string => `{ description: 'Tool ${i}', input: ${schemaOf(i)} }`

/** Classes of ten tools each, `body` making what stands in one. */
const inClasses = (count: number, body: (name: string, tools: readonly number[]) => string) =>
  HEADER +
  Array.from({ length: count / PER_CLASS }, (_, index) => {
    const tools = Array.from({ length: PER_CLASS }, (_, inner) => index * PER_CLASS + inner)
    return `export class Tools${index} {\n${body(`Tools${index}`, tools)}\n}`
  }).join('\n')

const withDecorators = (count: number): string =>
  inClasses(count, (_name, tools) =>
    tools.map((i) => `  @Tool(${optionsOf(i)})\n  ${methodOf(i)}`).join('\n'),
  )

const withDefinedTools = (count: number): string =>
  inClasses(count, (name, tools) => {
    const options = tools.map((i) => `    tool${i}: ${optionsOf(i)},`).join('\n')
    const methods = tools.map((i) => `  ${methodOf(i)}`).join('\n')
    return `  static tools = defineTools<${name}>({\n${options}\n  })\n${methods}`
  })

const FORMS = { 'tool()': withTools, '@Tool()': withDecorators, 'defineTools()': withDefinedTools }

const withSchemas = (count: number): string =>
  each(
    count,
    (i) =>
      `export const tool${i} = { name: 'tool${i}', description: 'Tool ${i}', input: ${schemaOf(i)} }`,
  )

function measure(root: string, folder: string, code: string): Measurement {
  writeFileSync(join(folder, 'tools.ts'), code)
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const args = [tsc, '-p', folder, '--extendedDiagnostics']
  const ended = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 1e8 })
  const { status, stdout } = ended
  if (status !== 0) throw new Error(whyNot(ended))
  return {
    instantiations: figure(stdout, 'Instantiations'),
    checkSeconds: figure(stdout, 'Check time'),
  }
}

/** A compiler that was killed, or had no memory left, has found no mistake. */
function whyNot({ status, signal, error, stdout, stderr }: SpawnSyncReturns<string>): string {
  const said = `${stdout}${stderr}${error?.message ?? ''}`.slice(0, 2000)
  const found = /^\S.*error TS\d+/m.test(stdout)
  if (found) return `The project to measure does not compile:\n${said}`
  return `The compiler did not finish (${signal ?? `exit code ${status}`}):\n${said}`
}

function figure(diagnostics: string, name: string): number {
  const match = new RegExp(`^${name}:\\s+([\\d.]+)`, 'm').exec(diagnostics)
  if (!match) throw new Error(`tsc --extendedDiagnostics does not report "${name}"`)
  return Number(match[1])
}

function configFor(root: string): object {
  return {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: { paths: { toolwright: [join(root, 'packages/toolwright/src/index.ts')] } },
    include: ['tools.ts'],
  }
}
