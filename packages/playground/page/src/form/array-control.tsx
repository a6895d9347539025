/** The items of a list, which can be added, taken away and moved. */
import { useRef } from 'preact/hooks'
import type { Json } from 'toolwright'
import { Button } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { IconButton } from '../parts/icon-button.tsx'
import { withItem, withItemMoved, withoutItem } from './change-at.ts'
import type { ControlProps, KindOf } from './field-props.ts'
import { useForm } from './form-context.ts'
import { initialItem } from './initial-value.ts'
import { partId } from './path.ts'

export function ArrayControl(props: ControlProps<KindOf<'array'>>) {
  const { kind, schema, value, onChange, path, id, label } = props
  const { root, Field } = useForm()
  const items: readonly Json[] = Array.isArray(value) ? value : []
  const keys = useItemKeys(items.length)
  const change = (next: readonly Json[], nextKeys: readonly number[]) => {
    keys.set(nextKeys)
    onChange(next)
  }
  const add = () => change([...items, initialItem(kind.items, root)], [...keys.now, keys.fresh()])
  const move = (from: number, to: number) =>
    change(withItemMoved(items, from, to), withItemMoved(keys.now, from, to))
  return (
    <div class="items">
      {items.length === 0 ? <p class="quiet">No items.</p> : null}
      {items.map((item, index) => (
        <Field
          key={keys.now[index]}
          node={kind.items}
          path={[...path, index]}
          value={item}
          onChange={(next) => onChange(withItem(items, index, next ?? null))}
          label={String(index + 1)}
          isRequired
          actions={
            <>
              <IconButton
                icon="up"
                label={`Move item ${index + 1} up`}
                small
                aria-disabled={index === 0}
                onClick={() => move(index, index - 1)}
              />
              <IconButton
                icon="down"
                label={`Move item ${index + 1} down`}
                small
                aria-disabled={index === items.length - 1}
                onClick={() => move(index, index + 1)}
              />
              <IconButton
                icon="close"
                label={`Remove item ${index + 1}`}
                small
                onClick={() => {
                  change(withoutItem(items, index), withoutItem(keys.now, index))
                  document.getElementById(partId(id, 'add'))?.focus()
                }}
              />
            </>
          }
        />
      ))}
      <Button
        small
        id={partId(id, 'add')}
        aria-label={`Add an item to ${label}`}
        disabled={items.length >= (schema.maxItems ?? Infinity)}
        onClick={add}
      >
        <Icon name="add" />
        Add an item
      </Button>
    </div>
  )
}

/** Names for the items that stay with them when they move, so that half typed texts move along. */
function useItemKeys(count: number) {
  const next = useRef(0)
  const keys = useRef<readonly number[]>([])
  const fresh = () => (next.current += 1)
  if (keys.current.length !== count) keys.current = Array.from({ length: count }, fresh)
  return {
    now: keys.current,
    fresh,
    set: (after: readonly number[]) => {
      keys.current = after
    },
  }
}
