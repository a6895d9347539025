/** Which model is asked. */
import { printable } from '../parts/printable.ts'
import { useSession } from '../shell/session.ts'

export interface ModelSelectProps {
  readonly value: string
  readonly onChange: (id: string) => void
}

export function ModelSelect({ value, onChange }: ModelSelectProps) {
  const models = useSession()?.models ?? []
  const isDemo = models.find(({ id }) => id === value)?.isDemo ?? false
  return (
    <select
      class="model-select"
      aria-label="Model"
      value={value}
      title={isDemo ? 'It follows rules and is no language model.' : undefined}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      {models.map(({ id, label }) => (
        <option key={id} value={id}>
          {printable(label)}
        </option>
      ))}
    </select>
  )
}
