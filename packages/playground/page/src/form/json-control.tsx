/** JSON as text, for what no form can show. */
import type { ControlProps } from './field-props.ts'
import { jsonText, readJson } from './read-json.ts'
import { useDraft } from './use-draft.ts'

export function JsonControl(props: ControlProps<unknown>) {
  const { value, onChange, id, describedBy, isWrong, isUnreadable, onProblem } = props
  const { text, setDraft } = useDraft(value, jsonText)
  return (
    <textarea
      id={id}
      class="mono growing"
      rows={3}
      spellcheck={false}
      autoComplete="off"
      placeholder="JSON"
      value={text}
      aria-describedby={describedBy}
      aria-invalid={isWrong ? 'true' : undefined}
      data-unreadable={isUnreadable ? 'true' : undefined}
      onInput={(event) => {
        const typed = event.currentTarget.value
        const reading = readJson(typed)
        setDraft({ text: typed, value: reading.value })
        onProblem(reading.problem)
        onChange(reading.value)
      }}
    />
  )
}
