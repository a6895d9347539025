/** What a tool or a model gave, as it is: texts as texts, pictures as pictures, anything else by name and size. */
import { useMemo, useState } from 'preact/hooks'
import type { ShownContent, ShownPart } from '../../../src/protocol/shown-content.ts'
import { Button } from './button.tsx'
import { bytes } from './bytes.ts'
import { CopyButton } from './copy-button.tsx'
import { JsonTree } from './json-tree.tsx'
import { jsonInText } from './json-in-text.ts'
import { LongText } from './long-text.tsx'
import { printable } from './printable.ts'
import { SavedMedia } from './saved-media.tsx'

export interface ContentViewProps {
  readonly content: ShownContent
}

/** Those that cannot hold a program; SVG can. */
const PICTURES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

export function ContentView({ content: { parts, cutFrom } }: ContentViewProps) {
  return (
    <div class="content-view stack">
      {parts.length === 0 ? <p class="quiet">Nothing was given back.</p> : null}
      {parts.map((part, index) => (
        <PartView key={index} part={part} />
      ))}
      {cutFrom === undefined ? null : (
        <p class="note note-warn">{`Only the beginning is shown: all of it is ${bytes(cutFrom)}.`}</p>
      )}
    </div>
  )
}

function PartView({ part }: { readonly part: ShownPart }) {
  if (part.type === 'text') return <TextPart text={part.text} />
  if (part.data !== undefined && PICTURES.includes(part.mediaType)) {
    const name = printable(part.name ?? 'Picture')
    // In a column of its own it would be stretched to the whole width.
    return (
      <div>
        <img class="picture" src={`data:${part.mediaType};base64,${part.data}`} alt={name} />
      </div>
    )
  }
  return <SavedMedia part={part} />
}

function TextPart({ text }: { readonly text: string }) {
  const json = useMemo(() => jsonInText(text), [text])
  const [raw, setRaw] = useState(false)
  return (
    <div class="text-part">
      <div class="text-part-actions row">
        {json === undefined ? null : (
          <Button small kind="quiet" aria-pressed={raw} onClick={() => setRaw(!raw)}>
            As text
          </Button>
        )}
        <CopyButton text={text} />
      </div>
      {json !== undefined && !raw ? (
        <JsonTree value={json} />
      ) : (
        <div class="plain-text mono">
          <LongText text={printable(text)} />
        </div>
      )}
    </div>
  )
}
