/** What could not be read of a file, line by line. */
import type { TraceProblem } from 'toolwright/trace'
import { printable } from '../parts/printable.ts'

export function Problems({ problems }: { readonly problems: readonly TraceProblem[] }) {
  if (problems.length === 0) return null
  return (
    <details class="note note-warn" open={problems.length <= 3}>
      <summary>{`${problems.length} ${problems.length === 1 ? 'line' : 'lines'} could not be read; the rest is below`}</summary>
      <ul>
        {problems.map(({ line, what }, index) => (
          <li key={index}>{`Line ${line}: ${printable(what)}`}</li>
        ))}
      </ul>
    </details>
  )
}
