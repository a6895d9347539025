/** A text. One that may have several lines keeps them, however it looks at first. */
import type { TextInput } from './field-kind.ts'
import type { ControlProps, KindOf } from './field-props.ts'
import { fromLocalTime, toLocalTime } from './local-time.ts'

export function TextControl(props: ControlProps<KindOf<'text'>>) {
  const { kind, value, onChange, isRequired, id, describedBy, isWrong } = props
  const text = value === undefined || value === null ? '' : String(value)
  // Whoever empties a field that may be absent wants it absent.
  const take = (typed: string) => onChange(typed === '' && !isRequired ? undefined : typed)
  const shared = {
    id,
    value: text,
    autoComplete: 'off',
    'aria-describedby': describedBy,
    'aria-invalid': isWrong ? ('true' as const) : undefined,
  }
  if (kind.input === 'line' || kind.input === 'long') {
    return (
      <textarea
        {...shared}
        class="growing"
        rows={kind.input === 'long' ? 4 : 1}
        spellcheck={false}
        onInput={(event) => take(event.currentTarget.value)}
      />
    )
  }
  const local = toLocalTime(text)
  // A text that is no time could not be shown, and would be lost.
  if (kind.input === 'date-time' && (text === '' || local !== undefined)) {
    return (
      <>
        <input
          {...shared}
          type="datetime-local"
          step="1"
          value={local ?? ''}
          onInput={(event) => {
            const picked = fromLocalTime(event.currentTarget.value)
            if (picked !== undefined || !event.currentTarget.validity.badInput) take(picked ?? '')
          }}
        />
        {text === '' ? null : <p class="field-hints quiet mono">{text}</p>}
      </>
    )
  }
  return (
    <input
      {...shared}
      // The types of the elements know no input that is one or the other.
      type={inputType(kind.input, text) as 'text'}
      placeholder={kind.input === 'time' ? '13:45:00Z' : undefined}
      autoComplete={kind.input === 'password' ? 'new-password' : 'off'}
      onInput={(event) => take(event.currentTarget.value)}
    />
  )
}

/** The browser's own pickers show nothing of a text that they do not take. */
function inputType(input: TextInput, text: string): 'date' | 'text' | 'url' | 'email' | 'password' {
  if (input === 'date') return text === '' || /^\d{4}-\d\d-\d\d$/.test(text) ? 'date' : 'text'
  if (input === 'uri') return 'url'
  return input === 'email' || input === 'password' ? input : 'text'
}
