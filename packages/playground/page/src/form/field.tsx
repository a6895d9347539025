/** One field: its label, what it is for, its control, and what is wrong with it. */
import type { FunctionComponent } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import type { Json } from 'toolwright'
import { Button } from '../parts/button.tsx'
import { printable } from '../parts/printable.ts'
import { ArrayControl } from './array-control.tsx'
import { BooleanControl } from './boolean-control.tsx'
import { ChoiceControl, isRadio } from './choice-control.tsx'
import { ConstControl } from './const-control.tsx'
import { type FieldKind, type FieldShape, fieldShape } from './field-kind.ts'
import type { ControlProps, FieldProps } from './field-props.ts'
import { FieldHints } from './field-hints.tsx'
import { FieldMessages } from './field-messages.tsx'
import { useForm } from './form-context.ts'
import { INLINE_DEPTH, initialValue } from './initial-value.ts'
import { issuesAt, issuesOfObject, issuesWithin } from './issues-at.ts'
import { JsonControl } from './json-control.tsx'
import { NumberControl } from './number-control.tsx'
import { ObjectControl } from './object-control.tsx'
import { partId, pathId } from './path.ts'
import { TextControl } from './text-control.tsx'
import { typeText } from './type-text.ts'
import { UnionControl } from './union-control.tsx'

/** Each takes the props of its own kind; which one that is, its key here says. */
const CONTROLS: { readonly [name in FieldKind['kind']]: FunctionComponent<ControlProps<never>> } = {
  json: JsonControl,
  const: ConstControl,
  choice: ChoiceControl,
  boolean: BooleanControl,
  number: NumberControl,
  text: TextControl,
  array: ArrayControl,
  object: ObjectControl,
  union: UnionControl,
}

export function Field(props: FieldProps) {
  const { node, path, value, onChange, label, isRequired, actions, isBare = false } = props
  const { root, issues, idPrefix } = useForm()
  const shape = useMemo(() => fieldShape(node, root), [node, root])
  const { schema, kind, isNullable } = shape
  const id = props.id ?? pathId(idPrefix, path)
  const [unreadable, setUnreadable] = useState<string>()
  // Whoever set a value from elsewhere has put an end to what could not be read.
  const problem = value === undefined || value === null ? unreadable : undefined
  const messages = [...(problem === undefined ? [] : [problem]), ...messagesOf(shape, path, issues)]
  const isAbsent = value === undefined && isLazy(kind, isRequired, path.length)
  const isGroup = isGroupKind(kind)
  const Control = CONTROLS[kind.kind] as FunctionComponent<ControlProps>
  const describedBy =
    [schema.description ? partId(id, 'about') : '', messages.length > 0 ? partId(id, 'wrong') : '']
      .filter(Boolean)
      .join(' ') || undefined

  const head = (
    <span class="field-head">
      <span class="field-name mono">{printable(label)}</span>
      {schema.title && schema.title !== label ? <span>{printable(schema.title)}</span> : null}
      <span class="field-type quiet">{`${typeText(shape)}${isRequired ? ', required' : ''}`}</span>
      {schema.deprecated ? <span class="field-type quiet">deprecated</span> : null}
    </span>
  )
  const extras = (
    <span class="field-extras">
      {isNullable ? (
        <label class="check quiet">
          <input
            type="checkbox"
            aria-label={`${label} is null`}
            checked={value === null}
            onChange={(event) =>
              onChange(event.currentTarget.checked ? null : initialValue(schema, root))
            }
          />
          null
        </label>
      ) : null}
      {isRequired ? null : (
        <AbsentButton
          {...{ id, label, value, onChange, isAbsent }}
          begin={() => begin(shape, root)}
        />
      )}
      {actions}
    </span>
  )
  const body = (
    <>
      {schema.description ? (
        <p class="field-about quiet" id={partId(id, 'about')}>
          {printable(schema.description)}
        </p>
      ) : null}
      {value === null && isNullable ? (
        <p class="mono quiet">null</p>
      ) : isAbsent ? null : (
        <Control
          {...{ kind, schema, path, value, onChange, label, isRequired, id, describedBy }}
          isWrong={messages.length > 0}
          isUnreadable={problem !== undefined}
          onProblem={setUnreadable}
        />
      )}
      <FieldHints {...{ schema, value, onChange }} />
      <FieldMessages id={partId(id, 'wrong')} messages={messages} isFocusable={isGroup} />
    </>
  )
  const classes = `field field-${kind.kind} ${isBare ? 'field-bare' : ''}`
  const named = isGroup
    ? {
        role: 'group' as const,
        'aria-labelledby': partId(id, 'name'),
        'aria-describedby': describedBy,
      }
    : {}
  // A fieldset would do for groups, but its legend stands in no row with anything else.
  return (
    <div class={classes} {...named}>
      <div class={isBare ? 'visually-hidden' : 'field-top'}>
        {isGroup ? <span id={partId(id, 'name')}>{head}</span> : <label for={id}>{head}</label>}
        {isBare ? null : extras}
      </div>
      {body}
    </div>
  )
}

interface AbsentButtonProps {
  readonly id: string
  readonly label: string
  readonly value: Json | undefined
  readonly onChange: (value: Json | undefined) => void
  /** It is shown only when somebody adds it. */
  readonly isAbsent: boolean
  readonly begin: () => Json
}

/** One button in one place, so that the focus stays on it. */
function AbsentButton({ id, label, value, onChange, isAbsent, begin }: AbsentButtonProps) {
  if (value === undefined && !isAbsent) return null
  const clear = () => {
    onChange(undefined)
    document.getElementById(id)?.focus()
  }
  return (
    <Button
      small
      kind="quiet"
      aria-label={`${isAbsent ? 'Add' : 'Clear'} ${label}`}
      onClick={isAbsent ? () => onChange(begin()) : clear}
    >
      {isAbsent ? 'Add' : 'Clear'}
    </Button>
  )
}

function begin({ schema, kind }: FieldShape, root: FieldShape['schema']): Json {
  return initialValue(schema, root) ?? (kind.kind === 'array' ? [] : {})
}

/** Objects and lists that may be absent are; and so is what lies deep, because it may contain itself for ever. */
const isLazy = (kind: FieldKind, isRequired: boolean, depth: number): boolean =>
  (kind.kind === 'object' || kind.kind === 'array') && (!isRequired || depth > INLINE_DEPTH)

const isGroupKind = (kind: FieldKind): boolean =>
  ['object', 'array', 'union', 'boolean', 'const'].includes(kind.kind) ||
  (kind.kind === 'choice' && isRadio(kind))

function messagesOf(
  { kind }: FieldShape,
  path: FieldProps['path'],
  issues: Parameters<typeof issuesAt>[0],
): readonly string[] {
  if (issues.length === 0) return []
  if (kind.kind === 'json') return issuesWithin(issues, path)
  // Its control says it, or the field inside of it, which is at the same place.
  if (kind.kind === 'union') return []
  if (kind.kind !== 'object' || kind.more !== undefined) return issuesAt(issues, path)
  return issuesOfObject(
    issues,
    path,
    kind.properties.map(({ name }) => name),
  )
}
