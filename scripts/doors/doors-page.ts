/** docs/doors.md, from the table. */
import { doorName } from './door-sources.ts'
import { PACKAGES, type Package } from './table.js'

const HEAD = `# Doors

What a program imports, and what is behind it. Nobody installs what they do not use: what needs no library is a
door of \`toolwright\`, what needs one is a package of its own. This page is written by \`npm run doors\` from
\`scripts/doors/table.js\`; a new door is one row there.
`

export function doorsPage(): string {
  return [HEAD, ...PACKAGES.map(section)].join('\n')
}

function section(row: Package): string {
  const about = row.about.charAt(0).toUpperCase() + row.about.slice(1)
  const needs = row.dependencies.length > 0 ? list(row.dependencies) : 'nothing'
  return `## ${row.name}\n\n${about}. It depends on ${needs}.\n${doorTable(row)}`
}

const list = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ')

function doorTable(row: Package): string {
  if (row.doors.length === 0) return ''
  const rows = row.doors.map((door) => [`\`${doorName(row, door)}\``, door.about])
  return `\n${alignedTable([['door', 'behind it'], ...rows])}`
}

/** Padded as the formatter wants it. */
function alignedTable([head, ...rows]: readonly (readonly string[])[]): string {
  const widths = head!.map((_, column) =>
    Math.max(...[head!, ...rows].map((row) => row[column]!.length)),
  )
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |\n`
  return [line(head!), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('')
}
