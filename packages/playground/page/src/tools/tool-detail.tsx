/** One tool: what a model is told of it, and calling it by hand. */
import { useEffect, useRef } from 'preact/hooks'
import type { ShownTool } from '../../../src/protocol/shown-tool.ts'
import { Badge } from '../parts/badge.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { printable } from '../parts/printable.ts'
import { Prose } from '../parts/prose.tsx'
import { type Tab, Tabs } from '../parts/tabs.tsx'
import { CallPanel } from './call-panel.tsx'
import { FindingList } from './finding-list.tsx'
import { ParameterTable } from './parameter-table.tsx'
import { RawSchema } from './raw-schema.tsx'
import { ToolMarksView } from './tool-marks-view.tsx'

export function ToolDetail({ tool }: { readonly tool: ShownTool }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // On a phone the list, and the focus in it, has made room for this.
    if (document.activeElement === document.body) heading.current?.focus()
  }, [])
  return (
    <div class="scroll tool-detail">
      <div class="tool-head">
        <h2 class="mono" ref={heading} tabIndex={-1}>
          {printable(tool.name)}
        </h2>
        {tool.title ? <p>{printable(tool.title)}</p> : null}
        <p class="row">
          <ToolMarksView tool={tool} />
          <Badge title="About how many tokens its definition takes in every request">
            {`about ${tool.tokens} tokens`}
          </Badge>
          <span class="quiet tool-from">{printable(tool.source)}</span>
        </p>
      </div>
      {tool.description.trim() === '' ? (
        <p class="quiet">It has no description: a model has only its name to go by.</p>
      ) : (
        <Prose text={tool.description} />
      )}
      <Tabs label="About the tool" tabs={tabsOf(tool)} />
    </div>
  )
}

function tabsOf(tool: ShownTool): readonly Tab[] {
  const { inputSchema, outputSchema, findings } = tool
  return [
    { id: 'call', label: 'Call', content: () => <CallPanel tool={tool} /> },
    {
      id: 'parameters',
      label: 'Parameters',
      content: () => <ParameterTable schema={inputSchema} />,
    },
    {
      id: 'output',
      label: 'Output',
      content: () =>
        outputSchema ? (
          <ParameterTable schema={outputSchema} />
        ) : (
          <EmptyState title="Nothing is said of its result">
            With an output schema, results are checked and models know what they get.
          </EmptyState>
        ),
    },
    {
      id: 'findings',
      label: findings.length === 0 ? 'Findings' : `Findings (${findings.length})`,
      content: () =>
        findings.length === 0 ? (
          <EmptyState title="Nothing was found">
            Names, descriptions and schema read well.
          </EmptyState>
        ) : (
          <FindingList findings={findings} />
        ),
    },
    { id: 'json', label: 'JSON', content: () => <RawSchema tool={tool} /> },
  ]
}
