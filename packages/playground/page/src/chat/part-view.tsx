/** A part of what somebody said. */
import type { ShownAssistantPart } from '../../../src/protocol/conversation.ts'
import { ContentView } from '../parts/content-view.tsx'
import { JsonTree } from '../parts/json-tree.tsx'
import { printable } from '../parts/printable.ts'
import { Prose } from '../parts/prose.tsx'

export type SaidPart = Exclude<ShownAssistantPart, { readonly type: 'call' }>

export function PartView({ part }: { readonly part: SaidPart }) {
  switch (part.type) {
    case 'text':
      return <Prose text={part.text} />
    case 'reasoning':
      return <Reasoning text={part.text} />
    case 'media':
      return <ContentView content={{ parts: [part] }} />
    case 'provider':
      return (
        <details class="provider-part">
          <summary class="quiet">{`Done by the provider: ${printable(part.kind)}`}</summary>
          <JsonTree value={part.data} />
        </details>
      )
  }
}

export const Reasoning = ({
  text,
  isLive,
}: {
  readonly text: string
  readonly isLive?: boolean
}) => (
  <details class="reasoning">
    <summary class="quiet">{isLive ? 'Reasoning …' : 'Reasoning'}</summary>
    <Prose text={text} />
  </details>
)
