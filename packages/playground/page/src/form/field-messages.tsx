/** What is wrong with a field. A group takes no focus itself: then the message does. */
import { printable } from '../parts/printable.ts'

export interface FieldMessagesProps {
  readonly id: string
  readonly messages: readonly string[]
  readonly isFocusable: boolean
}

export function FieldMessages({ id, messages, isFocusable }: FieldMessagesProps) {
  if (messages.length === 0) return null
  const focusable = isFocusable ? { tabIndex: -1, 'data-wrong': 'true' } : {}
  return (
    <div class="field-wrong" id={id} {...focusable}>
      {messages.map((message) => (
        <p key={message}>{printable(message)}</p>
      ))}
    </div>
  )
}
