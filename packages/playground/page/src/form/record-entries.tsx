/** Entries whose names the person chooses. */
import { useRef, useState } from 'preact/hooks'
import type { JsonObject, JsonSchemaNode } from 'toolwright'
import { Button } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { IconButton } from '../parts/icon-button.tsx'
import { freeKey, withKey, withKeyRenamed } from './change-at.ts'
import { useForm } from './form-context.ts'
import { initialItem } from './initial-value.ts'
import { partId, type Path, pathId } from './path.ts'

export interface RecordEntriesProps {
  readonly object: JsonObject
  /** Those of the object that are entries. */
  readonly names: readonly string[]
  readonly node: JsonSchemaNode
  readonly path: Path
  readonly onChange: (object: JsonObject) => void
}

export function RecordEntries({ object, names, node, path, onChange }: RecordEntriesProps) {
  const { root, idPrefix, Field } = useForm()
  const list = useRef<HTMLDivElement>(null)
  const add = () => {
    const key = freeKey(object)
    onChange({ ...object, [key]: initialItem(node, root) })
    // The new row is there after the next rendering.
    requestAnimationFrame(() =>
      list.current?.querySelector<HTMLInputElement>('.entry:last-of-type input')?.select(),
    )
  }
  return (
    <div class="entries" ref={list}>
      {names.map((name, index) => (
        <div class="entry" key={index}>
          <EntryName
            id={partId(pathId(idPrefix, [...path, name]), 'key')}
            name={name}
            isTaken={(other) => other !== name && Object.hasOwn(object, other)}
            onRename={(to) => onChange(withKeyRenamed(object, name, to))}
          />
          <Field
            node={node}
            path={[...path, name]}
            value={object[name]}
            onChange={(next) => onChange({ ...object, [name]: next ?? null })}
            label={name}
            isRequired
            isBare
          />
          <IconButton
            icon="close"
            label={`Remove ${name}`}
            small
            onClick={() => onChange(withKey(object, name, undefined))}
          />
        </div>
      ))}
      <Button small onClick={add}>
        <Icon name="add" />
        Add an entry
      </Button>
    </div>
  )
}

interface EntryNameProps {
  readonly id: string
  readonly name: string
  readonly isTaken: (name: string) => boolean
  readonly onRename: (name: string) => void
}

/** The name is taken when it is complete: halfway it may be that of another entry. */
function EntryName({ id, name, isTaken, onRename }: EntryNameProps) {
  const [draft, setDraft] = useState<string>()
  const problem = draft !== undefined && isTaken(draft) ? 'This name is there already.' : undefined
  const finish = () => {
    if (draft !== undefined && problem === undefined && draft !== name) onRename(draft)
    setDraft(undefined)
  }
  return (
    <div class="entry-name">
      <input
        type="text"
        class="mono"
        aria-label={`Name of the entry ${name}`}
        autoComplete="off"
        value={draft ?? name}
        aria-invalid={problem ? 'true' : undefined}
        aria-describedby={problem ? id : undefined}
        onInput={(event) => setDraft(event.currentTarget.value)}
        onBlur={finish}
        onKeyDown={(event) => event.key === 'Enter' && !event.ctrlKey && !event.metaKey && finish()}
      />
      {problem ? (
        <p class="field-wrong" id={id}>
          {problem}
        </p>
      ) : null}
    </div>
  )
}
