/** `toolwright tools <file> --lint`: prints every finding with its place, for a reader or a program. */
import { isAbsolute, relative } from 'node:path'
import { printable } from '../terminal/printable.ts'
import type { Finding } from './finding.ts'
import { lintTools, type LintOptions } from './lint-tools.ts'
import type { Place } from './locate-tools.ts'

/** Where some of the tools come from. */
export interface Linted {
  /** An absolute path, or the words for what is no file. */
  readonly file: string
  readonly tools: Parameters<typeof lintTools>[0]
  /** The files where the tools may be written. */
  readonly files: readonly string[]
}

/** A finding and its place; only the file if the tool was not found in it. */
export type PlacedFinding = Finding & { readonly file: string } & Partial<Place>

/** The compiler that finds the places is loaded only if there are findings. */
export async function placedFindings(
  origins: readonly Linted[],
  options: LintOptions,
): Promise<readonly PlacedFinding[]> {
  const findings = await lintTools(
    origins.flatMap(({ tools }) => tools),
    options,
  )
  if (findings.length === 0) return []
  const { locateTools } = await import('./locate-tools.ts')
  const places = new Map<string, { readonly file: string } & Partial<Place>>()
  for (const { file, tools, files } of origins) {
    const names = tools.map(({ definition }) => definition.name)
    const found = locateTools([file, ...files], names)
    for (const name of names) places.set(name, { file, ...found.get(name) })
  }
  const [{ file } = { file: '' }] = origins
  return findings
    .map((finding) => ({ ...finding, file, ...places.get(finding.tool ?? '') }))
    .sort((a, b) => a.file.localeCompare(b.file) || (a.line ?? 0) - (b.line ?? 0))
}

/** Two lines each, as `generate` prints its problems, and the number of findings. */
export function describeFindings(findings: readonly PlacedFinding[], cwd: string): string {
  const lines = findings.flatMap(({ file, line, column, message, rule, fix }) => [
    `${[isAbsolute(file) ? relative(cwd, file) : file, line, column].filter(Boolean).join(':')} ${message} (${rule})`,
    `  fix: ${fix}`,
  ])
  const count = findings.length || 'No'
  return printable([...lines, `${count} ${count === 1 ? 'finding' : 'findings'}`, ''].join('\n'))
}
