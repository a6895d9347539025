/** A few values, of which one may be chosen. */
import type { Json } from 'toolwright'
import { printable } from '../parts/printable.ts'
import type { ChoiceOption } from './choice-options.ts'
import { isSame } from './fit-of.ts'

export interface RadioRowProps {
  readonly options: readonly ChoiceOption[]
  readonly value: Json | undefined
  readonly onChange: (value: Json) => void
  readonly label: string
  readonly id: string
  readonly describedBy: string | undefined
  readonly isWrong: boolean
}

export function RadioRow(props: RadioRowProps) {
  const { options, value, onChange, label, id, describedBy, isWrong } = props
  return (
    <div
      class="radios"
      role="radiogroup"
      aria-label={label}
      aria-describedby={describedBy}
      aria-invalid={isWrong ? 'true' : undefined}
    >
      {options.map((option, index) => (
        <label key={index} class="check">
          <input
            type="radio"
            id={index === 0 ? id : undefined}
            name={id}
            checked={isSame(option.value, value)}
            onChange={() => onChange(option.value)}
          />
          <span>{printable(option.label)}</span>
        </label>
      ))}
    </div>
  )
}
