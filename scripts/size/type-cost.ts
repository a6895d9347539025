/**
 * What one `tool()` costs the compiler, as a slope: projects of many different zod tools are checked,
 * and the same projects with the schemas alone are subtracted.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface TypeCost {
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

export function measureTypeCost(root: string): TypeCost {
  const folder = mkdtempSync(join(tmpdir(), 'type-cost-'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(configFor(root)))
  try {
    const [small, middle, large] = COUNTS.map((count) => measure(root, folder, withTools(count)))
    const [plainSmall, plainMiddle, plainLarge] = COUNTS.map((count) =>
      measure(root, folder, withSchemas(count)),
    )
    return {
      early: perTool(small!, middle!, 180) - perTool(plainSmall!, plainMiddle!, 180),
      late: perTool(middle!, large!, 800) - perTool(plainMiddle!, plainLarge!, 800),
      checkSeconds: large!.checkSeconds,
      schemaSeconds: plainLarge!.checkSeconds,
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const perTool = (fewer: Measurement, more: Measurement, between: number): number =>
  (more.instantiations - fewer.instantiations) / between

const HEADER = `import { tool } from 'toolwright'\nimport { z } from 'zod'\nexport { tool, z }\n`

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
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 1e8 })
  if (status !== 0)
    throw new Error(`The project to measure does not compile:\n${stdout.slice(0, 2000)}`)
  return {
    instantiations: figure(stdout, 'Instantiations'),
    checkSeconds: figure(stdout, 'Check time'),
  }
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
