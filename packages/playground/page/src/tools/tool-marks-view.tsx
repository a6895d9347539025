/** The marks of a tool in a row. */
import type { ShownTool } from '../../../src/protocol/shown-tool.ts'
import { Badge } from '../parts/badge.tsx'
import { toolMarks } from './tool-marks.ts'

export function ToolMarksView({ tool }: { readonly tool: ShownTool }) {
  const { length: findings } = tool.findings
  return (
    <>
      {toolMarks(tool).map(({ label, tone, title }) => (
        <Badge key={label} tone={tone} title={title}>
          {label}
        </Badge>
      ))}
      {findings === 0 ? null : (
        <Badge tone="warn" title="What makes a model choose or call it badly">
          {findings === 1 ? '1 finding' : `${findings} findings`}
        </Badge>
      )}
    </>
  )
}
