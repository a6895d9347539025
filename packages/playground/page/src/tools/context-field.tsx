/** What the tool gets as its context. Most need none, so it is closed at first. */
import { FieldMessages } from '../form/field-messages.tsx'
import { isJsonObject } from '../form/fit-of.ts'
import { type ReadJson, readJson } from '../form/read-json.ts'

export interface ContextFieldProps {
  readonly text: string
  readonly onChange: (text: string) => void
}

export function readContext(text: string): ReadJson {
  const reading = readJson(text)
  if (reading.value === undefined || isJsonObject(reading.value)) return reading
  return { problem: 'A context is a JSON object.' }
}

export function ContextField({ text, onChange }: ContextFieldProps) {
  const { problem } = readContext(text)
  return (
    <details class="context" open={text !== ''}>
      <summary>Context</summary>
      <p class="quiet" id="context-about">
        A JSON object that the tool gets beside its arguments. The model never sees it.
      </p>
      <textarea
        class="mono growing"
        rows={3}
        aria-label="Context as JSON"
        aria-describedby={`context-about${problem ? ' context-wrong' : ''}`}
        aria-invalid={problem ? 'true' : undefined}
        data-unreadable={problem ? 'true' : undefined}
        spellcheck={false}
        autoComplete="off"
        placeholder="{}"
        value={text}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      <FieldMessages id="context-wrong" messages={problem ? [problem] : []} isFocusable={false} />
    </details>
  )
}
