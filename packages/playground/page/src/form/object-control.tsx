/** The fields of an object, and entries with names of one's own where the schema allows them. */
import type { Json, JsonObject } from 'toolwright'
import { printable } from '../parts/printable.ts'
import { withKey, withKeysFirst } from './change-at.ts'
import type { ControlProps, KindOf } from './field-props.ts'
import { isJsonObject } from './fit-of.ts'
import { useForm } from './form-context.ts'
import { RecordEntries } from './record-entries.tsx'

export function ObjectControl(props: ControlProps<KindOf<'object'>>) {
  const { kind, value, onChange, path } = props
  const { Field } = useForm()
  const object: JsonObject = isJsonObject(value) ? value : {}
  const names = kind.properties.map(({ name }) => name)
  const others = Object.keys(object).filter((key) => !names.includes(key))
  const take = (name: string) => (next: Json | undefined) =>
    onChange(withKeysFirst(withKey(object, name, next), names))
  return (
    <div class="object-fields">
      {names.length === 0 && kind.more === undefined ? (
        <p class="quiet">It takes no arguments.</p>
      ) : null}
      {kind.properties.map(({ name, node, isRequired }) => (
        <Field
          key={name}
          node={node}
          path={[...path, name]}
          value={object[name]}
          onChange={take(name)}
          label={name}
          isRequired={isRequired}
        />
      ))}
      {kind.more === undefined ? (
        <OtherNames names={others} />
      ) : (
        <RecordEntries
          object={object}
          names={others}
          node={kind.more}
          path={path}
          onChange={onChange}
        />
      )}
    </div>
  )
}

/** What came in as JSON stays, and can be taken out again there. */
function OtherNames({ names }: { readonly names: readonly string[] }) {
  if (names.length === 0) return null
  return (
    <p class="note note-warn">{`Also there, as JSON only: ${names.map(printable).join(', ')}`}</p>
  )
}
