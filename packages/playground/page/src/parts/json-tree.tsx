/** JSON as a tree that opens and closes, by mouse or keyboard. What is closed is not rendered. */
import type { Json } from 'toolwright'
import { useState } from 'preact/hooks'
import { Button } from './button.tsx'
import { LongText } from './long-text.tsx'
import { printable } from './printable.ts'

export interface JsonTreeProps {
  readonly value: Json
  readonly label?: string
}

/** More than these are shown when they are asked for. */
const ENTRIES_AT_ONCE = 100
/** Deeper ones, and those with more entries, begin closed. */
const OPEN_DEPTH = 2
const OPEN_ENTRIES = 20

export function JsonTree({ value, label }: JsonTreeProps) {
  return (
    <div class="json-tree mono" role="group" aria-label={label ?? 'JSON'}>
      <JsonNode value={value} depth={0} />
    </div>
  )
}

interface JsonNodeProps {
  readonly name?: string
  readonly value: Json
  readonly depth: number
}

function JsonNode({ name, value, depth }: JsonNodeProps) {
  if (typeof value === 'object' && value !== null) return <Container {...{ name, value, depth }} />
  return (
    <div class="json-leaf">
      <Name name={name} />
      <Leaf value={value} />
    </div>
  )
}

function Container({ name, value, depth }: JsonNodeProps & { readonly value: object }) {
  const entries = Object.entries(value as { readonly [key: string]: Json })
  const [open, setOpen] = useState(depth < OPEN_DEPTH && entries.length <= OPEN_ENTRIES)
  const [shown, setShown] = useState(ENTRIES_AT_ONCE)
  const isList = Array.isArray(value)
  if (entries.length === 0) {
    return (
      <div class="json-leaf">
        <Name name={name} />
        {isList ? '[]' : '{}'}
      </div>
    )
  }
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Name name={name} />
        <span class="quiet">{sizeOf(entries.length, isList)}</span>
      </summary>
      {open ? (
        <ul class="json-entries">
          {entries.slice(0, shown).map(([key, each]) => (
            <li key={key}>
              <JsonNode name={key} value={each} depth={depth + 1} />
            </li>
          ))}
          {entries.length > shown ? (
            <li>
              <Button small kind="quiet" onClick={() => setShown(shown + ENTRIES_AT_ONCE)}>
                {`Show more (${entries.length - shown} left)`}
              </Button>
            </li>
          ) : null}
        </ul>
      ) : null}
    </details>
  )
}

const sizeOf = (count: number, isList: boolean): string => {
  const noun = isList ? (count === 1 ? 'item' : 'items') : count === 1 ? 'key' : 'keys'
  return isList ? `[${count} ${noun}]` : `{${count} ${noun}}`
}

function Name({ name }: { readonly name?: string }) {
  return name === undefined ? null : <span class="json-name">{`${printable(name)}: `}</span>
}

function Leaf({ value }: { readonly value: Json }) {
  if (typeof value === 'string') {
    return (
      <span class="json-string">
        <LongText text={printable(value)} quoted />
      </span>
    )
  }
  return <span class={`json-${value === null ? 'null' : typeof value}`}>{String(value)}</span>
}
