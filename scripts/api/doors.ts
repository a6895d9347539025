/** The doors of the packages, as the compiler knows them: `paths` of tsconfig.json. */
import { join } from 'node:path'
import ts from 'typescript'

/** The folder of the reports, relative to the root. */
export const REPORTS = 'docs/api'

export interface Door {
  /** What a user imports: `toolwright/openai`. */
  readonly name: string
  /** The source of its entry, relative to the root. */
  readonly source: string
  /** Its report, relative to the root. */
  readonly report: string
}

export function doorsOf(root: string): Door[] {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path))
  const { paths } = config.compilerOptions as { readonly paths: ts.MapLike<readonly [string]> }
  return Object.entries(paths).map(([name, [source]]) => ({
    name,
    source: source.replace(/^\.\//, ''),
    report: `${REPORTS}/${name.replace(/^@toolwright\//, '').replaceAll('/', '-')}.api.md`,
  }))
}
