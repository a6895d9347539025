/** A message of a conversation. */
import type { ShownCall, ShownMessage } from '../../../src/protocol/conversation.ts'
import { CallCard } from './call-card.tsx'
import { memo } from '../parts/memo.ts'
import { PartView } from './part-view.tsx'
import { Question } from './question.tsx'
import type { CallState } from './turn-state.ts'

export const MessageView = memo(function MessageView({
  message,
}: {
  readonly message: ShownMessage
}) {
  if (message.role !== 'assistant') return <Question role={message.role} parts={message.parts} />
  return (
    <article class="message message-assistant" aria-label="Answer">
      {message.parts.map((part, index) =>
        part.type === 'call' ? (
          <CallCard key={index} call={keptCall(part)} isLive={false} />
        ) : (
          <PartView key={index} part={part} />
        ),
      )}
    </article>
  )
})

/** Of a message only the outcome is kept: no times, and no calls inside. */
const keptCall = ({ id, name, arguments: given, result, status }: ShownCall): CallState => ({
  id,
  name,
  arguments: given,
  isComplete: true,
  startedAt: 0,
  result,
  status,
  calls: [],
})
