/** True or false, and neither until somebody chooses: a box that is not ticked would say false for them. */
import type { ControlProps, KindOf } from './field-props.ts'
import { RadioRow } from './radio-row.tsx'

export function BooleanControl(props: ControlProps<KindOf<'boolean'>>) {
  return (
    <RadioRow
      {...props}
      options={[
        { value: true, label: 'true' },
        { value: false, label: 'false' },
      ]}
    />
  )
}
