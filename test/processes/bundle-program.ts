/** Makes plain JavaScript of a program that tests start as a process: a compiler at every start would cost seconds. */
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { DOOR_SOURCES } from '../../scripts/doors/door-sources.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface BundledProgram {
  readonly file: string
  [Symbol.dispose](): void
}

export async function bundleProgram(source: URL): Promise<BundledProgram> {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-program-'))
  const file = join(folder, 'program.mjs')
  // The drivers are found from there, too.
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  await build({
    entryPoints: [fileURLToPath(source)],
    outfile: file,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    alias: Object.fromEntries(DOOR_SOURCES.map(({ name, source }) => [name, join(root, source)])),
    external: ['libsql', 'pg', '@dbos-inc/*', '@opentelemetry/*'],
    logLevel: 'error',
  })
  return { file, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) }
}
