/**
 * A form made from a JSON Schema, and the same value as JSON. It checks only whether what was typed can be read: whether it
 * is right, the server says, and its messages stand at the fields they are about.
 */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Json, JsonSchema } from 'toolwright'
import type { FieldIssue } from '../../../src/protocol/shown-content.ts'
import { Button } from '../parts/button.tsx'
import { Field } from './field.tsx'
import { fieldShape } from './field-kind.ts'
import { focusFirstWrong } from './focus-first-wrong.ts'
import { FormContext } from './form-context.ts'
import { openIssues } from './issues-at.ts'
import { partId } from './path.ts'
import { RawJson } from './raw-json.tsx'

export interface SchemaFormProps {
  /** Absent: any JSON. */
  readonly schema?: JsonSchema
  readonly value: Json | undefined
  readonly onChange: (value: Json | undefined) => void
  readonly issues?: readonly FieldIssue[]
  /** Begins the ids of its elements; forms on one page have different ones. */
  readonly idPrefix: string
  /** What the whole is called. Default: Arguments. */
  readonly label?: string
}

const ANY: JsonSchema = {}
const NONE: readonly FieldIssue[] = []

export function SchemaForm(props: SchemaFormProps) {
  const { schema = ANY, value, onChange, issues = NONE, idPrefix, label = 'Arguments' } = props
  const element = useRef<HTMLDivElement>(null)
  const hasForm = useMemo(() => fieldShape(schema, schema).kind.kind !== 'json', [schema])
  const [isRaw, setIsRaw] = useState(!hasForm)
  const showsRaw = isRaw || !hasForm
  const judged = useMemo(() => value, [issues])
  const open = useMemo(() => openIssues(issues, { judged, now: value }), [issues, judged, value])
  const shared = useMemo(
    () => ({ root: schema, issues: open, idPrefix, Field }),
    [schema, open, idPrefix],
  )
  useEffect(() => {
    if (issues.length > 0) focusFirstWrong(element.current)
  }, [issues])
  // The form stays where it is while JSON is shown: half typed texts in it are not lost.
  return (
    <div class="schema-form" ref={element}>
      {hasForm ? <ModeSwitch isRaw={isRaw} onChange={setIsRaw} label={label} /> : null}
      {hasForm ? (
        <div hidden={showsRaw}>
          <FormContext.Provider value={shared}>
            <Field
              node={schema}
              path={[]}
              value={value}
              onChange={onChange}
              label={label}
              isRequired
              isBare
            />
          </FormContext.Provider>
        </div>
      ) : null}
      <div hidden={!showsRaw}>
        <RawJson
          id={partId(idPrefix, 'json')}
          label={`${label} as JSON`}
          value={value}
          onChange={onChange}
          issues={showsRaw ? open : NONE}
        />
      </div>
    </div>
  )
}

interface ModeSwitchProps {
  readonly isRaw: boolean
  readonly onChange: (isRaw: boolean) => void
  readonly label: string
}

function ModeSwitch({ isRaw, onChange, label }: ModeSwitchProps) {
  return (
    <div class="mode-switch" role="group" aria-label={`${label}: form or JSON`}>
      <Button small kind="quiet" aria-pressed={!isRaw} onClick={() => onChange(false)}>
        Form
      </Button>
      <Button small kind="quiet" aria-pressed={isRaw} onClick={() => onChange(true)}>
        JSON
      </Button>
    </div>
  )
}
