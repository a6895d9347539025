/** The reports of all doors: as they should be, and what is wrong with those that are there. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DoorSource } from '../doors/door-sources.ts'
import { apiReport, keyOf } from './api-report.ts'
import { declarationsOf } from './declarations.ts'
import { lineDiff } from './line-diff.ts'

/** The folder of the reports, relative to the root. */
export const REPORTS = 'docs/api'

/** File, relative to the root → Markdown. */
export type Reports = ReadonlyMap<string, string>

/** Every report as it should be. */
export async function reportsOf(root: string, doors: readonly DoorSource[]): Promise<Reports> {
  const sources = doors.map(({ source }) => source)
  const declarations = declarationsOf(root, sources)
  const known = new Set(
    sources.flatMap((source) => [...declarations.exportsOf(source).values()].map(keyOf)),
  )
  const made = doors.map(
    async (door) => [fileOf(door), await apiReport(door, declarations, known)] as const,
  )
  return new Map(await Promise.all(made))
}

/** `toolwright/openai` → `toolwright-openai.api.md`, `@toolwright/mcp` → `mcp.api.md`. */
const fileOf = ({ name }: DoorSource): string =>
  `${REPORTS}/${name.replace(/^@toolwright\//, '').replaceAll('/', '-')}.api.md`

/** Puts them in their place, and takes away those of doors that are gone. */
export function writeReports(root: string, reports: Reports): void {
  mkdirSync(join(root, REPORTS), { recursive: true })
  for (const file of leftOver(root, reports)) rmSync(join(root, file))
  for (const [file, text] of reports) writeFileSync(join(root, file), text)
}

/** Each report that is not as it should be, with what differs. */
export function staleReports(root: string, reports: Reports): string[] {
  const differing = [...reports].flatMap(([file, text]) => {
    const path = join(root, file)
    const difference = lineDiff(existsSync(path) ? readFileSync(path, 'utf8') : '', text)
    return difference === '' ? [] : [`${file} is out of date:\n${difference}`]
  })
  return [
    ...differing,
    ...leftOver(root, reports).map((file) => `${file} is the report of no door`),
  ]
}

function leftOver(root: string, reports: Reports): string[] {
  if (!existsSync(join(root, REPORTS))) return []
  return readdirSync(join(root, REPORTS))
    .filter((name) => name.endsWith('.api.md'))
    .map((name) => `${REPORTS}/${name}`)
    .filter((file) => !reports.has(file))
}
