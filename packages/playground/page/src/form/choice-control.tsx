/** One of several values: buttons for a few, a list for many. */
import { printable } from '../parts/printable.ts'
import type { ControlProps, KindOf } from './field-props.ts'
import { isSame } from './fit-of.ts'
import { RadioRow } from './radio-row.tsx'

const MOST_RADIOS = 4

export const isRadio = ({ options }: { readonly options: readonly unknown[] }): boolean =>
  options.length <= MOST_RADIOS

export function ChoiceControl(props: ControlProps<KindOf<'choice'>>) {
  const { kind, value, onChange, id, describedBy, isWrong } = props
  if (isRadio(kind)) return <RadioRow {...props} options={kind.options} />
  const chosen = kind.options.findIndex((option) => isSame(option.value, value))
  return (
    <select
      id={id}
      value={String(chosen)}
      aria-describedby={describedBy}
      aria-invalid={isWrong ? 'true' : undefined}
      onChange={(event) => onChange(kind.options[Number(event.currentTarget.value)]?.value)}
    >
      <option value="-1">Not set</option>
      {kind.options.map((option, index) => (
        <option key={index} value={String(index)}>
          {printable(option.label)}
        </option>
      ))}
    </select>
  )
}
