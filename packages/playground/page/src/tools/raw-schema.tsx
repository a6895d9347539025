/** The schemas as they are. */
import type { JsonSchema } from 'toolwright'
import type { ShownTool } from '../../../src/protocol/shown-tool.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { printable } from '../parts/printable.ts'

export function RawSchema({ tool }: { readonly tool: ShownTool }) {
  return (
    <div class="stack">
      <SchemaText title="Input schema" schema={tool.inputSchema} />
      {tool.outputSchema ? <SchemaText title="Output schema" schema={tool.outputSchema} /> : null}
    </div>
  )
}

function SchemaText({ title, schema }: { readonly title: string; readonly schema: JsonSchema }) {
  const text = JSON.stringify(schema, null, 2)
  return (
    <div class="code-block">
      <div class="code-head">
        <h3>{title}</h3>
        <CopyButton text={text} label={`Copy the ${title.toLowerCase()}`} />
      </div>
      <pre tabIndex={0} role="region" aria-label={title}>
        {printable(text)}
      </pre>
    </div>
  )
}
