/** What was found about the tools together, and which ones are not offered. */
import type { ToolList } from '../../../src/protocol/shown-tool.ts'
import { printable } from '../parts/printable.ts'
import { count } from './count.ts'
import { FindingList } from './finding-list.tsx'

export function ToolsNotes({ list }: { readonly list: ToolList }) {
  const { findings, quarantined } = list
  return (
    <>
      {findings.length === 0 ? null : (
        <details class="tools-notes">
          <summary>{`${count(findings.length, 'finding')} about several tools`}</summary>
          <FindingList findings={findings} />
        </details>
      )}
      {quarantined.length === 0 ? null : (
        <details class="tools-notes">
          <summary>{`${count(quarantined.length, 'tool')} not offered`}</summary>
          <ul class="stack">
            {quarantined.map((each) => (
              <li key={each}>{printable(each)}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}
