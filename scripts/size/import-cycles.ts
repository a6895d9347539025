/** Import cycles of the library, as the import rule counts them. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

interface Violation {
  readonly rule: { readonly name: string }
  readonly cycle?: readonly { readonly name: string }[]
}

export interface ImportCycles {
  readonly runtime: readonly string[]
  readonly types: readonly string[]
}

export function importCycles(root: string): ImportCycles {
  const command = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs')
  const args = [command, '--config', '.dependency-cruiser.js', '--output-type', 'json', 'packages']
  const { stdout } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1e8,
  })
  const { violations } = (JSON.parse(stdout) as { summary: { violations: Violation[] } }).summary
  return {
    runtime: cyclesOf(violations, 'no-cycles'),
    types: cyclesOf(violations, 'no-type-cycles'),
  }
}

/** One line per cycle, wherever in the circle it was entered. */
function cyclesOf(violations: readonly Violation[], rule: string): string[] {
  const cycles = new Map<string, string>()
  for (const { rule: broken, cycle = [] } of violations) {
    const names = cycle.map(({ name }) => name.replace('packages/toolwright/src/', ''))
    if (broken.name === rule) cycles.set(names.toSorted().join(), names.join(' → '))
  }
  return [...cycles.values()]
}
