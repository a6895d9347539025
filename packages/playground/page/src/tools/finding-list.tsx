/** What makes a model choose or call tools badly, with what mends it. */
import type { ToolFinding } from '../../../src/protocol/shown-tool.ts'
import { printable } from '../parts/printable.ts'

export function FindingList({ findings }: { readonly findings: readonly ToolFinding[] }) {
  return (
    <ul class="findings">
      {findings.map(({ rule, message, fix }, index) => (
        <li key={index} class="finding">
          <p>{printable(message)}</p>
          <p class="quiet">{printable(fix)}</p>
          <code class="quiet">{printable(rule)}</code>
        </li>
      ))}
    </ul>
  )
}
