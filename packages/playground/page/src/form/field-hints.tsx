/** What a field may hold: its default, which is taken when it is absent, and examples to take. */
import type { Json, JsonSchema } from 'toolwright'
import { Button } from '../parts/button.tsx'
import { printable } from '../parts/printable.ts'
import { valueLabel } from './choice-options.ts'
import { isSame } from './fit-of.ts'

export interface FieldHintsProps {
  readonly schema: JsonSchema
  readonly value: Json | undefined
  readonly onChange: (value: Json) => void
}

const MOST_EXAMPLES = 3
const LONGEST = 40

export function FieldHints({ schema, value, onChange }: FieldHintsProps) {
  const examples = (Array.isArray(schema.examples) ? schema.examples : []).slice(0, MOST_EXAMPLES)
  if (examples.length === 0 && schema.default === undefined) return null
  return (
    <p class="field-hints quiet">
      {schema.default === undefined || isSame(value, schema.default) ? null : (
        <span>{`Default: ${short(schema.default)}`}</span>
      )}
      {examples.map((example, index) => (
        <Button
          key={index}
          small
          kind="quiet"
          title="Take this example"
          onClick={() => onChange(example)}
        >
          {`e.g. ${short(example)}`}
        </Button>
      ))}
    </p>
  )
}

function short(value: Json): string {
  const text = printable(valueLabel(value))
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
