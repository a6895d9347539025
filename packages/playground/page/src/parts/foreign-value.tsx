/** A value that a tool gave: a text as text, anything else as a tree. */
import type { Json } from 'toolwright'
import { JsonTree } from './json-tree.tsx'
import { LongText } from './long-text.tsx'
import { printable } from './printable.ts'

export function ForeignValue({ value }: { readonly value: Json }) {
  if (typeof value !== 'string') return <JsonTree value={value} />
  return (
    <div class="plain-text">
      <LongText text={printable(value)} />
    </div>
  )
}
