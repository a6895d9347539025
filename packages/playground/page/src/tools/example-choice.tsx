/** Which of the tool's examples the arguments are. */
import type { Json } from 'toolwright'
import type { ShownTool } from '../../../src/protocol/shown-tool.ts'
import { isSame } from '../form/fit-of.ts'
import { printable } from '../parts/printable.ts'
import { emptyInput } from './call-drafts.ts'

export interface ExampleChoiceProps {
  readonly tool: ShownTool
  readonly input: Json | undefined
  readonly onChoose: (input: Json) => void
}

export function ExampleChoice({ tool, input, onChoose }: ExampleChoiceProps) {
  const examples = tool.inputExamples
  if (examples.length === 0) return null
  const empty = emptyInput(tool)
  const example = examples.findIndex((each) => isSame(each, input))
  const chosen = example !== -1 ? String(example) : isSame(empty, input) ? 'empty' : 'own'
  return (
    <label class="example-choice">
      <span class="quiet">Start from</span>
      <select
        value={chosen}
        onChange={(event) => {
          const { value } = event.currentTarget
          if (value !== 'own') onChoose(examples[Number(value)] ?? empty)
        }}
      >
        {examples.map((each, index) => (
          <option key={index} value={String(index)}>
            {printable(`Example ${index + 1}: ${JSON.stringify(each).slice(0, 60)}`)}
          </option>
        ))}
        <option value="empty">Empty</option>
        {chosen === 'own' ? <option value="own">What you typed</option> : null}
      </select>
    </label>
  )
}
