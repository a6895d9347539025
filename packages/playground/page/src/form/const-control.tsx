/** A value that is always the same. It is set by itself where it must be there. */
import { useEffect } from 'preact/hooks'
import { printable } from '../parts/printable.ts'
import { valueLabel } from './choice-options.ts'
import type { ControlProps, KindOf } from './field-props.ts'
import { isSame } from './fit-of.ts'

export function ConstControl(props: ControlProps<KindOf<'const'>>) {
  const { kind, value, onChange, isRequired } = props
  const isSet = isSame(value, kind.value)
  useEffect(() => {
    if (isRequired && !isSet) onChange(kind.value)
  }, [isRequired, isSet])
  if (isRequired) return <p class="mono">{printable(valueLabel(kind.value))}</p>
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={isSet}
        onChange={(event) => onChange(event.currentTarget.checked ? kind.value : undefined)}
      />
      <span class="mono">{printable(valueLabel(kind.value))}</span>
    </label>
  )
}
