/** The messages that the page has. Those that did not change are not drawn again. */
import { useRef } from 'preact/hooks'
import type { ShownMessage } from '../../../src/protocol/conversation.ts'
import { memo } from '../parts/memo.ts'
import { groupOf, messageGroups, type MessageGroup } from './message-groups.ts'
import { MessageView } from './message-view.tsx'

export const Messages = memo(({ messages }: { readonly messages: readonly ShownMessage[] }) => {
  const groups = useRef<readonly MessageGroup[]>([])
  groups.current = messageGroups(messages, groups.current)
  return (
    <>
      {groups.current.map((group) => (
        <Group key={groupOf(group[0]!)} group={group} />
      ))}
    </>
  )
})

const Group = memo(({ group }: { readonly group: MessageGroup }) => (
  <div class="message-group">
    {group.map((message) => (
      <MessageView key={message.index} message={message} />
    ))}
  </div>
))
