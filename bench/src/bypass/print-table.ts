/** Sentences side by side: cells are wrapped, which `console.table` does not do. */
const WIDTH = 34

export type Row = { readonly [column: string]: string }

export function printTable(rows: readonly Row[]): void {
  const columns = Object.keys(rows[0] ?? {})
  const line = columns.map(() => '─'.repeat(WIDTH)).join('─┼─')
  const shown = (cells: readonly string[]): string => {
    const wrapped = cells.map(wrap)
    const height = Math.max(...wrapped.map(({ length }) => length))
    return Array.from({ length: height }, (_none, at) =>
      wrapped.map((lines) => (lines[at] ?? '').padEnd(WIDTH)).join(' │ '),
    ).join('\n')
  }
  console.log(shown(columns))
  for (const row of rows) console.log(`${line}\n${shown(columns.map((name) => row[name] ?? ''))}`)
}

function wrap(text: string): readonly string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`.trim()
    if (longer.length <= WIDTH) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}
