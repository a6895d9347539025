/** What all fields of a form share. */
import { createContext, type FunctionComponent } from 'preact'
import { useContext } from 'preact/hooks'
import type { JsonSchema } from 'toolwright'
import type { FieldIssue } from '../../../src/protocol/shown-content.ts'
import type { FieldProps } from './field-props.ts'

export interface FormShared {
  readonly root: JsonSchema
  readonly issues: readonly FieldIssue[]
  readonly idPrefix: string
  /** Fields inside of fields. Handed down here, because modules that import each other cannot be read one at a time. */
  readonly Field: FunctionComponent<FieldProps>
}

export const FormContext = createContext<FormShared | undefined>(undefined)

export const useForm = (): FormShared => useContext(FormContext)!
