/**
 * The two tables of test/spring-checklist.md as data: the acceptance checklist with the tests that prove it,
 * and the Java blocks of the Spring AI pages with their twins. Only reads; what is missing is found elsewhere.
 */

/** Where the tables are, relative to the root. */
export const CHECKLIST_FILE = 'test/spring-checklist.md'

export interface SpringChecklist {
  readonly rows: readonly ChecklistRow[]
  readonly twins: readonly TwinRow[]
}

export interface ChecklistRow {
  readonly number: number
  readonly capability: string
  /** Our behaviour, in a clause. */
  readonly ours: string
  /** Empty while nothing proves the row. */
  readonly tests: readonly NamedTest[]
}

/** One test, as the checklist names it: `` `file` › `describe > test` ``. */
export interface NamedTest {
  /** Relative to the root. */
  readonly file: string
  readonly name: string
}

export interface TwinRow {
  /** As `000-12`: the page and the number of the block on it. */
  readonly blocks: readonly string[]
  /** The first line of the blocks that says something. */
  readonly title: string
  /** The examples' files, relative to the root; empty while there is none. */
  readonly files: readonly string[]
  /** Belongs to a door that is not built yet, which the row names. */
  readonly later: boolean
}

/** The tables of the file. */
export function springChecklist(markdown: string): SpringChecklist {
  const table = markdown.split('\n').filter((line) => line.startsWith('|'))
  return { rows: table.flatMap(checklistRow), twins: table.flatMap(twinRow) }
}

function checklistRow(line: string): ChecklistRow[] {
  const [number = '', capability = '', ours = '', tests = ''] = cellsOf(line)
  if (!/^\d+$/.test(number)) return []
  return [{ number: Number(number), capability, ours, tests: namedTests(tests) }]
}

function twinRow(line: string): TwinRow[] {
  const [blocks = '', title = '', _shows, twin = ''] = cellsOf(line)
  if (!/^\d{3}-\d+(, \d{3}-\d+)*$/.test(blocks)) return []
  return [
    {
      blocks: blocks.split(', '),
      title: codeSpans(title)[0] ?? '',
      files: [...twin.matchAll(/\]\(\.\.\/([^)]+)\)/g)].map((match) => match[1]!),
      later: twin.startsWith('later: '),
    },
  ]
}

function namedTests(cell: string): NamedTest[] {
  const spans = codeSpans(cell)
  return Array.from({ length: Math.floor(spans.length / 2) }, (_pair, index) => ({
    file: spans[index * 2]!,
    name: spans[index * 2 + 1]!,
  }))
}

const cellsOf = (line: string): string[] =>
  line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))

/** What stands between backticks: one of them, or more where the text holds some itself. */
const codeSpans = (cell: string): string[] =>
  [...cell.matchAll(/(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)/g)].map((match) =>
    match[1]!.length > 1 ? match[2]!.trim() : match[2]!,
  )
