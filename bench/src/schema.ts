/**
 * `npm run bench -- schema`: the engine that checks arguments beside two others that need no eval.
 * Each is bundled and minified by itself, and that bundle is what is weighed, run and timed. CPU time
 * is the least of several batches, because interference only ever adds.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import {
  runConformance,
  suiteFolder,
  type ConformanceReport,
  type Engine,
} from '../../scripts/conformance.ts'

const repository = fileURLToPath(new URL('../..', import.meta.url))

/** Modules that export `engine`, an `Engine`; checks with it make no use of formats. */
const CONTENDERS: { readonly [name: string]: string } = {
  toolwright: `
    import { compileSchema } from './packages/toolwright/src/schema/compile-schema.ts'
    export const engine = (schema, remotes) => {
      const checker = compileSchema(schema, { coerce: false, formats: false, remotes })
      return (value) => checker.check(value).ok
    }`,
  '@cfworker/json-schema': `
    import { Validator } from '@cfworker/json-schema'
    export const engine = (schema, remotes) => {
      const validator = new Validator(schema, '2020-12', false)
      for (const [uri, remote] of remotes) {
        if (remote?.$id !== schema.$id || schema.$id === undefined) validator.addSchema(remote, uri)
      }
      return (value) => validator.validate(value).valid
    }`,
  'typebox/schema': `
    import { Compile } from 'typebox/schema'
    export const engine = (schema, remotes) => {
      const validator = Compile(Object.fromEntries(remotes), schema)
      return (value) => validator.Check(value)
    }`,
}

const toolSchema = (): object => ({
  type: 'object',
  properties: {
    city: { type: 'string', minLength: 1 },
    unit: { enum: ['c', 'f'] },
    days: { type: 'integer', minimum: 1, maximum: 14 },
    tags: { type: 'array', items: { type: 'string' } },
    place: {
      anyOf: [
        { type: 'null' },
        {
          type: 'object',
          properties: { lat: { type: 'number' }, lon: { type: 'number' } },
          required: ['lat', 'lon'],
          additionalProperties: false,
        },
      ],
    },
  },
  required: ['city'],
  additionalProperties: false,
})
const input = {
  city: 'Oslo',
  unit: 'c',
  days: 3,
  tags: ['a', 'b'],
  place: { lat: 59.9, lon: 10.7 },
}
const NO_REMOTES = new Map<string, unknown>()

export async function run(_args: string[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-schema-'))
  const suite = suiteFolder()
  if (suite === undefined) console.log('The conformance suite is not here: its column is left out.')
  const rows: object[] = []
  try {
    for (const [name, source] of Object.entries(CONTENDERS)) {
      const file = join(folder, `${rows.length}.mjs`)
      const code = await bundle(source)
      await writeFile(file, code)
      // What the core holds anyway: errors, and reading JSON.
      const alone = await bundle(source, ['../errors/*', '../internal/*'])
      const { engine } = (await import(pathToFileURL(file).href)) as { readonly engine: Engine }
      rows.push({
        engine: name,
        'gzip kB': kilobytes(code),
        'without core': kilobytes(alone),
        ...measured(engine, suite),
      })
    }
  } finally {
    await rm(folder, { recursive: true })
  }
  console.table(rows)
}

async function bundle(contents: string, external: string[] = []): Promise<Uint8Array> {
  const result = await build({
    stdin: { contents, resolveDir: repository, loader: 'js' },
    external,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    write: false,
  })
  return result.outputFiles[0]!.contents
}

function kilobytes(code: Uint8Array): string {
  return (gzipSync(code, { level: 9 }).length / 1000).toFixed(1)
}

function measured(engine: Engine, suite: string | undefined): object {
  const check = engine(toolSchema(), NO_REMOTES)
  if (!check(input) || check({ ...input, days: 'x' })) throw new Error('The engine does not check.')
  const report = suite === undefined ? undefined : runConformance(suite, engine)
  return {
    'first check µs': cpuMicroseconds(200, () => engine(toolSchema(), NO_REMOTES)(input)).toFixed(
      1,
    ),
    'check µs': cpuMicroseconds(20_000, () => check(input)).toFixed(2),
    ...(report && { failures: failuresIn(report) }),
  }
}

/** Engines that assert formats whatever they are told fail format.json for that alone. */
function failuresIn({ total, failures }: ConformanceReport): string {
  const byFormat = failures.filter((name) => name.startsWith('format.json')).length
  return `${failures.length} of ${total}${byFormat > 0 ? `, ${byFormat} by formats` : ''}`
}

function cpuMicroseconds(times: number, work: () => void): number {
  let least = Infinity
  for (let batch = 0; batch < 15; batch++) {
    const before = process.cpuUsage()
    for (let time = 0; time < times; time++) work()
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / times)
  }
  return least
}
