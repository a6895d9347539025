/** What a person asked, or what the model was told first. */
import type { ShownPart } from '../../../src/protocol/shown-content.ts'
import { ContentView } from '../parts/content-view.tsx'
import { LongText } from '../parts/long-text.tsx'
import { printable } from '../parts/printable.ts'

export interface QuestionProps {
  readonly role: 'user' | 'system'
  readonly parts: readonly ShownPart[]
}

export const Question = ({ role, parts }: QuestionProps) => (
  <article
    class={`message message-${role}`}
    aria-label={role === 'user' ? 'Question' : 'Instructions'}
  >
    {parts.map((part, index) =>
      part.type === 'text' ? (
        <p key={index} class="said">
          <LongText text={printable(part.text)} />
        </p>
      ) : (
        <ContentView key={index} content={{ parts: [part] }} />
      ),
    )}
  </article>
)
