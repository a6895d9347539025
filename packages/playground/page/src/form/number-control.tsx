/** A number. The input is one of text: those of numbers swallow what is no number without a word. */
import { valueLabel } from './choice-options.ts'
import type { ControlProps, KindOf } from './field-props.ts'
import { readNumber } from './read-number.ts'
import { useDraft } from './use-draft.ts'

export function NumberControl(props: ControlProps<KindOf<'number'>>) {
  const { kind, schema, value, onChange, id, describedBy, isWrong, isUnreadable, onProblem } = props
  const { text, setDraft } = useDraft(value, (shown) =>
    shown === undefined || shown === null ? '' : valueLabel(shown),
  )
  const take = (typed: string) => {
    const reading = readNumber(typed)
    setDraft({ text: typed, value: reading.value })
    onProblem(reading.problem)
    onChange(reading.value)
  }
  const step = (by: number) => {
    const size = schema.multipleOf ?? 1
    const from = typeof value === 'number' ? value : (schema.minimum ?? 0) - by * size
    const to = Number((from + by * size).toPrecision(12))
    take(String(Math.min(schema.maximum ?? to, Math.max(schema.minimum ?? to, to))))
  }
  return (
    <input
      id={id}
      class="number"
      type="text"
      inputMode={kind.isInteger ? 'numeric' : 'decimal'}
      autoComplete="off"
      value={text}
      aria-describedby={describedBy}
      aria-invalid={isWrong ? 'true' : undefined}
      data-unreadable={isUnreadable ? 'true' : undefined}
      onInput={(event) => take(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
        event.preventDefault()
        step(event.key === 'ArrowUp' ? 1 : -1)
      }}
    />
  )
}
