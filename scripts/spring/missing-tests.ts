/** What test/spring-checklist.md still owes: rows without a test, tests that did not run. */
import { didYouMean } from '../../packages/toolwright/src/internal/nearest-names.ts'
import type { ChecklistRow, NamedTest } from './spring-checklist.ts'

/** How the tests of a run ended: file, relative to the root, → full name → state. */
export type TestStates = ReadonlyMap<string, ReadonlyMap<string, string>>

/** The rows of the acceptance checklist that this library has taken on; the rest has later doors. */
export const CHECKLIST: readonly number[] = [range(1, 158), range(163, 166)].flat()

/** Rows the checklist lacks, has twice, or leaves unproven. */
export function missingRows(rows: readonly ChecklistRow[]): string[] {
  const numbers = rows.map((row) => row.number)
  return [
    ...CHECKLIST.filter((number) => !numbers.includes(number)).map(
      (number) => `row ${number} is not in the table`,
    ),
    ...numbers
      .filter((number, index) => numbers.indexOf(number) !== index || !CHECKLIST.includes(number))
      .map((number) => `row ${number} is there twice, or does not belong there`),
    ...rows
      .filter((row) => row.tests.length === 0)
      .map((row) => `row ${row.number} is open: no test proves it (${row.capability})`),
  ]
}

/** Named tests that are not among the passed ones of a run. */
export function missingTests(rows: readonly ChecklistRow[], states: TestStates): string[] {
  return rows.flatMap((row) =>
    row.tests.flatMap((test) => {
      const problem = problemOf(test, states.get(test.file))
      return problem ? [`row ${row.number}: ${problem}`] : []
    }),
  )
}

function problemOf(test: NamedTest, states: ReadonlyMap<string, string> | undefined) {
  if (!states) return `${test.file} did not run`
  const state = states.get(test.name)
  if (state === 'passed') return undefined
  if (state) return `${test.file} > ${test.name}: ${state}`
  return `${test.file} has no test "${test.name}".${didYouMean(test.name, states.keys())}`
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_each, index) => from + index)
}
