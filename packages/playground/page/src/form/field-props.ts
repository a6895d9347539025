/** What a field is given, and what the control in it is given. Types only. */
import type { ComponentChildren } from 'preact'
import type { Json, JsonSchema, JsonSchemaNode } from 'toolwright'
import type { FieldKind } from './field-kind.ts'
import type { Path } from './path.ts'

export interface FieldProps {
  readonly node: JsonSchemaNode
  readonly path: Path
  readonly value: Json | undefined
  /** Undefined: it is absent. */
  readonly onChange: (value: Json | undefined) => void
  readonly label: string
  readonly isRequired: boolean
  /** Beside the label: what a list or a record offers for its entries. */
  readonly actions?: ComponentChildren
  /** The label is for screen readers only: what is around it names it already. */
  readonly isBare?: boolean
  /** Default: one made from the path. Fields at the same place have different ones. */
  readonly id?: string
}

export type KindOf<Name extends FieldKind['kind']> = Extract<FieldKind, { readonly kind: Name }>

export interface ControlProps<Kind = FieldKind> {
  readonly kind: Kind
  readonly schema: JsonSchema
  readonly path: Path
  readonly value: Json | undefined
  readonly onChange: (value: Json | undefined) => void
  readonly label: string
  readonly isRequired: boolean
  readonly id: string
  readonly describedBy: string | undefined
  readonly isWrong: boolean
  /** What was typed cannot be read, or, without a message, can again. It is said at the field. */
  readonly onProblem: (message: string | undefined) => void
  readonly isUnreadable: boolean
}
