/**
 * What a person typed into a field whose text is not its value. It stays as long as the form has the value that it had, or
 * got, when it was typed; when somebody else changes the value, that is shown.
 */
import { useState } from 'preact/hooks'
import type { Json } from 'toolwright'
import { isSame } from './fit-of.ts'

interface Draft {
  readonly text: string
  readonly value: Json | undefined
}

export function useDraft(value: Json | undefined, show: (value: Json | undefined) => string) {
  const [draft, setDraft] = useState<Draft>()
  // Lists have null where a field is absent.
  const isCurrent = draft !== undefined && isSame(draft.value ?? null, value ?? null)
  return { text: isCurrent ? draft.text : show(value), setDraft }
}
