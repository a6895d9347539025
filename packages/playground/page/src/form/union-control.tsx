/** One of several forms. Another choice keeps what fits it. */
import { useState } from 'preact/hooks'
import type { Json } from 'toolwright'
import { FieldMessages } from './field-messages.tsx'
import type { ControlProps, KindOf } from './field-props.ts'
import { fitOf, optionOf } from './fit-of.ts'
import { useForm } from './form-context.ts'
import { issuesWithin } from './issues-at.ts'
import { keepWhatFits } from './keep-what-fits.ts'
import { partId } from './path.ts'
import { ChoiceControl } from './choice-control.tsx'

export function UnionControl(props: ControlProps<KindOf<'union'>>) {
  const { kind, value, onChange, label, id, path } = props
  const { root, issues, Field } = useForm()
  const [wanted, setWanted] = useState<number>()
  const chosen = chosenOption(wanted)
  const option = kind.options[chosen]
  // A field inside of it says what is wrong at this place; without a choice there is none.
  const messages = option ? [] : issuesWithin(issues, path)
  const wrongId = partId(id, 'wrong')

  /** A choice holds as long as the value may be of that form; several forms may fit a value. */
  function chosenOption(choice: number | undefined): number {
    const schema = kind.options[choice ?? -1]?.schema
    if (schema && (value === undefined || fitOf(value, schema, root) >= 0)) return choice!
    return optionOf(value, kind.options, root)
  }
  const choose = (index: Json | undefined) => {
    const next = typeof index === 'number' ? kind.options[index] : undefined
    setWanted(next ? (index as number) : undefined)
    onChange(next && keepWhatFits(value, next.schema, root))
  }
  return (
    <div class="union">
      <ChoiceControl
        {...props}
        id={partId(id, 'form')}
        isWrong={messages.length > 0}
        describedBy={messages.length > 0 ? wrongId : undefined}
        label={`${label}: which form`}
        kind={{
          kind: 'choice',
          options: kind.options.map((each, index) => ({ value: index, label: each.label })),
        }}
        value={chosen === -1 ? undefined : chosen}
        onChange={choose}
      />
      {option ? (
        <Field
          key={chosen}
          node={option.schema}
          path={path}
          value={value}
          onChange={onChange}
          label={label}
          isRequired
          isBare
          id={partId(id, 'value')}
        />
      ) : null}
      <FieldMessages id={wrongId} messages={messages} isFocusable={false} />
    </div>
  )
}
