/** What dependency-cruiser finds out about the packages, once for all who ask. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

export interface Cruise {
  readonly modules: readonly CruisedModule[]
  readonly summary: { readonly violations: readonly Violation[] }
}

export interface CruisedModule {
  /** From the root of the repository. */
  readonly source: string
  readonly dependencies: readonly {
    readonly resolved: string
    readonly dependencyTypes: readonly string[]
  }[]
}

export interface Violation {
  readonly rule: { readonly name: string }
  readonly cycle?: readonly { readonly name: string }[]
}

export function cruise(root: string): Cruise {
  const command = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs')
  const args = [command, '--config', '.dependency-cruiser.js', '--output-type', 'json', 'packages']
  const { stdout } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1e8,
  })
  return JSON.parse(stdout) as Cruise
}
