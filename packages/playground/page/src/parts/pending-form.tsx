/** What a person gives to a call that waits: other arguments, a result, an answer. */
import type { ComponentChildren } from 'preact'
import { useId, useRef, useState } from 'preact/hooks'
import type { Decision, Json, JsonSchema } from 'toolwright'
import type { FieldIssue, ShownPending } from '../../../src/protocol/shown-content.ts'
import { focusFirstUnreadable } from '../form/focus-first-wrong.ts'
import { initialValue } from '../form/initial-value.ts'
import { missingValues, needed } from '../form/missing-values.ts'
import { SchemaForm } from '../form/schema-form.tsx'
import { Button } from './button.tsx'

export interface PendingFormProps {
  readonly pending: ShownPending
  readonly gives: 'edit' | 'result' | 'answer'
  readonly busy: boolean
  readonly issues?: readonly FieldIssue[]
  readonly onDecide: (decision: Decision) => void
  readonly onCancel?: () => void
  readonly others?: ComponentChildren
}

const WORDS = {
  edit: { label: 'Arguments', send: 'Approve with these' },
  result: { label: 'Result', send: 'Supply the result' },
  answer: { label: 'Answer', send: 'Answer' },
} as const
/** Where nothing is said of its form, most people answer in words; as JSON they may give anything. */
const IN_WORDS: JsonSchema = { type: 'string', minLength: 1 }

/** What was missing when it was last sent. It holds until the server says something new. */
interface Tried {
  readonly after: readonly FieldIssue[] | undefined
  readonly missing: readonly FieldIssue[]
}

export function PendingForm(props: PendingFormProps) {
  const { pending, gives, busy, issues, onDecide, onCancel, others } = props
  const schema = pending.schema ?? (gives === 'edit' ? undefined : IN_WORDS)
  const [value, setValue] = useState<Json | undefined>(() =>
    gives === 'edit' ? pending.input : initialValue(schema, schema ?? {}),
  )
  const form = useRef<HTMLFormElement>(null)
  const id = useId()
  const [tried, setTried] = useState<Tried>()
  const send = () => {
    if (busy) return
    const isUnreadable = focusFirstUnreadable(form.current)
    const missing = isUnreadable ? [] : missingIn(pending, value)
    setTried({ after: issues, missing })
    if (isUnreadable || missing.length > 0 || value === undefined) return
    onDecide(decisionOf(gives, value))
  }
  return (
    <form
      class="stack"
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
        event.preventDefault()
        event.stopPropagation()
        send()
      }}
    >
      <SchemaForm
        schema={schema}
        value={value}
        onChange={setValue}
        issues={issuesFor(tried, issues)}
        idPrefix={id}
        label={WORDS[gives].label}
      />
      <div class="row">
        <Button kind="primary" type="submit" busy={busy}>
          {WORDS[gives].send}
        </Button>
        {onCancel ? (
          <Button kind="quiet" onClick={onCancel}>
            Cancel
          </Button>
        ) : null}
        {others}
      </div>
    </form>
  )
}

/** What was refused before this form sent anything was given elsewhere. */
function issuesFor(
  tried: Tried | undefined,
  issues: readonly FieldIssue[] | undefined,
): readonly FieldIssue[] | undefined {
  if (!tried) return undefined
  return tried.after === issues ? tried.missing : issues
}

function missingIn({ schema }: ShownPending, value: Json | undefined): readonly FieldIssue[] {
  if (value === undefined) return [needed([])]
  if (schema) return missingValues(schema, value)
  return value === '' ? [needed([])] : []
}

function decisionOf(gives: PendingFormProps['gives'], value: Json): Decision {
  if (gives === 'edit') return { edit: value }
  return gives === 'answer' ? { answer: value } : { result: value }
}
