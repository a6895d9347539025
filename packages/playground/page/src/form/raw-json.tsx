/** The whole value as JSON text. While it is no JSON, the value stays what it was last. */
import type { Json } from 'toolwright'
import type { FieldIssue } from '../../../src/protocol/shown-content.ts'
import { FieldMessages } from './field-messages.tsx'
import { issuesWithin } from './issues-at.ts'
import { partId } from './path.ts'
import { jsonText, readJson } from './read-json.ts'
import { useDraft } from './use-draft.ts'

export interface RawJsonProps {
  readonly id: string
  readonly label: string
  readonly value: Json | undefined
  readonly onChange: (value: Json | undefined) => void
  readonly issues: readonly FieldIssue[]
}

export function RawJson({ id, label, value, onChange, issues }: RawJsonProps) {
  const { text, setDraft } = useDraft(value, jsonText)
  const { problem } = readJson(text)
  const messages = [...(problem === undefined ? [] : [problem]), ...issuesWithin(issues, [])]
  const take = (typed: string) => {
    const reading = readJson(typed)
    setDraft({ text: typed, value: reading.problem === undefined ? reading.value : value })
    if (reading.problem === undefined) onChange(reading.value)
  }
  return (
    <>
      <textarea
        id={id}
        class="mono growing"
        rows={8}
        spellcheck={false}
        autoComplete="off"
        aria-label={label}
        aria-invalid={messages.length > 0 ? 'true' : undefined}
        aria-describedby={messages.length > 0 ? partId(id, 'wrong') : undefined}
        data-unreadable={problem === undefined ? undefined : 'true'}
        value={text}
        onInput={(event) => take(event.currentTarget.value)}
      />
      <FieldMessages id={partId(id, 'wrong')} messages={messages} isFocusable={false} />
    </>
  )
}
